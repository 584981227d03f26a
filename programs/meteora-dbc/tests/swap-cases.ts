import fc from 'fast-check';
import type { DbcCurvePoint } from '../../../src/protocols/meteora-dbc/program/config-terms.ts';
import {
  MAX_DBC_SQRT_PRICE,
  MIN_DBC_SQRT_PRICE,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import { CALM, dynamicFee, fees, max, MILLION, millionths, NOW, ofBits } from './swap-fee-cases.ts';
import type { LaunchCase } from './swap-fixture.ts';

export { NOW };
export const SLOT = 1_000_000n;
/** What users hold, and pay at most: so much that no vault overflows. */
export const HALF = 1n << 63n;
/** A launch in a state that instructions and time can produce, and one swap in it. */
export interface SwapCase {
  readonly launch: LaunchCase;
  readonly isPurchase: boolean;
  readonly mode: number;
  readonly amount: bigint;
  readonly hasReferral: boolean;
  readonly showsInstructions: boolean;
  readonly isToken2022: boolean;
}

const activationType = fc.constantFrom(0, 1);

/** A curve with a price on it. */
interface Curve {
  readonly sqrtStartPrice: bigint;
  readonly curve: readonly DbcCurvePoint[];
  readonly migrationSqrtPrice: bigint;
  readonly sqrtPrice: bigint;
  /** The quote tokens between the start and the price, and between the start and the price of migration. */
  readonly raised: bigint;
  readonly threshold: bigint;
  /** The base tokens between the price and the price of migration. */
  readonly forSale: bigint;
}

const curve: fc.Arbitrary<Curve> = fc
  .record({
    start: fc.oneof({ weight: 4, arbitrary: ofBits(52, 74) }, ofBits(34, 90)),
    parts: fc.array(
      fc.record({
        growth: fc.oneof(fc.bigInt(1n, 50_000n), fc.bigInt(1n, 4n * MILLION)),
        liquidity: fc.oneof({ weight: 4, arbitrary: ofBits(90, 116) }, ofBits(64, 124)),
      }),
      { minLength: 1, maxLength: 16 },
    ),
    end: fc.oneof(millionths, fc.constant(MILLION)),
    price: fc.oneof(millionths, fc.bigInt(0n, 1_000n), fc.constant(0n)),
    atPoint: fc.constantFrom(false, false, false, true),
  })
  .map(({ start, parts, end, price, atPoint }) => {
    const sqrtStartPrice = clamp(start);
    const points: DbcCurvePoint[] = [];
    let sqrtPrice = sqrtStartPrice;
    for (const { growth, liquidity } of parts) {
      const next = clamp(sqrtPrice + (sqrtPrice * growth) / MILLION + 1n);
      if (next <= sqrtPrice) break;
      sqrtPrice = next;
      points.push({ sqrtPrice, liquidity });
    }
    if (points.length === 0) points.push({ sqrtPrice: sqrtStartPrice + 1n, liquidity: 1n << 100n });
    return placePrices(sqrtStartPrice, fittingPoints(sqrtStartPrice, points), { end, price, atPoint });
  });

function placePrices(
  sqrtStartPrice: bigint,
  points: readonly DbcCurvePoint[],
  { end, price, atPoint }: { end: bigint; price: bigint; atPoint: boolean },
): Curve {
  const last = points.at(-1)?.sqrtPrice ?? sqrtStartPrice;
  const between = (from: bigint, to: bigint, share: bigint) => from + ((to - from) * share) / MILLION;
  const migrationSqrtPrice = max(between(sqrtStartPrice, last, end), sqrtStartPrice + 1n);
  const within = between(sqrtStartPrice, migrationSqrtPrice - 1n, price);
  const ends = points.map((each) => each.sqrtPrice).filter((each) => each < migrationSqrtPrice);
  const sqrtPrice = atPoint ? (ends[Number(price) % Math.max(ends.length, 1)] ?? within) : within;
  const curveOf = { sqrtStartPrice, curve: points, migrationSqrtPrice, sqrtPrice };
  return {
    ...curveOf,
    raised: sumBetween(curveOf, sqrtStartPrice, sqrtPrice).quote,
    threshold: max(sumBetween(curveOf, sqrtStartPrice, migrationSqrtPrice).quote, 1n),
    forSale: sumBetween(curveOf, sqrtPrice, migrationSqrtPrice).base,
  };
}

/** Halves all liquidity until each token's amounts on the whole curve fit a quarter of a u64. */
function fittingPoints(start: bigint, points: readonly DbcCurvePoint[]): readonly DbcCurvePoint[] {
  const { base, quote } = sumBetween({ sqrtStartPrice: start, curve: points }, start, MAX_DBC_SQRT_PRICE);
  if (base <= HALF >> 1n && quote <= HALF >> 1n) return points;
  const halved = points.map((each) => ({ ...each, liquidity: max(each.liquidity >> 1n, 1n) }));
  return fittingPoints(start, halved);
}

/** The tokens between two prices, each part rounded up. */
function sumBetween(
  { sqrtStartPrice, curve: points }: Pick<Curve, 'sqrtStartPrice' | 'curve'>,
  from: bigint,
  to: bigint,
): { base: bigint; quote: bigint } {
  let [lower, base, quote] = [sqrtStartPrice, 0n, 0n];
  for (const { sqrtPrice, liquidity } of points) {
    const [a, b] = [max(lower, from), sqrtPrice < to ? sqrtPrice : to];
    if (a < b) {
      base += (liquidity * (b - a)) / (a * b) + 1n;
      quote += (liquidity * (b - a) + (1n << 128n) - 1n) >> 128n;
    }
    lower = sqrtPrice;
  }
  return { base, quote };
}

const claims = fc.oneof(fc.constant(0n), fc.bigInt(0n, 1n << 40n));

/** A launch whose curve is mostly not sold out. */
export const launchCase: fc.Arbitrary<LaunchCase> = fc
  .record({
    curve,
    fees,
    dynamic: fc.option(dynamicFee, { nil: null, freq: 2 }),
    activationType,
    age: fc.oneof(fc.bigInt(0n, 10n), fc.bigInt(0n, 200_000n)),
    creatorTradingFeePercentage: fc.constantFrom(0, 30, 100, 7),
    enableFirstSwapWithMinFee: fc.boolean(),
    hasSwap: fc.constantFrom(0, 1),
    baseThreshold: fc.oneof(ofBits(1, 50), fc.constant(0n)),
    buffer: fc.bigInt(0n, 250_000n),
    vests: fc.constantFrom(false, false, true),
    protocolBaseFee: claims,
    protocolQuoteFee: claims,
    partnerBaseFee: claims,
    partnerQuoteFee: claims,
    creatorBaseFee: claims,
    creatorQuoteFee: claims,
  })
  .map(({ curve: way, fees: { baseFee: base, collectFeeMode }, dynamic, age, buffer, vests, ...rest }) => {
    const { hasSwap, baseThreshold, ...others } = rest;
    const { creatorTradingFeePercentage, enableFirstSwapWithMinFee, ...claimed } = others;
    const { sqrtStartPrice, migrationSqrtPrice, sqrtPrice, threshold, raised, forSale } = way;
    const { activationType: unit, ...reserves } = claimed;
    const config = {
      poolFees: { baseFee: base, dynamicFee: dynamic?.terms ?? null },
      collectFeeMode,
      activationType: unit,
      creatorTradingFeePercentage,
      enableFirstSwapWithMinFee,
      migrationQuoteThreshold: threshold,
      migrationBaseThreshold: baseThreshold,
      migrationSqrtPrice,
      sqrtStartPrice,
      curve: way.curve,
      ...(vests ? { lockedVestingConfig: VESTING } : {}),
    };
    const volatilityTracker =
      dynamic === null
        ? CALM
        : { ...dynamic.state, sqrtPriceReference: (sqrtPrice * dynamic.moved) / MILLION };
    const pool = {
      ...reserves,
      volatilityTracker,
      hasSwap,
      sqrtPrice,
      quoteReserve: raised,
      baseReserve: forSale + (forSale * buffer) / MILLION + baseThreshold,
      activationPoint: (unit === 0 ? SLOT : NOW) - age,
    };
    return { config, pool };
  });

const VESTING = {
  amountPerPeriod: 3n,
  cliffDurationFromMigrationTime: 0n,
  frequency: 60n,
  numberOfPeriod: 10n,
  cliffUnlockAmount: 70n,
};

/** A share of the pool's reserve of the token, a bit more than all of it, or any number. */
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.record({ share: fc.bigInt(0n, 1_300_000n), absolute: fc.constant(null) }) },
  { weight: 2, arbitrary: fc.record({ share: fc.bigInt(0n, 2_000n), absolute: fc.constant(null) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      share: fc.constant(0n),
      absolute: fc.oneof(ofBits(1, 64), fc.bigInt(1n, 20n), fc.constant(HALF)),
    }),
  },
);

