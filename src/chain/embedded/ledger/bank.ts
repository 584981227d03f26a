import type { Address } from '../../../solana/address.ts';
import type { Account, Commitment, PriorityFeeSample } from '../../chain.ts';
import type { TokenAccountFilter } from './accounts.ts';
import type { MinuteOfBlocks } from '../blocks/block-headers.ts';
import type { Faults } from '../blocks/faults.ts';
import type { SlotPrices } from '../blocks/priority-fees.ts';
import type {
  AddressedAccount,
  AtSlot,
  BankEvent,
  BlockRecord,
  EpochInfo,
  SignatureInfo,
  TransactionRecord,
  TransactionSimulation,
  TransactionStatus,
} from '../records/records.ts';
import type { TransactionError } from '../records/transaction-error.ts';

export type { TokenAccountFilter } from './accounts.ts';

export interface SubmitOptions {
  /** Simulate at this commitment first and refuse what fails; null skips that (`skipPreflight`). */
  readonly preflight: Commitment | null;
  /** How often a transaction that did not land is tried again; absent: until its blockhash expires. */
  readonly maxRetries?: number;
}

export type SubmitOutcome =
  /** Taken in. It may still not land: for instance when its blockhash is not valid and preflight was skipped. */
  | { readonly kind: 'accepted'; readonly signature: string }
  /** The bytes are not a transaction that this network can read. */
  | { readonly kind: 'malformed'; readonly reason: string }
  /** A signature does not verify; only found here when preflight was not skipped. */
  | { readonly kind: 'bad-signature' }
  | { readonly kind: 'preflight-failed'; readonly simulation: TransactionSimulation }
  /** The queue of transactions waiting to land is full, or the disk does not keep up. */
  | { readonly kind: 'unavailable'; readonly reason: string };

export interface SimulateOptions {
  readonly commitment: Commitment;
  /** Excludes `replaceBlockhash`. */
  readonly verifySignatures: boolean;
  readonly replaceBlockhash: boolean;
  /** Accounts to return as they would stand after execution; at most 64. */
  readonly accounts: readonly Address[];
}

export type SimulateOutcome =
  | { readonly kind: 'simulated'; readonly slot: bigint; readonly simulation: TransactionSimulation }
  | { readonly kind: 'malformed'; readonly reason: string };

export interface SignaturesForAddressOptions {
  readonly commitment: 'confirmed' | 'finalized';
  /** 1 to 1,000. */
  readonly limit: number;
  /** Only older than this signature. */
  readonly before?: string;
  /** Only newer than this signature. */
  readonly until?: string;
}

export interface LatestBlockhash {
  readonly blockhash: string;
  readonly bytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
}

/**
 * The embedded network's state machine. Not thread-safe and synchronous, but for what waits on the disk: it lives in the
 * worker thread, beside the JSON-RPC facade; in tests it can be used in-process, with slots driven by hand.
 * Reads at a commitment answer as of `slot(commitment)`, which the `staleReads` fault can make lag.
 */
export interface Bank {
  readonly genesisHash: string;
  /** The address that `getIdentity` and `getSlotLeader` name. */
  readonly identity: Address;

  slot(commitment: Commitment): bigint;
  blockHeight(commitment: Commitment): bigint;
  epochInfo(commitment: Commitment): EpochInfo;
  transactionCount(commitment: Commitment): bigint;
  /** Unix seconds; null for a slot that is in the future, was skipped, or is older than what is kept. */
  blockTime(slot: bigint): bigint | null;
  /** The oldest slot from which on all blocks are still kept with their transactions. */
  firstAvailableSlot(): bigint;
  /** Null for a slot that did not end yet, that was skipped, or of which not everything is kept. */
  block(slot: bigint): BlockRecord | null;
  /** The slot of the newest snapshot on the disk; null for a network that is kept in memory. */
  snapshotSlot(): bigint | null;
  /** How many slots from `first` to `last` have a block; slots before the first available one count as none. */
  blocksProduced(first: bigint, last: bigint): number;
  /** Of the whole minutes that are kept, the newest `limit`, newest first. */
  minutes(limit: number): readonly MinuteOfBlocks[];
  /** The `count` accounts with the most lamports, most first. */
  largestAccounts(count: number, commitment: Commitment): AtSlot<AddressedAccount[]>;
  /** Sum of the lamports of all accounts. */
  totalLamports(commitment: Commitment): bigint;

  getAccount(address: Address, commitment: Commitment): Account | null;
  getAccounts(addresses: readonly Address[], commitment: Commitment): AtSlot<(Account | null)[]>;
  /** Every account that `program` owns, unordered. Filters are the caller's. */
  programAccounts(program: Address, commitment: Commitment): AtSlot<AddressedAccount[]>;
  /** Initialised token accounts of both token programs. */
  tokenAccounts(filter: TokenAccountFilter, commitment: Commitment): AtSlot<AddressedAccount[]>;
  minimumBalanceForRentExemption(dataLength: number): bigint;

