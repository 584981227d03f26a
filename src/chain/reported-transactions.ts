import type { Address } from '../solana/address.ts';
import type { ExecutedTransaction } from './executed-transactions.ts';

/** A transaction as a node reports it. Its position among the transactions of its slot is not known. */
export type ReportedTransaction = Omit<ExecutedTransaction, 'index'>;

/** A time in Unix seconds of the network's clock, from the first to before the second. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The transactions that an outside RPC reports, and whether it has reported all of them. */
export interface ReportedTransactions {
  /**
   * Watches successful transactions that call at least one of the programs, once they are confirmed. There is one watch at
   * a time.
   *
   * @param onTransaction - Called once for each transaction, in the order in which the node reported them. One that the
   *   node could not return at first, or that was not reported and is read after all, comes later.
   * @returns A function that ends the watch.
   */
  watch(programs: readonly Address[], onTransaction: (transaction: ReportedTransaction) => void): () => void;
  /** Returns whether the node reports transactions of all watched programs now. */
  isFollowing(): boolean;
  /** Returns whether every transaction of a time was passed to the watch, as far as the node reports all of them. */
  isComplete(range: TimeRange): boolean;
  /**
   * Tells which time's transactions an earlier watch has passed on. Those after it are read as far as the node keeps them.
   */
  resume(passedOn: TimeRange): void;
  /** Returns the last time from which every transaction was passed on, and none is still being read; null if there is none. */
  lastPassedOn(): TimeRange | null;
}
