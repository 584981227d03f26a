import type { Address } from '../solana/address.ts';
import type { LandedCall, LandedTokenBalance } from './landed-transactions.ts';

/** A call of a program that ran. */
export interface ExecutedCall extends LandedCall {
  /** 1 for an instruction of the message, 2 for what it calls, and so on. */
  readonly depth: number;
}

/** A transaction that was executed with success, as it is known before it is confirmed. */
export interface ExecutedTransaction {
  readonly signature: string;
  readonly slot: bigint;
  /** Position among the transactions of its slot. */
  readonly index: number;
  /** Unix seconds, of the block. */
  readonly time: bigint;
  /** The accounts that signed. The first one paid the fee. */
  readonly signers: readonly Address[];
  /** All calls in order of execution, a call before what it calls. */
  readonly calls: readonly ExecutedCall[];
  /** Functions, because most readers need no balances, and converting them takes as long as all else together. */
  readonly preTokenBalances: () => readonly LandedTokenBalance[];
  readonly postTokenBalances: () => readonly LandedTokenBalance[];
}

/**
 * What only a network of one's own can tell about every transaction.
 *
 * @example
 * ```ts
 * import type { Chain } from './chain.ts';
 * import type { Address } from '../solana/address.ts';
 *
 * // Logs the signatures of transactions that name a program.
 * function logTransactions(chain: Chain, program: Address): () => void {
 *   const watch = chain.executed?.watch([program], (transactions) => {
 *     for (const { signature, slot } of transactions) console.log(slot, signature);
 *   });
 *   return watch ?? (() => undefined);
 * }
 * ```
 */
export interface ExecutedTransactions {
  /**
   * Watches transactions that name at least one of the programs, at `processed`.
   *
   * @param onTransactions - Called with batches in order of execution, after the accounts that they changed were
   *   reported.
   * @returns A function that ends the watch.
   */
  watch(
    programs: readonly Address[],
    onTransactions: (transactions: readonly ExecutedTransaction[]) => void,
  ): () => void;
  /**
   * Reads earlier transactions that name at least one of the programs, oldest first, as far back as the history of the
   * network reaches.
   *
   * @param slot - Only transactions of later slots.
   * @param limit - Ends after the slot in which so many are found, so that no slot is divided.
   */
  after(slot: bigint, programs: readonly Address[], limit: number): Promise<readonly ExecutedTransaction[]>;
}
