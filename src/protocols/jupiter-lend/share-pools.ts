import type { Address } from '../../solana/address.ts';
import { computeLendingPricesAt } from './lending/token-price.ts';
import { LendingOverflow } from './lending-base/amounts.ts';
import type { LendingPool } from './venue/pool.ts';

/** Whether a pool of the lending program takes a token for shares. */
export function isPoolOfShares(pool: object, mint: Address): boolean {
  return 'receiptMint' in pool && 'mint' in pool && pool.mint === mint;
}

/**
 * Computes what the shares of a pool are worth at a time: atoms of the token for one atom of the shares, with 12 decimals. Returns null
 * if the program would refuse to compute it.
 *
 * @param pool - One for which `isPoolOfShares` is true.
 */
export function computeShareRate(pool: object, unixSeconds: bigint): bigint | null {
  const { lending, rewards, shares, liquidity } = (pool as LendingPool).earn;
  try {
    const prices = computeLendingPricesAt(
      { lending, rewards, shares, reserve: liquidity.reserve },
      unixSeconds,
    );
    return prices?.token ?? null;
  } catch (error) {
    if (error instanceof LendingOverflow) return null;
    throw error;
  }
}
