import fc from 'fast-check';
import { computeDammReserves } from '../../../src/protocols/meteora-damm-v2/program/curve.ts';
import {
  type BaseFee,
  BaseFeeMode,
  CollectFeeMode,
  type DynamicFeeTerms,
  type DammSides,
  type DammVolatility,
} from '../../../src/protocols/meteora-damm-v2/program/layout.ts';
import { MAX_SQRT_PRICE, MIN_SQRT_PRICE } from '../../../src/protocols/meteora-damm-v2/program/program.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { PLACEHOLDER, type PoolCase } from './fixture.ts';

export const NOW = 1_700_000_000n;
export const EPOCH = 5n;
/** One basis point as a Q64.64, which is the only bin step. */
const BIN_STEP_Q64 = 1_844_674_407_370_955n;

/** The transfer fee of a mint, which is mostly none. */
export type MintFee = { readonly basisPoints: number; readonly maximumFee: bigint } | null;

export interface SwapCase {
  readonly pool: PoolCase;
  readonly fees: DammSides<MintFee>;
  readonly aToB: boolean;
  readonly exactIn: boolean;
  readonly amount: bigint;
  readonly referral: boolean;
}

/** Amounts of every size: each number of digits is equally likely. */
const amount = fc.tuple(fc.integer({ min: 0, max: 19 }), fc.bigInt(1n, 9_999n)).map(([digits, lead]) => {
  const value = (lead * 10n ** BigInt(digits)) / 1000n;
  return value < 1n ? 1n : value > U64_MAX ? U64_MAX : value;
});

/** Numbers with a random number of bits between the two limits. */
const ofBits = (min: number, max: number): fc.Arbitrary<bigint> =>
  fc
    .tuple(fc.integer({ min, max }), fc.bigInt(0x8000n, 0xffffn))
    .map(([bits, lead]) => (bits >= 16 ? lead << BigInt(bits - 16) : lead >> BigInt(16 - bits)));

const share = fc.bigInt(0n, 1n << 32n);
const cliff = fc.oneof(fc.bigInt(100_000n, 30_000_000n), fc.bigInt(100_000n, 990_000_000n));

/** A fee that the program accepts. It has any mode except an active rate limiter. */
export const baseFee: fc.Arbitrary<BaseFee> = fc.oneof(
  { weight: 3, arbitrary: cliff.map((each) => constant(each, BaseFeeMode.TIME_LINEAR)) },
  { weight: 1, arbitrary: cliff.map((each) => constant(each, BaseFeeMode.RATE_LIMITER)) },
  {
    weight: 6,
    arbitrary: fc
      .record({
        cliff,
        mode: fc.constantFrom(
          ...[BaseFeeMode.TIME_LINEAR, BaseFeeMode.TIME_EXPONENTIAL],
          ...[BaseFeeMode.PRICE_LINEAR, BaseFeeMode.PRICE_EXPONENTIAL],
        ),
        periods: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 65_535 })),
        frequency: fc.oneof(fc.bigInt(1n, 600n), fc.bigInt(1n, 1n << 40n)),
        step: fc.bigInt(1n, 2000n),
        duration: fc.bigInt(1n, 1_000_000n),
        share,
      })
      .map((from) => scheduled(from)),
  },
);

function constant(rate: bigint, mode: number): BaseFee {
  return { cliff: rate, mode, periods: 0, middle: 0n, last: 0n };
}

interface Schedule {
  readonly cliff: bigint;
  readonly mode: number;
  readonly periods: number;
  readonly frequency: bigint;
  readonly step: bigint;
  readonly duration: bigint;
  readonly share: bigint;
}

