import type { Address } from '../../../solana/address.ts';
import type { Account, AccountFilter, HeldToken } from '../../accounts.ts';
import type { Commitment, PriorityFeeSample } from '../../chain.ts';
import type { TokenAccountFilter } from './accounts.ts';
import type { MinuteOfBlocks } from '../blocks/block-headers.ts';
import type { SlotPrices } from '../blocks/priority-fees.ts';
import type {
  AddressedAccount,
  AtSlot,
  BankEvent,
  BlockRecord,
  EpochInfo,
  SignatureInfo,
  TransactionRecord,
  SimulationOutcome,
  TransactionSimulation,
  TransactionStatus,
} from '../../records/records.ts';

export type { TokenAccountFilter } from './accounts.ts';

/** The time of a read: a commitment, or a slot whose state is still kept. */
export type ReadAt = Commitment | bigint;

export interface SubmitOptions {
  /** The commitment of the preflight simulation, which refuses a failing transaction. Null skips it (`skipPreflight`). */
  readonly preflight: Commitment | null;
  /** The maximum number of further attempts to land. Default: until the blockhash expires. */
  readonly maxRetries?: number;
}

export type SubmitOutcome =
  /** Accepted for processing. It may still not land, for example with an invalid blockhash and without preflight. */
  | { readonly kind: 'accepted'; readonly signature: string }
  /** The bytes are not a transaction that this network can read. */
  | { readonly kind: 'malformed'; readonly reason: string }
  /** A signature does not verify. This is only checked with preflight. */
  | { readonly kind: 'bad-signature' }
  | { readonly kind: 'preflight-failed'; readonly simulation: TransactionSimulation }
  /** The queue of transactions is full, or the disk does not keep up. */
  | { readonly kind: 'unavailable'; readonly reason: string };

export interface SimulateOptions {
  readonly commitment: Commitment;
  /** Excludes `replaceBlockhash`. */
  readonly verifySignatures: boolean;
  readonly replaceBlockhash: boolean;
  /** The accounts whose state after execution to return; at most 64. */
  readonly accounts: readonly Address[];
}

export type SimulationOutcomeOrMalformed =
  | { readonly kind: 'simulated'; readonly slot: bigint; readonly simulation: SimulationOutcome }
  | { readonly kind: 'malformed'; readonly reason: string };

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
 * The embedded network's state machine. It is synchronous, except for what waits for the disk. It runs in the
 * worker thread, beside the JSON-RPC server; tests can use it in-process and advance slots themselves.
 *
 * Reads at a commitment are as of `slot(commitment)`, which lags with the `staleReads` fault.
 */
export interface Bank {
  readonly genesisHash: string;
  /** The address that `getIdentity` and `getSlotLeader` return. */
  readonly identity: Address;

  slot(commitment: Commitment): bigint;
  blockHeight(commitment: Commitment): bigint;
  epochInfo(commitment: Commitment): EpochInfo;
  transactionCount(commitment: Commitment): bigint;
  /** Returns Unix seconds, or null for a slot that is in the future, was skipped, or is no longer kept. */
  blockTime(slot: bigint): bigint | null;
  /** Returns the oldest slot from which on all blocks are kept with their transactions. */
  firstAvailableSlot(): bigint;
  /** Returns the slot from which on all transactions are kept, whether or not their blocks still are. */
  historyFrom(): bigint;
  /** Returns null for a slot that is not complete, was skipped, or is no longer kept completely. */
  block(slot: bigint): BlockRecord | null;
  /** Returns the slot of the newest snapshot on the disk, or null for a network in memory. */
  snapshotSlot(): bigint | null;
  /** Counts the blocks from slot `first` to `last`. Slots before the first available one have none. */
  blocksProduced(first: bigint, last: bigint): number;
  /** Returns the newest `limit` complete minutes, newest first. */
  minutes(limit: number): readonly MinuteOfBlocks[];
  /** Returns the `count` accounts with the most lamports, in descending order. */
  largestAccounts(count: number, commitment: Commitment): AtSlot<AddressedAccount[]>;
  /** Returns the sum of the lamports of all accounts. */
  totalLamports(commitment: Commitment): bigint;

  getAccount(address: Address, commitment: Commitment): Account | null;
  /**
   * Reads accounts, with null for those that do not exist.
   *
   * @throws NetworkRefused when the state of the slot is gone. So do all methods that take a `ReadAt`.
   */
  getAccounts(addresses: readonly Address[], at: ReadAt): AtSlot<(Account | null)[]>;
  /** Returns all accounts that `program` owns and that match the filter, in no particular order. */
  programAccounts(program: Address, at: ReadAt, filter?: AccountFilter): AtSlot<AddressedAccount[]>;
  /**
   * Finds the initialized token accounts of both token programs one by one, while other work of the thread runs in between.
   *
   * @throws NetworkRefused also while they are read
   */
  eachTokenAccount(filter: TokenAccountFilter, at: ReadAt): AtSlot<Iterable<AddressedAccount>>;
  /** Finds the accounts of a program in the same way. */
  eachProgramAccount(program: Address, at: ReadAt): AtSlot<Iterable<AddressedAccount>>;
  /** Returns the associated token accounts of an owner, in the order of the tokens, with null where it has none. */
  associatedAccounts(
    owner: Address,
    tokens: readonly HeldToken[],
    at: ReadAt,
  ): AtSlot<(AddressedAccount | null)[]>;
  minimumBalanceForRentExemption(dataLength: number): bigint;

