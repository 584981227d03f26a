import type { Address } from '../../solana/address.ts';

/** A transaction that was handed out unsigned and waits for its signatures. A product adds what it needs to execute it. */
export interface PreparedTransaction {
  /** What the client names it by. */
  readonly requestId: string;
  /** The only message that may be executed for it. */
  readonly messageBytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  /** Who signs, besides the fee payer and whoever signs later. */
  readonly taker: Address;
  /** The fee payer. */
  readonly payer: Address;
  /** The most lamports that the payer may be made to spend, as it was told; absent where the taker pays. */
  readonly payerLamports?: bigint;
  /** The sponsor's promise to sign; absent where nobody is sponsored. */
  readonly sponsorship?: Sponsorship;
}

/**
 * The sponsor's promise to sign a transaction and to pay for it. It is made once, when the transaction is handed out, and
 * is never inferred from the addresses that a request names.
 */
export interface Sponsorship {
  readonly sponsor: Address;
  /** Lamports that the transaction's fee gives back: the sponsor signs nothing that costs it more. */
  readonly chargedLamports: bigint;
}

/** What an execution ended with. One that is not final left open whether the transaction landed, and may go on. */
export interface Execution<Answer> {
  readonly final: boolean;
  readonly answer: Answer;
}

/** One of the attempts at executing a transaction; each goes on where the last one ended. */
export interface Attempt {
  /** Whether an earlier attempt was about to send the transaction: what it may spend is spent. */
  readonly mayBeOut: boolean;
  /** To be called when everything has been judged and paid, right before sending: later attempts find `mayBeOut`. */
  noteSending(): Promise<void>;
}

/**
 * Keeps prepared transactions from when they are handed out until well after they expire, and makes sure that each is
 * executed once.
 */
export interface PreparedStore<Prepared extends PreparedTransaction, Answer> {
  /** @throws Unavailable when too many wait that can still land */
  put(prepared: Prepared): Promise<void>;
  /** Null for a transaction that never was, or was too long ago. */
  get(requestId: string): Promise<Prepared | null>;
  /**
   * The answer of the transaction's one execution: `run` is only called when there is none yet, running or ended.
   * @throws TooManyExecutions when very many are running
   */
  executeOnce(prepared: Prepared, run: (attempt: Attempt) => Promise<Execution<Answer>>): Promise<Answer>;
  /**
   * Whether a transaction that `get` does not find may be executing nevertheless, because the store has just lost what
   * it kept. This passes within seconds. @throws Unavailable
   */
  mayHaveForgotten(): Promise<boolean>;
  /** Resolves when no execution runs in this process, and all answers are where they are kept. */
  settled(): Promise<void>;
}

/** Answered with 429: the client may try again, since the transaction was not touched. */
export class TooManyExecutions extends Error {
  override readonly name = 'TooManyExecutions';
  readonly statusCode = 429;

  /** @param what names what is executed, in the plural */
  constructor(capacity: number, what: string) {
    super(`${capacity} ${what} are under way already; try again in a second`);
  }
}
