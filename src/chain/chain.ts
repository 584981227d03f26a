import type { Address } from '../solana/address.ts';
import type { Clock } from '../solana/programs/clock.ts';
import { LayoutInvalid } from '../solana/codec/byte-reader.ts';
import { Unavailable } from '../common/unavailable.ts';
import type { Account, AccountFilter, AccountUpdate, AccountView } from './accounts.ts';
import type { ExecutedTransactions } from './executed-transactions.ts';
import type { LandedTransaction } from './landed-transactions.ts';
import type { ReportedTransactions } from './reported-transactions.ts';

export const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;
export type Commitment = (typeof COMMITMENTS)[number];

/** A blockhash that a new transaction can use. */
export interface RecentBlockhash {
  readonly blockhash: Address;
  /** The 32 bytes of `blockhash`. */
  readonly bytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  readonly slot: bigint;
  /** The time, in Unix milliseconds, at which this process received it. */
  readonly fetchedAt: number;
}

/** The fields of the Clock sysvar that programs use. */
export type ChainClock = Clock;

export interface Simulation {
  /** The slot of the state that the transaction ran on. Null when it did not run. */
  readonly slot: bigint | null;
  /** The fee payer's lamports before and after the transaction. Null when it fails or the node does not report them. */
  readonly feePayer: { readonly before: bigint; readonly after: bigint } | null;
  /** Null on success; otherwise the RPC's `TransactionError` value. */
  readonly error: unknown;
  readonly logs: readonly string[];
  readonly unitsConsumed: bigint;
  readonly returnData: { readonly programId: Address; readonly data: Uint8Array } | null;
  /** The state after the transaction of the requested accounts, in their order. Empty when the transaction fails. */
  readonly accounts: readonly (Account | null)[];
}

export interface SimulationOptions {
  readonly verifySignatures: boolean;
  /** Accounts of the transaction whose state after it to return. Default none. */
  readonly accounts?: readonly Address[];
}

/** The error of a transaction that is in a block already. Its outcome is in its signature status. */
export const ALREADY_PROCESSED = 'AlreadyProcessed';

export interface SignatureStatus {
  readonly slot: bigint;
  readonly commitment: Commitment;
  /** Null on success; otherwise the RPC's `TransactionError` value. */
  readonly error: unknown;
}

/** The result of searching for a signature in the whole history of one node. */
export interface SignatureSearch {
  /** Null when the node knows no block with the transaction. */
  readonly status: SignatureStatus | null;
  /** The slot as of which the node answered. */
  readonly slot: bigint;
  /** A finalized block that was reported just before the search. It may be older than `Chain.slot('finalized')`. */
  readonly finalized: { readonly slot: bigint; readonly height: bigint };
  /** False when the node keeps no history and only knows what landed in the last 300 blocks. */
  readonly hasHistory: boolean;
}

export interface PriorityFeeSample {
  readonly slot: bigint;
  /** The lowest price, in micro-lamports per compute unit, of a transaction in this slot that wrote the accounts. */
  readonly microLamports: bigint;
}

/** How many lamports exist. */
export interface LamportSupply {
  readonly total: bigint;
  /** Without those that the network counts as locked. */
  readonly circulating: bigint;
}

/** Which of an address's transactions to list. */
export interface SignatureRange {
  /** At most 1,000. */
  readonly limit: number;
  /** Only transactions before this one. */
  readonly before?: string;
  /** Only transactions after this one. */
  readonly until?: string;
  /** A confirmed slot that the list must cover: a node that is behind it does not answer. */
  readonly asOf?: bigint;
}

/** A transaction that names an address. */
export interface AddressSignature {
  readonly signature: string;
  readonly slot: bigint;
}

