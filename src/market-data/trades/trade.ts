import type { Address } from '../../solana/address.ts';

/** Atoms of a token. */
export interface TradedAmount {
  readonly mint: Address;
  readonly amount: bigint;
}

/** A swap that landed, as the tokens moved. A route of three hops is three trades. */
export interface Trade {
  /** The pool; null when a market maker filled the swap, without a pool. */
  readonly pool: Address | null;
  /** The label of the venue, as in `routePlan`. */
  readonly venue: string;
  /** What the trader paid, with all fees. */
  readonly paid: TradedAmount;
  /** What the trader received, after all fees. */
  readonly received: TradedAmount;
  /** US dollars; null when neither token has a price. */
  readonly dollars: number | null;
  /** The wallet that signed for the payment; null when only the change of the pool is known. */
  readonly trader: Address | null;
  /** Null when only the change of the pool is known. */
  readonly signature: string | null;
  readonly slot: bigint;
  /** Unix seconds, of the block. */
  readonly time: number;
  /**
   * Whether one transaction of the same trader traded the tokens back. Null when the transaction is not known. Such a
   * trade shows no price: its trader risks nothing.
   */
  readonly isRoundTrip: boolean | null;
  /**
   * Whether the trader has traded in the same pool in the other direction in the same slot, around somebody else's trade.
   * Null when the trader is not known. It is known with the second of the two trades, and marks the wallet as a bot.
   */
  readonly isSandwich: boolean | null;
}

/** The direction as its trader sees it: a token that was received was bought. */
export type TradeKind = 'buy' | 'sell';

/** The windows over which trades are counted. */
export const WINDOW_MINUTES = { '5m': 5, '1h': 60, '6h': 360, '24h': 1_440 } as const;

export type WindowName = keyof typeof WINDOW_MINUTES;

export const WINDOW_NAMES = Object.keys(WINDOW_MINUTES) as readonly WindowName[];

/** What happened to a token in a window. Figures that cannot be known are null. */
export interface WindowStats {
  /** Percent, against the price at the start of the window; null when there was none. */
  readonly priceChange: number | null;
  /** Percent, against the liquidity at the start of the window. */
  readonly liquidityChange: number | null;
  /** Percent, against the window before; null when nothing was traded in it, or it is not known. */
  readonly volumeChange: number | null;
  /** US dollars that traders bought and sold the token for. */
  readonly buyVolume: number;
  readonly sellVolume: number;
  /** The part of wallets that are no bots. Null when some trader is not known. */
  readonly buyOrganicVolume: number | null;
  readonly sellOrganicVolume: number | null;
  readonly numBuys: number;
  readonly numSells: number;
  /** Wallets that traded. Null, like the fields below, when some trader is not known. */
  readonly numTraders: number | null;
  /** Wallets that bought and are no bots. */
  readonly numOrganicBuyers: number | null;
  /** Wallets that bought for more dollars than they sold for. */
  readonly numNetBuyers: number | null;
}
