import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { getCurrentPoint } from '../meteora-damm-v2/program/activation.ts';
import { MAX_FEES } from '../meteora-damm-v2/program/program.ts';
import { computeDbcFeeRate, computeDbcSettledPoint, isLimiting } from './fees.ts';
import type { MeteoraDbcPool } from './pool.ts';
import { DbcCollectFeeMode } from './program/program.ts';
import type { DbcRateLimiter } from './program/rate-limiter.ts';

/** A stretch of constant liquidity in one direction, in the price of what comes in. */
interface DbcStretch {
  readonly liquidity: number;
  /** The square root of the price at which it begins. */
  readonly sqrtPrice: number;
  /** What it takes and pays from there to its end. */
  readonly takes: number;
  readonly pays: number;
}

/** One direction of a pool in floating point. */
interface DbcEstimatedSide {
  /** In the order in which a swap goes through them, to the end of the curve. */
  readonly stretches: readonly DbcStretch[];
  /** Whether the fee is taken from the input, and not from the output. */
  readonly isFeeOnInput: boolean;
  /** The slot or Unix second for which the fee below was computed; -1 before. */
  point: bigint;
  /** The slot or Unix second from which the fee stays as it is. */
  readonly settledFrom: bigint;
  /** The share of a swap that is left after the fee. Nothing is left of what is refused. */
  kept: number;
  /** Whether the fee rises with the amount at that point. */
  isLimited: boolean;
  readonly limiter: DbcEstimatedLimiter | null;
}

/** A rate limiter in floating point. Rates are shares of one. */
interface DbcEstimatedLimiter {
  readonly cliff: number;
  readonly increment: number;
  readonly referenceAmount: number;
  readonly increments: number;
  /** What past volatility adds. */
  readonly dynamic: number;
}

/** Cached by pool state and direction at the first estimate. */
const sidesOfPools = new WeakMap<MeteoraDbcPool, [DbcEstimatedSide | null, DbcEstimatedSide | null]>();

/** Beyond the end of the curve the estimate stays constant, so that nothing is paid for base tokens at its start. */
export function estimate(
  pool: MeteoraDbcPool,
  inputMint: Address,
  amount: number,
  clock: ChainClock,
): number {
  if (pool.comparableFrom > 0n && clock.unixTimestamp < pool.comparableFrom) return 0;
  const side = getDbcEstimatedSide(pool, inputMint === pool.mints[0] ? 0 : 1);
  const point = getCurrentPoint(pool.terms.activationType, clock);
  if (side.point !== point && (side.point < side.settledFrom || point < side.settledFrom))
    charge(side, pool, point);
  const { stretches, isFeeOnInput, limiter } = side;
  const kept = side.isLimited && limiter !== null ? computeKeptShare(limiter, amount) : side.kept;
  const keptOut = isFeeOnInput ? 1 : kept;
  let left = isFeeOnInput ? amount * kept : amount;
  let paid = 0;
  for (const { liquidity, sqrtPrice, takes, pays } of stretches) {
    if (left < takes) {
      // In the price of the input, liquidity L pays L·s·x·s / (L + x·s) for x.
      const scaled = left * sqrtPrice;
      return (paid + (liquidity * sqrtPrice * scaled) / (liquidity + scaled)) * keptOut;
    }
    left -= takes;
    paid += pays;
  }
  return paid * keptOut;
}

function getDbcEstimatedSide(pool: MeteoraDbcPool, input: 0 | 1): DbcEstimatedSide {
  let sides = sidesOfPools.get(pool);
  if (sides === undefined) {
    sides = [null, null];
    sidesOfPools.set(pool, sides);
  }
  sides[input] ??= createSide(pool, input === 1);
  return sides[input];
}

const Q64 = 2 ** 64;

function createSide(pool: MeteoraDbcPool, isPurchase: boolean): DbcEstimatedSide {
  const { points, sqrtStartPrice, migrationSqrtPrice, collectFeeMode } = pool.terms;
  const price = Number(pool.sqrtPrice) / Q64;
  const end = Number(migrationSqrtPrice) / Q64;
  const stretches: DbcStretch[] = [];
  let lower = Number(sqrtStartPrice) / Q64;
  for (const point of points) {
    const upper = Math.min(Number(point.sqrtPrice) / Q64, end);
    const liquidity = Number(point.liquidity) / Q64;
    const [from, to] = isPurchase ? [1 / Math.max(lower, price), 1 / upper] : [Math.min(upper, price), lower];
    if (from > to) {
      stretches.push({
        liquidity,
        sqrtPrice: from,
        takes: liquidity * (1 / to - 1 / from),
        pays: liquidity * (from - to),
      });
    }
    lower = upper;
  }
  const { limiter } = pool.terms;
  return {
    stretches: isPurchase ? stretches : stretches.reverse(),
    isFeeOnInput: isPurchase && collectFeeMode === DbcCollectFeeMode.QUOTE_TOKEN,
    point: -1n,
    settledFrom: computeDbcSettledPoint(pool),
    kept: 0,
    isLimited: false,
    limiter: !isPurchase || limiter === null ? null : toEstimatedLimiter(limiter, pool.dynamicRate),
  };
}

function toEstimatedLimiter(limiter: DbcRateLimiter, dynamicRate: bigint): DbcEstimatedLimiter {
  return {
    cliff: Number(limiter.cliff) / 1e9,
    increment: Number(limiter.increment) / 1e9,
    referenceAmount: Number(limiter.referenceAmount),
    increments: Number(limiter.increments),
    dynamic: Number(dynamicRate) / 1e9,
  };
}

/** Sets what is left of a swap at the slot or Unix second. */
function charge(side: DbcEstimatedSide, pool: MeteoraDbcPool, point: bigint): void {
  const rate = computeDbcFeeRate(pool, point);
  side.point = point;
  side.kept = rate === null ? 0 : 1 - Number(rate) / 1e9;
  side.isLimited = isLimiting(pool, point);
}

const MOST = Number(MAX_FEES[1]) / 1e9;

/** Returns what is left of a purchase whose fee rises with its size: see `computeLimitedRate`. */
function computeKeptShare(limiter: DbcEstimatedLimiter, amount: number): number {
  const { cliff, increment, referenceAmount, increments, dynamic } = limiter;
  let rate = cliff;
  if (amount > referenceAmount) {
    if (referenceAmount === 0) return 0;
    const beyond = amount - referenceAmount;
    const whole = Math.min(Math.floor(beyond / referenceAmount), increments);
    const next = whole < increments ? cliff + increment * (whole + 1) : MOST;
    const atSteps = referenceAmount * (whole + 1) * (cliff + (increment * whole) / 2);
    rate = (atSteps + (beyond - whole * referenceAmount) * next) / amount;
  }
  return 1 - Math.min(MOST, rate + dynamic);
}
