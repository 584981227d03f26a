import type { Chain } from '../../../chain/chain.ts';
import { BoundedCache } from '../../../common/collections/bounded-cache.ts';
import type { Liquidity } from '../../../market/pools/liquidity.ts';
import type { Address } from '../../../solana/address.ts';
import type { MarketData } from '../../../market-data/market-data.ts';
import { followLastSwaps, type LastSwaps } from './last-swaps.ts';
import { type ReferenceQuotes, computeReferenceQuotes } from './quotes.ts';

/** The `extraInfo` of a token in `/price/v2`. */
export interface ExtraInfo {
  readonly swapped: LastSwaps;
  /** Null where the token cannot be quoted. */
  readonly quotes: ReferenceQuotes | null;
  /** The Unix second at which the token was quoted. */
  readonly quotedAt: number;
}

export interface ExtraInfoDependencies {
  readonly chain: Pick<Chain, 'clock'>;
  readonly pools: Liquidity;
  readonly marketData: Pick<MarketData, 'onTrade' | 'price'>;
}

/** For how many seconds quotes are kept, because each costs eight searches for a route. */
const KEPT_SECONDS = 5;
const MAX_KEPT = 1_000;

/** Follows trades, and quotes tokens when they are asked for, until `close` is called. */
export function openExtraInfo({ chain, pools, marketData }: ExtraInfoDependencies) {
  const lastSwaps = followLastSwaps(marketData, () => Number(chain.clock().unixTimestamp));
  const quoted = new BoundedCache<Address, Pick<ExtraInfo, 'quotes' | 'quotedAt'>>(MAX_KEPT);
  const dollarsPerAtom = (mint: Address) => marketData.price(mint)?.dollarsPerAtom ?? null;
  const quote = (mint: Address) => {
    const clock = chain.clock();
    const now = Number(clock.unixTimestamp);
    const known = quoted.get(mint);
    if (known !== undefined && known.quotedAt <= now && now - known.quotedAt < KEPT_SECONDS) return known;
    const fresh = { quotes: computeReferenceQuotes({ pools, clock, dollarsPerAtom }, mint), quotedAt: now };
    quoted.set(mint, fresh);
    return fresh;
  };
  const of = (mint: Address): ExtraInfo => {
    const { quotes, quotedAt } = quote(mint);
    return { swapped: lastSwaps.of(mint), quotes, quotedAt };
  };
  return { of, close: lastSwaps.close };
}