/**
 * The port through which every product reads accounts and lands transactions.
 *
 * `slot`, `blockHeight`, `clock`, `recentBlockhash`, `lastValidHeightOf` and `recentPriorityFees` read from memory and suit a hot path.
 * Methods that return a promise may call the network, and reject with `ChainUnavailable` when it does not answer.
 *
 * @example
 * ```ts
 * import type { Address } from '../solana/address.ts';
 * import type { Chain } from './chain.ts';
 *
 * async function lamportsOf(chain: Pick<Chain, 'getAccounts'>, address: Address): Promise<bigint> {
 *   const [update] = await chain.getAccounts([address], 'confirmed');
 *   return update?.account?.lamports ?? 0n;
 * }
 * ```
 */
export interface Chain {
  readonly genesisHash: string;

  slot(commitment: Commitment): bigint;
  blockHeight(commitment: Commitment): bigint;
  /** Returns the Clock sysvar as the next transaction will see it. */
  clock(): ChainClock;
  /**
   * Returns the newest blockhash that expires within `slotsToExpiry` slots.
   *
   * @param slotsToExpiry - Default 150, the lifetime of a blockhash, with which it returns the newest of all. On a test
   *   network where blockhashes live longer, the returned one expires later by the difference.
   * @throws ChainUnavailable when no blockhash is known yet.
   */
  recentBlockhash(slotsToExpiry?: number): RecentBlockhash;
  /**
   * Returns the last block height at which a blockhash can be used; null if it is not one of the recent ones that are
   * known. Over an outside RPC only some are.
   */
  lastValidHeightOf(blockhash: Address): bigint | null;
  /**
   * Returns the priority fees of recent slots, newest first, for at most 150 slots.
   *
   * @param writable - Only slots count in which a transaction wrote one of these accounts; all slots if it is empty.
   *   Nodes of an outside RPC report all slots, with the lowest price of the slot where nothing wrote the accounts.
   */
  recentPriorityFees(writable: readonly Address[]): readonly PriorityFeeSample[];

  /**
   * Reads accounts.
   *
   * @param commitment - Default `processed`.
   * @param attempts - Default `several`.
   * @returns The accounts in the order of `addresses`, each with the slot at which it was read.
   */
  getAccounts(
    addresses: readonly Address[],
    commitment?: Commitment,
    attempts?: ReadAttempts,
  ): Promise<readonly AccountUpdate[]>;
  /** Reads all accounts of a program that match the filter. `commitment` is `processed` by default. */
  getProgramAccounts(
    program: Address,
    commitment?: Commitment,
    filter?: AccountFilter,
  ): Promise<readonly AccountUpdate[]>;

  /**
   * Opens a view of the accounts as of now.
   *
   * @param commitment - Default `confirmed`.
   * @param calls - How many calls of an outside RPC the reads take, where that is known before. `AccountView.maxCalls` says
   *   how many of them can be made. Default: a number that is enough for a portfolio.
   */
  openView(commitment?: Commitment, calls?: number): AccountView;

  /**
   * Watches accounts at `processed`.
   *
   * @param onChange - Called once for each batch of changes, in slot order.
   * @returns A function that ends the watch.
   */
  watchAccounts(
    addresses: readonly Address[],
    onChange: (updates: readonly AccountUpdate[]) => void,
  ): () => void;
  /**
   * Watches the accounts of a program that match the filter.
   *
   * @param onChange - Called once for each batch of changes. An account that was closed or changed its owner is null.
   * @returns A function that ends the watch.
   */
  watchProgram(
    program: Address,
    onChange: (updates: readonly AccountUpdate[]) => void,
    filter?: AccountFilter,
  ): () => void;

