import type { Address } from '../../solana/address.ts';
import type { Account, AccountUpdate } from '../accounts.ts';
import type { Commitment } from '../chain.ts';
import type { TransactionError } from './transaction-error.ts';

/** An instruction that ran by CPI. Indexes count static keys, then loaded writable, then loaded readonly ones. */
export interface InnerInstruction {
  readonly programIdIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
  /** At least 2, because 1 is a top-level instruction. */
  readonly stackHeight: number;
}

export interface InnerInstructions {
  /** The index of the top-level instruction that ran them. */
  readonly index: number;
  readonly instructions: readonly InnerInstruction[];
}

export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly tokenProgram: Address;
  readonly amount: bigint;
  readonly decimals: number;
}

export interface ReturnData {
  readonly programId: Address;
  readonly data: Uint8Array;
}

export interface RecordedAddresses {
  readonly writable: readonly Address[];
  readonly readonly: readonly Address[];
}

/** The stored data of an included transaction, successful or failed. Amounts are lamports. */
export interface TransactionRecord {
  /** Base58. */
  readonly signature: string;
  readonly slot: bigint;
  /** Position among the transactions of its slot. */
  readonly index: number;
  /** Unix seconds. */
  readonly blockTime: bigint;
  /** The transaction in its wire form: signatures and message. */
  readonly wire: Uint8Array;
  readonly version: 'legacy' | 0;
  readonly error: TransactionError | null;
  readonly fee: bigint;
  /** Static keys in message order. `loadedAddresses` follow them: writable, then readonly. */
  readonly staticAddresses: readonly Address[];
  readonly loadedAddresses: RecordedAddresses;
  /** One entry for each static and loaded address. */
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
  readonly innerInstructions: readonly InnerInstructions[];
  readonly logs: readonly string[];
  readonly returnData: ReturnData | null;
  readonly unitsConsumed: bigint;
}

export interface SignatureInfo {
  readonly signature: string;
  readonly slot: bigint;
  readonly blockTime: bigint;
  readonly error: TransactionError | null;
  /** The memo instructions in the form of Solana's RPC, `[length] text` joined by `; `, or null. */
  readonly memo: string | null;
  readonly commitment: Commitment;
}

export interface TransactionStatus {
  readonly slot: bigint;
  /** The number of slots on top of it. Null once finalized. */
  readonly confirmations: number | null;
  readonly commitment: Commitment;
  readonly error: TransactionError | null;
}

export interface EpochInfo {
  readonly absoluteSlot: bigint;
  readonly blockHeight: bigint;
  readonly epoch: bigint;
  readonly slotIndex: bigint;
  readonly slotsInEpoch: bigint;
  readonly transactionCount: bigint;
}

export interface AddressedAccount {
  readonly address: Address;
  readonly account: Account;
}

/** A value and the slot as of which it was read. */
export interface AtSlot<T> {
  readonly slot: bigint;
  readonly value: T;
}

export interface TransactionSimulation {
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly unitsConsumed: bigint;
  readonly returnData: ReturnData | null;
  /** The size by the runtime's rule: each loaded account's data plus 64 bytes, and 8,248 bytes for each lookup table. */
  readonly loadedAccountsDataSize: number;
  /** The requested accounts after execution, in their order. All are null when it failed. */
  readonly accounts: readonly (Account | null)[];
  readonly innerInstructions: readonly InnerInstructions[];
  /** Null when the fee is unknown because the blockhash is not valid. */
  readonly fee: bigint | null;
  readonly loadedAddresses: RecordedAddresses;
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
  /** Set when the blockhash was replaced. */
  readonly replacementBlockhash: { readonly blockhash: string; readonly lastValidBlockHeight: bigint } | null;
}

/** The part of a simulation that the gateway reads. */
export interface SimulationOutcome
  extends Pick<TransactionSimulation, 'error' | 'logs' | 'unitsConsumed' | 'returnData'> {
  /** The requested accounts after execution, in their order. Empty when it failed. */
  readonly accounts: readonly (Account | null)[];
  /** The fee payer's lamports. Null when it failed. */
  readonly feePayer: { readonly before: bigint; readonly after: bigint } | null;
}

/** A transaction whose record is decoded on demand. */
export interface CommittedTransaction {
  readonly signature: string;
  readonly slot: bigint;
  readonly error: TransactionError | null;
  record(): TransactionRecord;
}

/** A completed block with all of its transactions. */
export interface BlockRecord {
  readonly slot: bigint;
  readonly parent: bigint;
  /** The number of blocks below it. */
  readonly height: bigint;
  /** Unix seconds. */
  readonly time: bigint;
  readonly blockhash: string;
  /** Null when the parent is no longer kept. */
  readonly previousBlockhash: string | null;
  /** In order. */
  readonly transactions: readonly CommittedTransaction[];
  /** The size of the stored transactions in bytes. */
  readonly size: number;
}

/** The changes of a slot, published when it reaches a commitment. `changes` contain the states as of that slot. */
export interface SlotCommitted {
  readonly kind: 'commitment';
  readonly commitment: 'confirmed' | 'finalized';
  readonly slot: bigint;
  /** Computed when first read, which must happen during the event. */
  readonly changes: readonly AccountUpdate[];
  readonly transactions: readonly CommittedTransaction[];
}

export type BankEvent =
  /** A new slot began; `parent` ended. `root` is the latest finalized slot. */
  | { readonly kind: 'slot'; readonly slot: bigint; readonly parent: bigint; readonly root: bigint }
  /** `sendTransaction` accepted it. It was not executed yet. */
  | { readonly kind: 'received'; readonly signature: string; readonly slot: bigint }
  /** Executed and included, and visible to `processed` reads. */
  | {
      readonly kind: 'transaction';
      readonly record: TransactionRecord;
      /** The record, for `decodeRecord`. */
      readonly encoded: Uint8Array;
      readonly changes: readonly AccountUpdate[];
    }
  /** Accounts changed without a transaction (written or restored by a test), visible to `processed` reads. */
  | { readonly kind: 'accounts'; readonly slot: bigint; readonly changes: readonly AccountUpdate[] }
  | SlotCommitted;
