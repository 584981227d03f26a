import type { Address } from '../solana/address.ts';

/** The two sides of a round: that the price rises or stays, and that it falls. */
export type ForecastSide = 'up' | 'down';

/** How a round has ended. A void one pays half a dollar for each token of both sides. */
export type ForecastOutcome = ForecastSide | 'void';

/** A round as the chain has it. Times are Unix seconds; prices are in units of 10^`exponent` dollars. */
export interface ForecastRound {
  readonly address: Address;
  readonly feed: Address;
  /** What the feed prices, in capital letters, such as `BTC`. */
  readonly asset: string;
  /** How long it lasts: 300 or 900. */
  readonly seconds: number;
  readonly openAt: number;
  readonly closeAt: number;
  readonly openPrice: bigint;
  readonly exponent: number;
  /** The feed's price at the close; null before it is settled, and for a void round. */
  readonly closePrice: bigint | null;
  /** Null before it is settled. */
  readonly outcome: ForecastOutcome | null;
  /** 0 before it is settled. */
  readonly settledAt: number;
  readonly up: ForecastSideState;
  readonly down: ForecastSideState;
}

/** The tokens of one side. */
export interface ForecastSideState {
  readonly mint: Address;
  readonly pool: Address;
  /** Millionths of a token that holders have, by the round's account. */
  readonly outstanding: bigint;
}

/** The rounds that the chain has now. Everything is answered from memory. */
export interface ForecastRounds {
  readonly find: (round: Address) => ForecastRound | null;
  readonly findByMint: (
    mint: Address,
  ) => { readonly round: ForecastRound; readonly side: ForecastSide } | null;
  readonly list: () => readonly ForecastRound[];
  /** Calls back when a round is opened, is settled or is gone. Returns what ends it. */
  readonly onChange: (listener: (round: Address) => void) => () => void;
}

/** What a wallet holds of one side of a round that the chain still has. Amounts are micro USD and millionths of a token. */
export interface ForecastHolding {
  /** The token account. */
  readonly account: Address;
  readonly owner: Address;
  readonly mint: Address;
  readonly contracts: bigint;
  /** What the tokens have cost by the trades that are recorded; tokens that were received otherwise have cost nothing. */
  readonly totalCost: bigint;
  readonly realizedPnl: bigint;
  readonly openedAt: number;
  readonly updatedAt: number;
}

/** What wallets hold of rounds that the chain still has. Everything is answered from memory. */
export interface ForecastHoldings {
  /** Returns the holding in a token account; null if it holds no outcome token. */
  readonly find: (account: Address) => ForecastHolding | null;
  readonly holdingsOf: (owner: Address) => readonly ForecastHolding[];
  /** Returns who holds a token. */
  readonly holdersOf: (mint: Address) => readonly ForecastHolding[];
  /**
   * Waits until costs count every trade that was confirmed before the call. Without it they can be two seconds late. While the
   * network or the record does not answer, they stay as they are known.
   */
  readonly catchUp: () => Promise<void>;
}

/** What a contract for yes, or a token of one side of a round, was worth at a time: the chance that it wins. */
export interface ForecastPoint {
  /** The Unix second at which its period ends. */
  readonly at: number;
  /** Micro USD, from 0 to 1,000,000. */
  readonly price: bigint;
}

/** How the chances of markets of both kinds went, as instances have recorded it. */
export interface ForecastSeries {
  /** Returns the length of a period of a market in seconds. A period in which nothing changed has no point. */
  readonly periodOf: (marketId: string) => number;
  /** Returns the newest points of a market, the oldest first; none if nothing is recorded of it. */
  readonly list: (marketId: string) => Promise<readonly ForecastPoint[]>;
}

/** Forecasts of a network that has their program. */
export interface Forecasts {
  readonly rounds: ForecastRounds;
  readonly holdings: ForecastHoldings;
  readonly series: ForecastSeries;
}