  latestBlockhash(commitment: Commitment): AtSlot<LatestBlockhash>;
  /** Those that the open block takes, oldest first, each with the slot from whose end on. */
  usableBlockhashes(): readonly AtSlot<LatestBlockhash>[];
  isBlockhashValid(blockhash: string, commitment: Commitment): AtSlot<boolean>;
  /** Fee of a message (not a transaction) in lamports; null when its blockhash is not valid. Throws `MalformedTransaction`. */
  feeForMessage(message: Uint8Array, commitment: Commitment): AtSlot<bigint | null>;
  /**
   * At most 150 slots, oldest first. Of each the highest of: its lowest price that landed, and the lowest prices that
   * landed writing each of `writable`; 0 when nothing did.
   */
  recentPrioritizationFees(writable: readonly Address[]): readonly PriorityFeeSample[];

  /** The prices of one slot; null when they are no longer kept. */
  slotPrices(slot: bigint): SlotPrices | null;

  /** Keeps `wire`: the caller must not write to it afterwards. */
  submit(wire: Uint8Array, options: SubmitOptions): SubmitOutcome;
  simulate(wire: Uint8Array, options: SimulateOptions): SimulateOutcome;

  /** `searchHistory` false looks only at the last 150 slots, as RPC does. */
  signatureStatuses(
    signatures: readonly string[],
    searchHistory: boolean,
  ): AtSlot<(TransactionStatus | null)[]>;
  transaction(signature: string, commitment: 'confirmed' | 'finalized'): TransactionRecord | null;
  /** Newest first. Empty when `before` is a signature that is not known; such an `until` does not bound the list. */
  signaturesForAddress(address: Address, options: SignaturesForAddressOptions): readonly SignatureInfo[];

  /** Calls back synchronously, in order; a listener that throws is a defect. Returns the way to stop. */
  subscribe(listener: (event: BankEvent) => void): () => void;

  /** A System transfer from the faucet; resolves to its signature. Refused outcomes throw `FaucetRefused`. */
  requestAirdrop(wallet: Address, lamports: bigint): string;
  /** Mints `amount` atoms of `mint` to the wallet's associated token account, which is created when missing. */
  faucet(
    wallet: Address,
    mint: Address,
    amount: bigint,
  ): { readonly signature: string; readonly account: Address };

  /** Null when slots advance and the disk keeps up; otherwise what does not. */
  unhealthy(): string | null;
  readonly admin: BankAdmin;

  /** Ends the current slot and begins the next; resolves when the ended one is confirmed. */
  advanceSlot(): Promise<void>;
  close(): Promise<void>;
}

/** Operations for tests. Every one throws `AdminRefused` when the bank was opened with `production: true`. */
export interface BankAdmin {
  /** Jumps ahead: `slots` empty blocks (they count for blockhash expiry) and `seconds` of time; resolves once durable. */
  warp(by: {
    readonly slots?: number;
    readonly seconds?: number;
  }): Promise<{ slot: bigint; unixTimestamp: bigint }>;
  /** Writes accounts at once, visible to `processed`; null deletes. Resolves to the slot. */
  setAccounts(accounts: readonly { readonly address: Address; readonly account: Account | null }[]): bigint;
  /** Keeps all accounts and the clock's offset as they are at the end of the open slot, which this ends. */
  saveSnapshot(name: string): Promise<void>;
  /**
   * Puts all accounts and the clock's offset back. Slots, blockhashes and history go on, so that whoever follows the
   * network sees it as one more slot. Resolves once durable.
   */
  restoreSnapshot(name: string): Promise<void>;
  deleteSnapshot(name: string): Promise<void>;
  snapshots(): readonly { readonly name: string; readonly slot: bigint }[];
  setFaults(faults: Faults): void;
  faults(): Faults;
}

/** The bytes cannot be read as a transaction or message; the message says where and why. */
export class MalformedTransaction extends Error {
  override readonly name = 'MalformedTransaction';
}

/** The faucet cannot give this; the message says why and what it can give. */
export class FaucetRefused extends Error {
  override readonly name = 'FaucetRefused';
  readonly transactionError: TransactionError | null;

  constructor(message: string, transactionError: TransactionError | null = null) {
    super(message);
    this.transactionError = transactionError;
  }
}

/** An operation for tests was asked of a network that runs with `production`, or with arguments out of range. */
export class AdminRefused extends Error {
  override readonly name = 'AdminRefused';
}
