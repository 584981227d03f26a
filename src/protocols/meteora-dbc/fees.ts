import { capFeeRate, computeBaseFeeRate, computeSettledPoint } from '../meteora-damm-v2/fees.ts';
import type { BaseFee } from '../meteora-damm-v2/program/layout.ts';
import type { DbcRateLimiter } from './program/rate-limiter.ts';

/** The part of a configuration that decides what a swap is charged. Rates in billionths. */
export interface DbcFeeTerms {
  /** A fee that falls with time, or stays the same. */
  readonly schedule: BaseFee;
  /** Null where purchases are charged alike whatever their size. */
  readonly limiter: DbcRateLimiter | null;
}

/** The state of a pool that decides what a swap is charged. */
export interface DbcFeeState {
  readonly terms: DbcFeeTerms;
  readonly activationPoint: bigint;
  /** What the volatility of past swaps adds to the fee. */
  readonly dynamicRate: bigint;
}

/** The fees of DBC have the maximum of the newer pools of DAMM v2. */
const FEE_VERSION = { feeVersion: 1 };

/**
 * Returns what a swap is charged at a slot or Unix second, unless it is a purchase that is limited; null if the program
 * refuses it.
 */
export function computeDbcFeeRate(pool: DbcFeeState, point: bigint): bigint | null {
  const base = computeScheduledRate(pool, point);
  return base === null ? null : addDynamicRate(pool, base);
}

/** Adds what past volatility costs, up to the maximum. */
export function addDynamicRate({ dynamicRate }: Pick<DbcFeeState, 'dynamicRate'>, base: bigint): bigint {
  return capFeeRate(dynamicRate === 0n ? base : base + dynamicRate, FEE_VERSION);
}

/** Whether purchases are charged by their size, and allowed once in a transaction. */
export function isLimiting({ terms: { limiter }, activationPoint }: DbcFeeState, point: bigint): boolean {
  return limiter !== null && point <= activationPoint + limiter.duration;
}

/** Returns the slot or Unix second from which the fee of a state stays as it is. */
export function computeDbcSettledPoint({ terms, activationPoint }: DbcFeeState): bigint {
  if (terms.limiter !== null) return activationPoint + terms.limiter.duration + 1n;
  return computeSettledPoint({ baseFee: terms.schedule, activationPoint });
}

/** Later than every schedule. */
const LATE = 1n << 100n;

/** Returns what the first swap of a pool is charged where the configuration discounts it; null if the program refuses. */
export function computeFirstSwapRate(pool: DbcFeeState): bigint | null {
  return computeScheduledRate(pool, LATE);
}

/** Returns the fee by time, which is the lowest one where a rate limiter is set. */
function computeScheduledRate({ terms, activationPoint }: DbcFeeState, point: bigint): bigint | null {
  if (terms.limiter !== null) return terms.limiter.cliff;
  // A pool exists from its activation on. A clock that is behind has not seen that yet.
  const now = point < activationPoint ? activationPoint : point;
  return computeBaseFeeRate({ baseFee: terms.schedule, activationPoint, initSqrtPrice: 0n }, 0n, now, false);
}
