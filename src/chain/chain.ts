import type { Address } from '../solana/address.ts';
import { Unavailable } from '../common/unavailable.ts';

export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** `data` is shared, never copied: readers must not write to it. */
export interface Account {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly executable: boolean;
  readonly rentEpoch: bigint;
}

/** An account as of `slot`; `account` is null when it does not exist (any more). */
export interface AccountUpdate {
  readonly address: Address;
  readonly slot: bigint;
  readonly account: Account | null;
  /** True when newer slots were told that are not so: then it replaces what is known, whatever slot that is of. */
  readonly takesBack?: boolean | undefined;
}

/** Which of a program's accounts: those that have all of what is given. */
export interface AccountFilter {
  /** Bytes of data. */
  readonly dataSize?: number;
  /** What stands in the data; at most 128 bytes, as RPC nodes take them. */
  readonly holds?: { readonly offset: number; readonly bytes: Uint8Array };
}

/** A blockhash that a new transaction may use, kept warm so that reading it costs nothing. */
export interface RecentBlockhash {
  readonly blockhash: Address;
  /** Base58-decoded form of `blockhash`, 32 bytes. */
  readonly bytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  readonly slot: bigint;
  /** Unix milliseconds at which this process learned of it. */
  readonly fetchedAt: number;
}

/** The fields of the Clock sysvar that programs decide by. */
export interface ChainClock {
  readonly slot: bigint;
  readonly epoch: bigint;
  /** Unix seconds. */
  readonly unixTimestamp: bigint;
}

export interface Simulation {
  /** The slot of the state that it ran on; null when it did not run. */
  readonly slot: bigint | null;
  /**
   * Lamports of the fee payer in that very state and after the transaction; null when it fails, and from nodes that do not
   * say it.
   */
  readonly feePayer: { readonly before: bigint; readonly after: bigint } | null;
  /** Null on success; otherwise the RPC's `TransactionError` value. */
  readonly error: unknown;
  readonly logs: readonly string[];
  readonly unitsConsumed: bigint;
  readonly returnData: { readonly programId: Address; readonly data: Uint8Array } | null;
  /** The accounts that were asked for, in that order, as the transaction leaves them; empty when it fails. */
  readonly accounts: readonly (Account | null)[];
}

export interface SimulationOptions {
  readonly verifySignatures: boolean;
  /** Accounts of the transaction whose state after it is wanted; none when absent. */
  readonly accounts?: readonly Address[];
}

/** The error of a transaction that the node has in a block already. It refuses nothing: its status says what became of it. */
export const ALREADY_PROCESSED = 'AlreadyProcessed';

export interface SignatureStatus {
  readonly slot: bigint;
  readonly commitment: Commitment;
  /** Null on success; otherwise the RPC's `TransactionError` value. */
  readonly error: unknown;
}

/** What one node of the network says of a signature after it has looked for it wherever it can. */
export interface SignatureSearch {
  /** Null when the node knows of no block with the transaction. */
  readonly status: SignatureStatus | null;
  /** The slot as of which the node answered. */
  readonly slot: bigint;
  /** A final block that the network named just before, which need not be as new as what `slot` and `blockHeight` say. */
  readonly finalized: { readonly slot: bigint; readonly height: bigint };
  /** False when the node keeps no history, and so knows only what landed in the last 300 blocks. */
  readonly hasHistory: boolean;
}

export interface LandedTokenBalance {
  readonly account: Address;
  readonly mint: Address;
  /** Of the token account. */
  readonly owner: Address;
  readonly amount: bigint;
}

/** An instruction that a program called. */
export interface LandedCall {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
}