  simulate(transaction: Uint8Array, options: SimulationOptions): Promise<Simulation>;
  /**
   * Submits a transaction, and resolves with its signature once the network has accepted it for processing.
   *
   * @throws SendRejected when the network refuses it.
   */
  send(transaction: Uint8Array, options: { readonly skipPreflight: boolean }): Promise<string>;
  signatureStatuses(signatures: readonly string[]): Promise<readonly (SignatureStatus | null)[]>;
  /** Searches the history of a node, past all caches. Use it before reporting that a transaction has not landed. */
  searchSignature(signature: string): Promise<SignatureSearch>;
  /**
   * Lists confirmed transactions, successful or failed, whose message names the address; the newest first.
   *
   * Returns at most `limit` of them, as far back as the history of the network reaches.
   */
  signaturesOf(address: Address, range: SignatureRange): Promise<readonly AddressSignature[]>;
  /**
   * Counts all lamports, as of a confirmed slot. An outside RPC takes long to answer, so no request may wait for it.
   *
   * @throws ChainUnavailable of the kind `refused` when the node does not count them.
   */
  lamportSupply(): Promise<LamportSupply>;
  /** Returns null when the transaction is not confirmed, or is no longer in the network's history. */
  transaction(signature: string, attempts?: ReadAttempts): Promise<LandedTransaction | null>;
  /** Every transaction as it is executed. Absent over an outside RPC, which cannot tell. */
  readonly executed?: ExecutedTransactions;
  /** The transactions that an outside RPC reports. Absent on the embedded network, and when they are not followed. */
  readonly reported?: ReportedTransactions;

  /**
   * Makes a call of an outside RPC for somebody who reads its answer as it is, which has at most 1 MiB. A refusal is such an
   * answer. Absent on the embedded network.
   *
   * @throws ChainUnavailable when the RPC does not answer.
   */
  callRaw?(method: string, params: readonly unknown[]): Promise<string>;

  /** Returns the reason why the adapter cannot be relied on now, or null when it can. */
  unhealthy(): string | null;
  close(): Promise<void>;
}

/** How often an outside RPC is asked for what is read. `once` is for a person who looks at a page, and can ask again. */
export type ReadAttempts = 'several' | 'once';

/** Roughly how often an unavailable RPC is called again. */
const RETRY_AFTER_SECONDS = 2;

/**
 * Why the network did not say what was asked. `unanswered`: it did not answer, or not in time, or with something that cannot
 * be read. `not-ready`: the node says of itself that it cannot answer now. `refused`: a read is refused for good; the message
 * says all of it, and other reads may succeed.
 */
export type ChainUnavailableKind = 'unanswered' | 'not-ready' | 'refused';

/** Thrown when the network did not say what was asked. */
export class ChainUnavailable extends Unavailable {
  override readonly name = 'ChainUnavailable';
  readonly kind: ChainUnavailableKind;

  constructor(message: string, kind: ChainUnavailableKind = 'unanswered') {
    super(message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    this.kind = kind;
  }
}

const UNDECODABLE = 'it returned an account that cannot be decoded';

/** Returns the error for an account that the network returned and that cannot be decoded. */
export function createUndecodable(reason: string): ChainUnavailable {
  return new ChainUnavailable(`${UNDECODABLE}: ${reason}`);
}

/**
 * Checks that the chain's data is current and that transactions can land.
 *
 * @throws ChainUnavailable with the reason when that is not so.
 *
 * @example
 * ```ts
 * import { type Chain, requireAvailable } from './chain.ts';
 *
 * function blockhashForOrder(chain: Chain) {
 *   requireAvailable(chain);
 *   return chain.recentBlockhash();
 * }
 * ```
 */
export function requireAvailable(chain: Pick<Chain, 'unhealthy'>): void {
  const reason = chain.unhealthy();
  if (reason !== null) throw new ChainUnavailable(reason);
}

/**
 * Decodes an account that the network returned. A program writes only accounts that it can read, so one that cannot be
 * decoded is an error of the RPC, or of a program that is newer than this version, and never one of the client.
 *
 * @throws ChainUnavailable when `decode` throws `LayoutInvalid`
 */
export function decodeFromChain<T>(address: Address, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof LayoutInvalid) throw createUndecodable(`${address}: ${error.message}`);
    throw error;
  }
}

/** Thrown when the network refuses a transaction at submission, for its preflight, blockhash, signature or fee. */
export class SendRejected extends Error {
  override readonly name = 'SendRejected';
  readonly transactionError: unknown;
  readonly logs: readonly string[];

  constructor(message: string, transactionError: unknown, logs: readonly string[] = []) {
    super(message);
    this.transactionError = transactionError;
    this.logs = logs;
  }
}