/** The reduction leaves a fee of at least 0.01 % at the end. */
function scheduled({ cliff, mode, periods, frequency, step, duration, share }: Schedule): BaseFee {
  const byTime = mode === BaseFeeMode.TIME_LINEAR || mode === BaseFeeMode.TIME_EXPONENTIAL;
  const linear = mode === BaseFeeMode.TIME_LINEAR || mode === BaseFeeMode.PRICE_LINEAR;
  const most = linear
    ? (cliff - 100_000n) / BigInt(periods)
    : BigInt(Math.floor(10_000 * (1 - (100_000 / Number(cliff)) ** (1 / periods))) - 1);
  const last = (most * share) >> 32n;
  const middle = byTime ? frequency : (duration << 32n) | step;
  return { cliff, mode, periods, middle, last: last < 1n ? 1n : last };
}

const dynamicFee: fc.Arbitrary<{ readonly terms: DynamicFeeTerms; readonly volatility: DammVolatility }> = fc
  .record({
    maxAccumulator: fc.integer({ min: 1, max: 0xff_ffff }),
    control: fc.oneof(fc.integer({ min: 0, max: 50_000 }), fc.integer({ min: 0, max: 0xff_ffff })),
    filterPeriod: fc.integer({ min: 0, max: 60 }),
    decay: fc.integer({ min: 1, max: 1200 }),
    reductionBps: fc.integer({ min: 0, max: 10_000 }),
    elapsed: fc.oneof(fc.bigInt(0n, 90n), fc.bigInt(0n, 3000n)),
    accumulated: share,
    referenced: share,
    referencePrice: fc.oneof({ weight: 5, arbitrary: ofBits(60, 70) }, fc.constant(0n)),
  })
  .map(({ decay, elapsed, accumulated, referenced, referencePrice, ...rest }) => {
    const accumulator = (BigInt(rest.maxAccumulator) * accumulated) >> 32n;
    const reference = (accumulator * referenced) >> 32n;
    const terms = { ...rest, decayPeriod: rest.filterPeriod + decay, binStep: 1, binStepQ64: BIN_STEP_Q64 };
    const volatility = { lastUpdate: NOW - elapsed, referencePrice, accumulator, reference };
    return { terms, volatility };
  });

const CALM: DammVolatility = { lastUpdate: 0n, referencePrice: 0n, accumulator: 0n, reference: 0n };

interface Liquidity
  extends Pick<PoolCase, 'liquidity' | 'sqrtPrice' | 'sqrtMinPrice' | 'sqrtMaxPrice' | 'amounts'> {
  readonly collectFeeMode: number;
}

const concentrated: fc.Arbitrary<Liquidity> = fc
  .record({
    collectFeeMode: fc.constantFrom(CollectFeeMode.OUTPUT, CollectFeeMode.TOKEN_B),
    sqrtPrice: fc.oneof({ weight: 3, arbitrary: ofBits(50, 78) }, ofBits(33, 96)),
    below: fc.oneof(fc.constant(null), share),
    above: fc.oneof(fc.constant(null), fc.bigInt(0n, 1n << 20n)),
    liquidity: fc.oneof({ weight: 3, arbitrary: ofBits(86, 112) }, ofBits(20, 120)),
  })
  .map(({ below, above, liquidity, ...from }) => {
    const sqrtPrice = clamp(from.sqrtPrice);
    const sqrtMinPrice = below === null ? MIN_SQRT_PRICE : clamp((sqrtPrice * below) >> 32n);
    const wider = above === null ? MAX_SQRT_PRICE : clamp(sqrtPrice + ((sqrtPrice * above) >> 16n));
    const sqrtMaxPrice = wider > sqrtMinPrice ? wider : sqrtMinPrice + 1n;
    const range = { collectFeeMode: from.collectFeeMode, sqrtPrice, sqrtMinPrice, sqrtMaxPrice };
    return { ...range, ...fittingLiquidity(range, liquidity) };
  });

/** Returns the maximum liquidity with which both reserves fit a u64. */
function fittingLiquidity(
  range: Omit<Liquidity, 'liquidity' | 'amounts'>,
  wanted: bigint,
): Pick<Liquidity, 'liquidity' | 'amounts'> {
  for (let liquidity = wanted; ; liquidity >>= 1n) {
    const amounts = computeDammReserves({ ...range, liquidity, amounts: [0n, 0n] });
    if (liquidity <= 1n || (amounts[0] <= U64_MAX && amounts[1] <= U64_MAX)) return { liquidity, amounts };
  }
}

