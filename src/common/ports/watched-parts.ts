/**
 * Something that waits at an instance, such as rows for a database. The room that has it declares it once, beside its metrics,
 * and the operator sees it on the overview.
 */
export interface WatchedQueue {
  /** Unique, such as `request log`. */
  readonly name: string;
  /** What waits, and what happens when there is no more room, in full sentences. */
  readonly meaning: string;
  /** Called for each reading of the overview; it must be cheap, and read memory alone. */
  readonly read: () => QueueReading;
}

export interface QueueReading {
  readonly waiting: number;
  /** The most that may wait. Null: what waits is bounded by something else, which `meaning` says. */
  readonly limit: number | null;
  /** How much was lost or refused since the start of the process. Null: nothing of it is ever lost. */
  readonly lost: number | null;
}

/** Connections or readers of one kind that are open at an instance. */
export interface WatchedStreams {
  /** Unique, such as `event streams`. */
  readonly name: string;
  /** Who is connected, and what happens at the limit, in full sentences. */
  readonly meaning: string;
  readonly read: () => StreamsReading;
}

export interface StreamsReading {
  readonly open: number;
  /** Null: there is no limit of their number. */
  readonly limit: number | null;
}

/** A wallet of the operator that pays for transactions. */
export interface WatchedWallet {
  /** Unique, such as `gas wallet`. */
  readonly name: string;
  readonly address: string;
  /** What it pays for, and what stops when it is empty, in full sentences. */
  readonly meaning: string;
  /** Returns its lamports as they are known; null before they are. Reads memory alone. */
  readonly lamports: () => bigint | null;
}

/** What a wallet may spend on one purpose within a time. */
export interface WatchedBudget {
  /** Unique, such as `fills of orders`. */
  readonly name: string;
  /** The address of the wallet that pays. */
  readonly wallet: string;
  readonly window: BudgetWindow;
  /** The most lamports within the window. */
  readonly limit: bigint;
  /** The limit of one user within the window; null if there is none. */
  readonly limitOfOne: bigint | null;
  /** What happens when the limit is reached, and until when, in full sentences. */
  readonly atLimit: string;
  /** Reads the lamports that count within the window now. It may ask the store, and reject. */
  readonly readSpent: () => Promise<bigint>;
  /** Returns the lamports that are counted for transactions under way at this instance; null if they are not known apart. */
  readonly held: () => bigint | null;
}

/** `hour`: what was spent within the last 60 minutes counts. `day`: what was spent since midnight UTC counts. */
export type BudgetWindow = 'hour' | 'day';

/** Dollars that stand for what users can be owed. */
export interface WatchedReserve {
  /** Unique, such as `house of predictions`. */
  readonly name: string;
  /** What it covers, and what stops without it, in full sentences. */
  readonly meaning: string;
  /** Returns millionths of a US dollar; null before they are known. Reads memory alone. */
  readonly microDollars: () => bigint | null;
}

/** All parts that the rooms of an instance have declared. */
export interface WatchedParts {
  readonly queues: readonly WatchedQueue[];
  readonly streams: readonly WatchedStreams[];
  readonly wallets: readonly WatchedWallet[];
  readonly budgets: readonly WatchedBudget[];
  readonly reserves: readonly WatchedReserve[];
}
