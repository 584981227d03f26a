import type { Address } from '../solana/address.ts';

export interface LandedTokenBalance {
  readonly account: Address;
  readonly mint: Address;
  /** The owner of the token account. */
  readonly owner: Address;
  readonly amount: bigint;
}

/** A call of a program, by a top-level instruction or by another program. */
export interface LandedCall {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
}

/** A call of a program by another one. */
export interface LandedInnerCall {
  /** The index of the instruction that led to the call. */
  readonly instruction: number;
  /** 2 for what an instruction of the message calls, 3 for what that calls, and so on; 0 where an old node does not tell. */
  readonly depth: number;
  readonly call: LandedCall;
}

/** A transaction in a block, successful or failed, with its effects. */
export interface LandedTransaction {
  readonly signature: string;
  readonly slot: bigint;
  /** The transaction in its wire form: signatures and message. */
  readonly wire: Uint8Array;
  /** Unix seconds; null when the node does not know the time of the block any more. */
  readonly blockTime: bigint | null;
  /** Null on success; otherwise the RPC's `TransactionError` value. */
  readonly error: unknown;
  /** The fee that the fee payer paid, in lamports, with the priority fee. */
  readonly fee: bigint;
  readonly unitsConsumed: bigint;
  readonly logs: readonly string[];
  /** All accounts of the message: static ones, then looked-up writable ones, then looked-up readonly ones. */
  readonly accounts: readonly Address[];
  /** The lamports of each of `accounts` before the transaction. */
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  /** The balances of those `accounts` that were token accounts before the transaction. */
  readonly preTokenBalances: readonly LandedTokenBalance[];
  readonly postTokenBalances: readonly LandedTokenBalance[];
  /** The instructions of the message. */
  readonly instructions: readonly LandedCall[];
  /** All calls by programs, in order of execution. */
  readonly calls: readonly LandedInnerCall[];
}