const compounding: fc.Arbitrary<Liquidity> = fc
  .record({ a: ofBits(10, 60), b: ofBits(10, 60), liquidity: ofBits(72, 124) })
  .map(({ a, b, liquidity }) => ({
    collectFeeMode: CollectFeeMode.COMPOUNDING,
    liquidity,
    amounts: [a, b] as const,
    sqrtPrice: squareRoot((b << 128n) / a),
    sqrtMinPrice: 0n,
    sqrtMaxPrice: (1n << 128n) - 1n,
  }));

function clamp(price: bigint): bigint {
  if (price < MIN_SQRT_PRICE) return MIN_SQRT_PRICE;
  return price > MAX_SQRT_PRICE ? MAX_SQRT_PRICE : price;
}

function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (let next = (root + value / root) >> 1n; next < root; next = (root + value / root) >> 1n) root = next;
  return root;
}

/** A pool in a state that instructions and time can produce. */
export const poolCase: fc.Arbitrary<PoolCase> = fc
  .record({
    liquidity: fc.oneof({ weight: 3, arbitrary: concentrated }, compounding),
    baseFee,
    dynamic: fc.option(dynamicFee, { nil: null, freq: 2 }),
    compoundingBps: fc.integer({ min: 1, max: 10_000 }),
    protocolFeePercent: fc.constantFrom(20, 20, 0, 50),
    initial: fc.bigInt(0x8000n, 0x1_1000n),
    activation: fc.oneof({ weight: 12, arbitrary: fc.bigInt(0n, 200_000n) }, fc.bigInt(-5n, 5n)),
    activationType: fc.constantFrom(0, 1),
    status: fc.constant(0),
    feeVersion: fc.constantFrom(0, 1, 1),
    kept: fc.constantFrom(true, true, false),
    protocolFees: fc.tuple(fc.bigInt(0n, 1n << 40n), fc.bigInt(0n, 1n << 40n)),
  })
  .map(({ liquidity, dynamic, initial, kept, activation, compoundingBps, ...from }) => {
    const compounds = liquidity.collectFeeMode === CollectFeeMode.COMPOUNDING;
    // Pools from before reserves were stored do not compound.
    const layoutVersion = compounds || kept ? 1 : 0;
    return {
      ...liquidity,
      ...from,
      amounts: layoutVersion === 1 ? liquidity.amounts : [0n, 0n],
      layoutVersion,
      compoundingBps: compounds ? compoundingBps : 0,
      dynamicFee: dynamic?.terms ?? null,
      volatility: dynamic?.volatility ?? CALM,
      initSqrtPrice: (liquidity.sqrtPrice * initial) >> 16n,
      activationPoint: (from.activationType === 0 ? SLOT : NOW) - activation,
      kind: 1,
      referralFeePercent: 20,
      whitelistedVault: PLACEHOLDER,
    };
  });

/** The slot of the networks in which the cases run. */
export const SLOT = 1_000_000n;

const fee = fc.option(
  fc.record({
    basisPoints: fc.oneof(fc.constant(10_000), fc.integer({ min: 0, max: 10_000 })),
    maximumFee: fc.oneof(fc.bigInt(0n, 1n << 30n), fc.bigInt(0n, U64_MAX)),
  }),
  { nil: null, freq: 2 },
);
const noFee = fc.constant(null);

export const swapCase: fc.Arbitrary<SwapCase> = fc.record({
  pool: poolCase,
  fees: fc.oneof(
    { weight: 4, arbitrary: fc.tuple(noFee, noFee) },
    { weight: 1, arbitrary: fc.tuple(fee, fee) },
  ),
  aToB: fc.boolean(),
  exactIn: fc.boolean(),
  amount,
  referral: fc.constantFrom(false, false, true),
});
