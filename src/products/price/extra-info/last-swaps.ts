import { BoundedCache } from '../../../common/collections/bounded-cache.ts';
import type { Address } from '../../../solana/address.ts';
import type { MarketData } from '../../../market-data/market-data.ts';
import type { Trade, TradedAmount } from '../../../market-data/trades/trade.ts';

/** A swap of a token, as of when it landed. */
export interface Swapped {
  /** Unix seconds. */
  readonly at: number;
  readonly dollarsPerAtom: number;
}

/** The last swaps in which a token was bought and sold. */
export interface LastSwaps {
  readonly buy: Swapped | null;
  readonly sell: Swapped | null;
}

const NONE: LastSwaps = { buy: null, sell: null };
/** Tokens whose last swaps are kept. */
const MAX_TOKENS = 20_000;
/** A smaller swap says little about a price. */
const MIN_DOLLARS = 1;

/**
 * Keeps the last swaps of each token since the start, of those by which the trader could lose: a swap that is traded back
 * within its transaction can show any price.
 *
 * @param marketData - The source whose trades are followed until `close` is called.
 * @param now - Returns the Unix seconds of the network. A swap after that was made before a snapshot set the clock back.
 */
export function followLastSwaps(marketData: Pick<MarketData, 'onTrade'>, now: () => number) {
  const known = new BoundedCache<Address, LastSwaps>(MAX_TOKENS);
  const note = ({ mint, amount }: TradedAmount, dollars: number, side: keyof LastSwaps, at: number) => {
    if (amount <= 0n) return;
    const before = known.get(mint) ?? NONE;
    const last = before[side]?.at ?? 0;
    if (last > at && last <= now()) return;
    known.set(mint, { ...before, [side]: { at, dollarsPerAtom: dollars / Number(amount) } });
  };
  const close = marketData.onTrade(({ paid, received, dollars, time, isRoundTrip }: Trade) => {
    if (dollars === null || dollars < MIN_DOLLARS || isRoundTrip === true) return;
    note(received, dollars, 'buy', time);
    note(paid, dollars, 'sell', time);
  });
  return { of: (mint: Address): LastSwaps => known.get(mint) ?? NONE, close };
}
