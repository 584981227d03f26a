import type { Address } from '../solana/address.ts';
import type { ExecutedTransaction } from './executed-transactions.ts';

/** A transaction as a node reports it. Its position among the transactions of its slot is not known. */
export type ReportedTransaction = Omit<ExecutedTransaction, 'index'>;

/** The transactions that an outside RPC reports, and whether it has reported all of them. */
export interface ReportedTransactions {
  /**
   * Watches successful transactions that call at least one of the programs, once they are confirmed. There is one watch at
   * a time.
   *
   * @param onTransaction - Called once for each transaction, in the order in which the node reported them. One that the
   *   node could not return at first comes later.
   * @returns A function that ends the watch.
   */
  watch(programs: readonly Address[], onTransaction: (transaction: ReportedTransaction) => void): () => void;
  /** Returns whether every transaction of a time was passed to the watch, as far as the node reports all of them. */
  isComplete(range: { readonly from: number; readonly to: number }): boolean;
}