/** What a transaction did that was included in a block, whether it succeeded or failed. */
export interface LandedTransaction {
  readonly signature: string;
  readonly slot: bigint;
  /** Null on success; otherwise the RPC's `TransactionError` value. */
  readonly error: unknown;
  /** Lamports that the fee payer paid, priority fee included. */
  readonly fee: bigint;
  readonly unitsConsumed: bigint;
  readonly logs: readonly string[];
  /** Every account that it names: static ones, then looked up writable ones, then looked up readonly ones. */
  readonly accounts: readonly Address[];
  /** Lamports of each of `accounts`. */
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  /** Only of `accounts` that were token accounts at that time. */
  readonly preTokenBalances: readonly LandedTokenBalance[];
  readonly postTokenBalances: readonly LandedTokenBalance[];
  /** What the instructions called, in order; `instruction` is the place of the top-level one. */
  readonly calls: readonly { readonly instruction: number; readonly call: LandedCall }[];
}

export interface PriorityFeeSample {
  readonly slot: bigint;
  /** Micro-lamports per compute unit: the lowest that landed a transaction in this slot writing the accounts. */
  readonly microLamports: bigint;
}

/**
 * The port through which every product reads accounts and lands transactions.
 * `slot`, `blockHeight`, `clock`, `recentBlockhash` and `recentPriorityFees` are answered from memory: they may be used on a hot path.
 * Methods that return a promise may go to the network, and reject with `ChainUnavailable` when it does not answer.
 */
export interface Chain {
  readonly genesisHash: string;

  slot(commitment: Commitment): bigint;
  blockHeight(commitment: Commitment): bigint;
  /** The Clock sysvar as the next transaction will see it. */
  clock(): ChainClock;
  /** The newest blockhash, or with `slotsToExpiry` below 150 the newest that expires within so many slots. */
  recentBlockhash(slotsToExpiry?: number): RecentBlockhash;
  /**
   * Newest first, at most 150 slots; only slots in which a transaction wrote one of `writable`, or any if empty. Over
   * an outside RPC all slots, as its nodes answer: where nothing wrote the accounts, with the lowest price of the slot.
   */
  recentPriorityFees(writable: readonly Address[]): readonly PriorityFeeSample[];

  /** In the order asked; each with the slot at which it was read, so that a later watch cannot be overwritten by it. */
  getAccounts(addresses: readonly Address[], commitment?: Commitment): Promise<readonly AccountUpdate[]>;
  getProgramAccounts(
    program: Address,
    commitment?: Commitment,
    filter?: AccountFilter,
  ): Promise<readonly AccountUpdate[]>;

  /** Calls back once per batch of changes at `processed`, in slot order; returns the way to stop. */
  watchAccounts(
    addresses: readonly Address[],
    onChange: (updates: readonly AccountUpdate[]) => void,
  ): () => void;
  /** Accounts that are gone or have another owner now are null; changes beyond the filter are not told of. */
  watchProgram(
    program: Address,
    onChange: (updates: readonly AccountUpdate[]) => void,
    filter?: AccountFilter,
  ): () => void;

  simulate(transaction: Uint8Array, options: SimulationOptions): Promise<Simulation>;
  /** Resolves with the signature once the transaction was taken in; rejects with `SendRejected`. */
  send(transaction: Uint8Array, options: { readonly skipPreflight: boolean }): Promise<string>;
  signatureStatuses(signatures: readonly string[]): Promise<readonly (SignatureStatus | null)[]>;
  /** Asks the network itself, past everything that is kept in memory: for what must not be denied by mistake. */
  searchSignature(signature: string): Promise<SignatureSearch>;
  /** Null when the transaction is not confirmed, or was confirmed too long ago to be remembered. */
  transaction(signature: string): Promise<LandedTransaction | null>;

  /** Null when every part of the adapter answers; otherwise what does not. */
  unhealthy(): string | null;
  close(): Promise<void>;
}

/** An RPC that was away is asked again about as often. */
const RETRY_AFTER_SECONDS = 2;

/** The network did not answer, or not in time. */
export class ChainUnavailable extends Unavailable {
  override readonly name = 'ChainUnavailable';

  constructor(message: string) {
    super(message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

/** @throws ChainUnavailable when what is read from memory may be out of date, or nothing would land */
export function requireAvailable(chain: Pick<Chain, 'unhealthy'>): void {
  const reason = chain.unhealthy();
  if (reason !== null) throw new ChainUnavailable(reason);
}

/** The network refused the transaction before it landed: preflight, blockhash, signature or fee. */
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
