import type { Address } from '../../../solana/address.ts';
import type { Account, AccountUpdate, Commitment } from '../../chain.ts';
import type { TransactionError } from './transaction-error.ts';

/** An instruction run by CPI. Indices count the static keys, then the loaded writable, then the loaded readonly. */
export interface InnerInstruction {
  readonly programIdIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
  /** 1 is a top-level instruction, so 2 or more. */
  readonly stackHeight: number;
}

export interface InnerInstructions {
  /** Which top-level instruction ran them. */
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

export interface LoadedAddresses {
  readonly writable: readonly Address[];
  readonly readonly: readonly Address[];
}

/** What is kept of a transaction that was included, whether it succeeded or failed. Amounts are lamports. */
export interface TransactionRecord {
  /** Base58. */
  readonly signature: string;
  readonly slot: bigint;
  /** Position among the transactions of its slot. */
  readonly index: number;
  /** Unix seconds. */
  readonly blockTime: bigint;
  /** The transaction as it was sent: signatures and message. */
  readonly wire: Uint8Array;
  readonly version: 'legacy' | 0;
  readonly error: TransactionError | null;
  readonly fee: bigint;
  /** Static keys in message order. `loadedAddresses` continue it: writable, then readonly. */
  readonly staticAddresses: readonly Address[];
  readonly loadedAddresses: LoadedAddresses;
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
  /** Text of the memo instructions as RPC shows it, `[length] text` joined by `; `, or null. */
  readonly memo: string | null;
  readonly commitment: Commitment;
}

export interface TransactionStatus {
  readonly slot: bigint;
  /** Slots built on top of it; null once finalized. */
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

/** A value and the slot as of which it is true. */
export interface AtSlot<T> {
  readonly slot: bigint;
  readonly value: T;
}

export interface TransactionSimulation {
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly unitsConsumed: bigint;
  readonly returnData: ReturnData | null;
  /** Bytes as the runtime counts them: each loaded account's data and 64, and 8,248 for each lookup table. */
  readonly loadedAccountsDataSize: number;
  /** The addresses that were asked for, in their order, after execution; all null when it failed. */
  readonly accounts: readonly (Account | null)[];
  readonly innerInstructions: readonly InnerInstructions[];
  /** Null when the fee cannot be known, because the blockhash is not valid. */
  readonly fee: bigint | null;
  readonly loadedAddresses: LoadedAddresses;
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
  /** Set when the blockhash was replaced. */
  readonly replacementBlockhash: { readonly blockhash: string; readonly lastValidBlockHeight: bigint } | null;
}

/** A transaction whose record is only decoded when it is asked for. */
export interface CommittedTransaction {
  readonly signature: string;
  readonly slot: bigint;
  readonly error: TransactionError | null;
  record(): TransactionRecord;
}

/** A block that ended, with all of its transactions. */
export interface BlockRecord {
  readonly slot: bigint;
  readonly parent: bigint;
  /** Blocks below it. */
  readonly height: bigint;
  /** Unix seconds. */
  readonly time: bigint;
  readonly blockhash: string;
  /** Null when the parent is no longer kept. */
  readonly previousBlockhash: string | null;
  /** In order. */
  readonly transactions: readonly CommittedTransaction[];
  /** What the transactions take as they are kept, in bytes. */
  readonly size: number;
}

/** Everything that a slot changed, at the moment it reaches a commitment. `changes` hold values as of that slot. */
export interface SlotCommitted {
  readonly kind: 'commitment';
  readonly commitment: 'confirmed' | 'finalized';
  readonly slot: bigint;
  /** Made when first read, which must be while the event is being told. */
  readonly changes: readonly AccountUpdate[];
  readonly transactions: readonly CommittedTransaction[];
}

export type BankEvent =
  /** A new slot began; `parent` ended. `root` is the latest finalized slot. */
  | { readonly kind: 'slot'; readonly slot: bigint; readonly parent: bigint; readonly root: bigint }
  /** `sendTransaction` took it in; it was not executed yet. */
  | { readonly kind: 'received'; readonly signature: string; readonly slot: bigint }
  /** Executed and included: visible to `processed` reads. */
  | {
      readonly kind: 'transaction';
      readonly record: TransactionRecord;
      readonly changes: readonly AccountUpdate[];
    }
  /** Accounts changed without a transaction (written or restored by a test), visible to `processed` reads. */
  | { readonly kind: 'accounts'; readonly slot: bigint; readonly changes: readonly AccountUpdate[] }
  | SlotCommitted;
