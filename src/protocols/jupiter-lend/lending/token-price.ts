import { assertU64, toAtoms } from '../lending-base/amounts.ts';
import { computeExchangePricesAt } from '../liquidity/exchange-prices.ts';
import type { Reserve } from '../liquidity/layouts.ts';
import type { Lending } from './layouts.ts';
import type { Rewards } from '../lending-reward-rate-model/layouts.ts';
import { RETURN_ONE, computeRewardsReturn } from '../lending-reward-rate-model/rewards.ts';

/** The accounts that the price of a receipt token depends on. */
export interface TokenPriceSources {
  readonly lending: Lending;
  readonly reserve: Reserve;
  readonly rewards: Rewards;
  /** The supply of the receipt token, in atoms. */
  readonly shares: bigint;
}

/** The prices of a lending, both with 12 decimals. */
export interface LendingPrices {
  /** The liquidity program's supply price. */
  readonly liquidity: bigint;
  /** Atoms of the token per atom of the receipt token. */
  readonly token: bigint;
}

/**
 * Computes the price of a receipt token with interest and rewards up to `now`, as the lending program does before each
 * deposit and withdrawal, and in `update_rate`.
 *
 * @param now - Unix seconds. A time before the last update counts as the last update.
 * @returns Null when the program would fail: the liquidity program's price is below the one of the last update, a price is
 *   zero, or rewards run while nothing is deposited.
 * @throws LendingOverflow when a price exceeds 64 bits.
 *
 * @example
 * ```ts
 * import { computeLendingPricesAt, type TokenPriceSources } from './token-price.ts';
 * import { toAtoms } from '../lending-base/amounts.ts';
 *
 * export function assetsOf(shares: bigint, sources: TokenPriceSources, now: bigint): bigint | null {
 *   const prices = computeLendingPricesAt(sources, now);
 *   return prices === null ? null : toAtoms(shares, prices.token);
 * }
 * ```
 */
export function computeLendingPricesAt(sources: TokenPriceSources, now: bigint): LendingPrices | null {
  const { lending, reserve, rewards, shares } = sources;
  const liquidity = computeExchangePricesAt(reserve, now).supply;
  const before = lending.liquidityExchangePrice;
  if (liquidity < before || before === 0n || lending.tokenExchangePrice === 0n) return null;
  const interest = ((liquidity - before) * RETURN_ONE) / before;
  const assets = toAtoms(shares, lending.tokenExchangePrice);
  const rewarded = computeRewardsReturn(rewards, assets, lending.lastUpdateTimestamp, now);
  if (rewarded === null) return null;
  const increase = (lending.tokenExchangePrice * (interest + rewarded)) / RETURN_ONE;
  return {
    liquidity,
    token: assertU64(lending.tokenExchangePrice + increase, 'the exchange price of the receipt token'),
  };
}
