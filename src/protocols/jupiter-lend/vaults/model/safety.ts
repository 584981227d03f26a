import { divideUp, minimum } from '../../../../solana/units.ts';
import type { VaultPrices } from './exchange-prices.ts';
import { RATIO_ONE, findTickAtRatio } from '../state/ticks.ts';

/**
 * The rates of an oracle: units of the debt per unit of the collateral, both with nine decimals, times 10^15.
 */
export interface OracleRates {
  /** The rate for borrowing and withdrawing, from prices that are at most 600 seconds old. */
  readonly operate: bigint;
  /** The rate for liquidations, deposits and repayments, from prices that are at most two hours old. */
  readonly liquidate: bigint;
}

/** An oracle's rate of 1.0. */
export const RATE_ONE = 10n ** 15n;
const MIN_RATE = 10n ** 6n;
export const MAX_RATE = 10n ** 24n;
/** The maximum of a rate between raw amounts. */
export const RATE_CAP = 10n ** 26n;
/** A collateral factor or a liquidation threshold of 100 percent. */
export const FACTOR_ONE = 1_000n;

/**
 * Converts an oracle's rate to a rate between raw amounts, as the program does.
 *
 * Returns null for a rate that the program refuses: below 10^6 or above 10^24.
 */
function rawRate(rate: bigint, prices: Pick<VaultPrices, 'supply' | 'borrow'>): bigint | null {
  if (rate < MIN_RATE || rate > MAX_RATE) return null;
  const raw = (rate * prices.supply) / prices.borrow;
  if (raw === 0n) return null;
  return minimum(raw, RATE_CAP);
}

/**
 * Computes the highest tick that a position may have.
 *
 * @param rate - The rate of the oracle.
 * @param factor - The collateral factor or the liquidation threshold: 1,000 is 100 percent.
 * @returns Null when the program refuses the rate.
 *
 * @example
 * ```ts
 * import { computeHighestSafeTick } from './safety.ts';
 *
 * const prices = { supply: 10n ** 12n, borrow: 10n ** 12n };
 * computeHighestSafeTick(10n ** 15n, 800, prices); // -149: 80 percent is 1.0015^-149
 * ```
 */
export function computeHighestSafeTick(
  rate: bigint,
  factor: number,
  prices: Pick<VaultPrices, 'supply' | 'borrow'>,
): number | null {
  const raw = rawRate(rate, prices);
  if (raw === null) return null;
  const ratio = (((raw * BigInt(factor)) / FACTOR_ONE) * RATIO_ONE) / RATE_ONE;
  return findTickAtRatio(ratio)?.tick ?? null;
}

/**
 * Computes the ratio of debt to collateral by value, where 1,000 is 100 percent.
 *
 * @param collateral - Raw, as `debt`.
 * @param rate - The rate of the oracle.
 * @returns The ratio, rounded up, or null when the program refuses the rate or there is no collateral.
 */
export function computeLoanToValue(
  collateral: bigint,
  debt: bigint,
  rate: bigint,
  prices: Pick<VaultPrices, 'supply' | 'borrow'>,
): bigint | null {
  const raw = rawRate(rate, prices);
  if (raw === null || collateral === 0n) return null;
  return divideUp(debt * RATE_ONE * FACTOR_ONE, collateral * raw);
}
