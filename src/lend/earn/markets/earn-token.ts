import { PRICE_ONE, toAtoms } from '../../../protocols/jupiter-lend/lending-base/amounts.ts';
import { computeLendingPricesAt } from '../../../protocols/jupiter-lend/lending/token-price.ts';
import { computeRewardsRateAt } from '../../../protocols/jupiter-lend/lending-reward-rate-model/rewards.ts';
import { computeExchangePricesAt } from '../../../protocols/jupiter-lend/liquidity/exchange-prices.ts';
import {
  type SuppliedAmounts,
  computeSuppliedAmounts,
} from '../../../protocols/jupiter-lend/liquidity/limits.ts';
import { computeSupplyRate } from '../../../protocols/jupiter-lend/liquidity/rates.ts';
import type { EarnMarket } from './earn-markets.ts';

/** The values of an earn token as of one second, in atoms and basis points. */
export interface EarnToken {
  readonly market: EarnMarket;
  /** Atoms of the token per atom of the receipt token; 12 decimals. */
  readonly tokenPrice: bigint;
  readonly totalAssets: bigint;
  /** Atoms of the receipt token for one whole token, and the other way round, each rounded down. */
  readonly convertToShares: bigint;
  readonly convertToAssets: bigint;
  readonly supplyRate: bigint;
  readonly rewardsRate: bigint;
  /** What the lending has supplied minus what it owes; negative while rewards have not been paid in yet. */
  readonly rebalanceDifference: bigint;
  /** What the lending supplied at the liquidity program. */
  readonly supplied: SuppliedAmounts;
}

/**
 * Computes an earn token with interest and rewards up to `now`.
 * @param now - Unix seconds.
 */
export function computeEarnToken(market: EarnMarket, now: bigint): EarnToken {
  const { lending, reserve, rewards, shares, supply, held } = market;
  const prices = computeExchangePricesAt(reserve, now);
  // Holders are owed at least the price of the last update, even if the program could not update now.
  const tokenPrice =
    computeLendingPricesAt({ lending, reserve, rewards, shares }, now)?.token ?? lending.tokenExchangePrice;
  const totalAssets = toAtoms(shares, tokenPrice);
  const one = 10n ** BigInt(lending.decimals);
  const supplied = computeSuppliedAmounts(supply, prices, held, now);
  return {
    market,
    tokenPrice,
    totalAssets,
    convertToShares: (one * PRICE_ONE) / tokenPrice,
    convertToAssets: toAtoms(one, tokenPrice),
    supplyRate: computeSupplyRate(reserve, prices),
    rewardsRate: computeRewardsRateAt(rewards, totalAssets, now),
    rebalanceDifference: supplied.supply - totalAssets,
    supplied,
  };
}
