import { divideUp, minimum } from '../../../solana/units.ts';
import {
  computeBaseBetween,
  computeLiquidityOfQuote,
  computeQuoteBetween,
} from '../program/curve-amounts.ts';
import type { DbcCurvePoint } from '../program/config-terms.ts';
import { MAX_DBC_SQRT_PRICE, MIN_DBC_SQRT_PRICE } from '../program/program.ts';

/** The prices of a curve that is being built. */
export interface DbcPriceRange {
  readonly sqrtStartPrice: bigint;
  readonly curve: readonly DbcCurvePoint[];
}

/** Returns the price at which this many quote tokens are raised; null if the curve cannot raise them. */
export function findMigrationPrice(
  { sqrtStartPrice, curve }: DbcPriceRange,
  threshold: bigint,
): bigint | null {
  let [price, left] = [sqrtStartPrice, threshold];
  for (const { sqrtPrice, liquidity } of curve) {
    const most = computeQuoteBetween(price, sqrtPrice, liquidity, true);
    if (most > left) return price + (left << 128n) / liquidity;
    left -= most;
    price = sqrtPrice;
  }
  return left === 0n ? price : null;
}

/** Returns the base tokens that the curve sells up to a price, each stretch rounded up. */
export function computeSwapBase({ sqrtStartPrice, curve }: DbcPriceRange, end: bigint): bigint {
  let [lower, total] = [sqrtStartPrice, 0n];
  for (const { sqrtPrice, liquidity } of curve) {
    if (sqrtPrice > end) return total + computeBaseBetween(lower, end, liquidity, true);
    total += computeBaseBetween(lower, sqrtPrice, liquidity, true);
    lower = sqrtPrice;
  }
  return total;
}

/** Adds the quarter of what a curve sells that must be there for the last swap, as far as the curve can sell it. */
export function addSwapBuffer(range: DbcPriceRange, swapBase: bigint): bigint {
  return minimum(swapBase + (swapBase * 25n) / 100n, computeSwapBase(range, MAX_DBC_SQRT_PRICE));
}

/** Returns the base tokens that are migrated with the quote tokens, for a pool of the whole range of prices. */
export function computeMigrationBase(quoteAmount: bigint, sqrtPrice: bigint): bigint {
  const liquidity = computeLiquidityOfQuote(quoteAmount, MIN_DBC_SQRT_PRICE, sqrtPrice);
  return computeBaseBetween(sqrtPrice, MAX_DBC_SQRT_PRICE, liquidity, true);
}

/** Returns the base tokens that are migrated with the quote tokens, for a pool that compounds its fees. */
export function computeCompoundingBase(quoteAmount: bigint, sqrtPrice: bigint): bigint {
  return divideUp(quoteAmount << 128n, sqrtPrice * sqrtPrice);
}
