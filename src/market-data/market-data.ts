import type { MintFacts } from '../market/mint-facts.ts';
import type { Address } from '../solana/address.ts';
import type { TokenCandle } from './series/bars.ts';
import type { Trade, WindowName, WindowStats } from './trades/trade.ts';

/** The price of a token that validation lets through. */
export interface TokenPrice {
  readonly mint: Address;
  /** US dollars per whole token as wallets display it. */
  readonly usdPrice: number;
  /** US dollars per atom. */
  readonly dollarsPerAtom: number;
  readonly decimals: number;
  /** The multipliers of a token whose displayed amounts are scaled; null for all others. */
  readonly scaled: MintFacts['scaled'];
  /** What displayed amounts are multiplied by, interest included; 1 for a token that is not scaled. */
  readonly multiplier: number;
  /**
   * The slot of the trade that the price is of, or of the last change of the token's pools; null if none was seen since the
   * start.
   */
  readonly slot: bigint | null;
  /** Percent, against the price of 24 hours ago; null when there was none. */
  readonly priceChange24h: number | null;
  /** US dollars over all pools. */
  readonly liquidity: number;
  /**
   * The Unix second at which the token's first pool appeared; null for a token that was there from the beginning, or whose
   * first pool appeared while nothing ran.
   */
  readonly createdAt: number | null;
}

/** The price of a token alone, without figures. */
export type PlainPrice = Pick<TokenPrice, 'usdPrice' | 'dollarsPerAtom' | 'decimals'>;

/** What products read about prices and trades. All methods read from memory. */
export interface MarketData {
  /**
   * Whether all trades of a time are known. If not, zero of them would be a guess.
   *
   * @param range - Unix seconds, `to` excluded.
   */
  seesTrades(range: { readonly from: number; readonly to: number }): boolean;
  /**
   * Calls the listener with each trade, synchronously and after its figures are counted.
   *
   * Returns a function that removes the listener.
   */
  onTrade(listener: (trade: Trade) => void): () => void;
  /**
   * Calls the listener when a trade or a change of a pool may have changed the price of one of the tokens, synchronously.
   *
   * @param onChange - Called with the trade if it was one; twice, when it was between two of the tokens.
   * @returns a function that removes the listener
   */
  watch(mints: readonly Address[], onChange: (mint: Address, trade: Trade | null) => void): () => void;
  /**
   * Returns what happened to the token in the window that ends now; null when nothing is known about it, as for every
   * token in a window of which some trades are not known.
   */
  stats(mint: Address, window: WindowName): WindowStats | null;
  /**
   * Returns the Unix second, of the network, at which a pool appeared; null if it was there from the beginning, or
   * appeared while nothing ran.
   */
  poolSeenAt(pool: Address): number | null;
  /** The tokens that have statistics. */
  mints(): Iterable<Address>;
  /** Returns null when the token has no price that can be relied on. */
  price(mint: Address): TokenPrice | null;
  /**
   * Reads bars of a token: of the last 48 hours to the minute, and of the last year to the hour.
   *
   * @param seconds - The length of a bar: a whole number of minutes below an hour, or of hours.
   * @param range - Unix seconds. The first bar is the one that contains `from`.
   * @returns oldest first; only those in which something happened. The last one may not be over
   */
  candles(
    mint: Address,
    seconds: number,
    range: { readonly from: number; readonly to: number },
  ): Promise<readonly TokenCandle[]>;
  /** Changes whenever some price or figure may have changed, so that callers can cache what they make of them. */
  readonly version: string;
}