  latestBlockhash(commitment: Commitment): AtSlot<LatestBlockhash>;
  /** Returns the blockhashes that the open block accepts, oldest first, each with the slot that it ended. */
  usableBlockhashes(): readonly AtSlot<LatestBlockhash>[];
  isBlockhashValid(blockhash: string, commitment: Commitment): AtSlot<boolean>;
  /**
   * Computes the fee of a message in lamports, or null when its blockhash is not valid.
   *
   * @throws TransactionInvalid when the bytes are not a message.
   */
  feeForMessage(message: Uint8Array, commitment: Commitment): AtSlot<bigint | null>;
  /**
   * Returns at most 150 slots, oldest first. Each has the highest of its lowest price and the lowest prices that
   * landed a transaction that writes one of `writable`; 0 when nothing landed.
   */
  recentPrioritizationFees(writable: readonly Address[]): readonly PriorityFeeSample[];

  /** Returns the prices of one slot, or null when they are no longer kept. */
  slotPrices(slot: bigint): SlotPrices | null;

  /** Submits a transaction. `wire` is kept, so the caller must not write to it afterwards. */
  submit(wire: Uint8Array, options: SubmitOptions): SubmitOutcome;
  simulate(wire: Uint8Array, options: SimulateOptions): SimulateOutcome;
  /** Simulates like `simulate`, and computes less of the result. */
  simulateOutcome(wire: Uint8Array, options: SimulateOptions): SimulationOutcomeOrMalformed;

  /** Without `searchHistory`, only the last 150 slots are searched, as in Solana's RPC. */
  signatureStatuses(
    signatures: readonly string[],
    searchHistory: boolean,
  ): AtSlot<(TransactionStatus | null)[]>;
  transaction(signature: string, commitment: 'confirmed' | 'finalized'): TransactionRecord | null;
  /** Returns signatures newest first. An unknown `before` yields an empty list; an unknown `until` has no effect. */
  signaturesForAddress(address: Address, options: SignaturesForAddressOptions): readonly SignatureInfo[];
  /**
   * Returns the successful transactions of slots after `slot` that name one of the addresses, oldest first, each for
   * `decodeRecord`. The list ends after the slot in which it reaches `limit`.
   */
  encodedTransactions(slot: bigint, addresses: readonly Address[], limit: number): readonly Uint8Array[];

  /** Calls the listener synchronously and in order. It must not throw. Returns a function that ends the subscription. */
  subscribe(listener: (event: BankEvent) => void): () => void;

  /**
   * Transfers lamports from the faucet, and returns the signature.
   *
   * @throws NetworkRefused when the faucet cannot give them.
   */
  requestAirdrop(wallet: Address, lamports: bigint): string;
  /** Mints `amount` atoms of `mint` to the wallet's associated token account, and creates the account if necessary. */
  faucet(
    wallet: Address,
    mint: Address,
    amount: bigint,
  ): { readonly signature: string; readonly account: Address };

  /** Returns what is wrong, or null when slots advance and the disk keeps up. */
  unhealthy(): string | null;
  readonly admin: RpcControls;

  /** Ends the current slot and begins the next. Resolves when the ended slot is confirmed. */
  advanceSlot(): Promise<void>;
  close(): Promise<void>;
}

/** An account to write. Null deletes it. */
export interface AccountWrite {
  readonly address: Address;
  readonly account: Account | null;
}

/** Where `travel` goes. */
export type TravelTarget = { readonly slot: bigint } | { readonly unixTimestamp: bigint };

/**
 * What the RPC's methods for tests do to the network; all controls are methods of `BankAdmin`. Each throws `NetworkRefused` when
 * the bank was opened with `production: true`.
 */
export interface RpcControls {
  travel(to: TravelTarget): void;
  pauseClock(): void;
  resumeClock(): void;
  setAccounts(accounts: readonly AccountWrite[]): bigint;
}

/**
 * Why the network refuses a call. `request`: a control or the faucet cannot do what was asked, because the arguments are out of
 * range or the network runs with `production`. `gone`: what is to be read is no longer kept, or cannot be read yet.
 */
export type NetworkRefusalKind = 'request' | 'gone';

/** Thrown when the network refuses a call. The message says why, and what it would accept. */
export class NetworkRefused extends Error {
  override readonly name = 'NetworkRefused';
  readonly kind: NetworkRefusalKind;

  constructor(kind: NetworkRefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
