import { type LendAsset, describeLendAsset, type AssetSources } from '../assets/asset.ts';
import type { EarnSources } from './earn-sources.ts';
import type { Address } from '../../solana/address.ts';
import type { EarnMarket } from './markets/earn-markets.ts';
import { type EarnToken, computeEarnToken } from './markets/earn-token.ts';

/** An earn token as of one second, with the description of its asset. */
export interface ListedEarnToken {
  readonly token: EarnToken;
  readonly asset: LendAsset;
  /** Unix seconds. */
  readonly time: bigint;
}

/** Computes the current values of all earn tokens, by lending id, from memory alone. */
export function listEarnTokens(sources: EarnSources): ListedEarnToken[] {
  const time = sources.chain.clock().unixTimestamp;
  return sources.markets.list().map((market) => createListedToken(sources, market, time));
}

function createListedToken(sources: AssetSources, market: EarnMarket, time: bigint): ListedEarnToken {
  const { mint, decimals } = market.lending;
  const asset = describeLendAsset(sources, { mint, decimals, account: market.mint });
  return { token: computeEarnToken(market, time), asset, time };
}

/** 10,000ths of a rate are hundredths of a percent. */
const PER_PERCENT = 100;

/**
 * Computes the rate that lenders of a token earn, by interest and rewards.
 *
 * @param mint - The token itself; the receipt token is not lent.
 * @returns percent a year; null if there is no earn token for it
 */
export function computeEarnRate(
  { chain, markets }: Pick<EarnSources, 'chain' | 'markets'>,
  mint: Address,
): number | null {
  const market = markets.of(mint);
  if (market === null || market.lending.mint !== mint) return null;
  const { supplyRate, rewardsRate } = computeEarnToken(market, chain.clock().unixTimestamp);
  return Number(supplyRate + rewardsRate) / PER_PERCENT;
}