export const swapCase: fc.Arbitrary<SwapCase> = fc
  .record({
    launch: launchCase,
    isPurchase: fc.constantFrom(true, true, false),
    mode: fc.constantFrom(0, 1, 2),
    amount,
    hasReferral: fc.constantFrom(false, false, true),
    showsInstructions: fc.constantFrom(true, true, true, false),
    isToken2022: fc.constantFrom(false, false, true),
  })
  .map(({ amount: { share, absolute }, ...each }) => {
    const { launch, isPurchase, mode } = each;
    const isInQuote = isPurchase === (mode !== 2);
    const { config, pool } = launch;
    const left = (config.migrationQuoteThreshold ?? 0n) - (pool.quoteReserve ?? 0n);
    const quote = isPurchase ? left : (pool.quoteReserve ?? 0n);
    const whole = isInQuote ? quote : (pool.baseReserve ?? 0n) - (config.migrationBaseThreshold ?? 0n);
    const chosen = absolute ?? (whole * share) / MILLION;
    return { ...each, amount: chosen > HALF ? HALF : max(chosen, 1n) };
  });

function clamp(price: bigint): bigint {
  if (price < MIN_DBC_SQRT_PRICE) return MIN_DBC_SQRT_PRICE;
  return price > MAX_DBC_SQRT_PRICE ? MAX_DBC_SQRT_PRICE : price;
}
