import { Unavailable, type UnavailableOptions } from '../../common/unavailable.ts';
import type { Address } from '../../solana/address.ts';
import type { BuiltTransaction } from '../build/build-transaction.ts';
import { sumCosts } from '../build/costs.ts';

/** A transaction that was handed out unsigned and waits for its signatures. A product adds what it needs to execute it. */
export interface PreparedTransaction {
  /** The id by which the client names the transaction. */
  readonly requestId: string;
  /** The only message that may be executed under this id. */
  readonly messageBytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  /** The wallet whose signature the transaction waits for. */
  readonly taker: Address;
  /** The fee payer. */
  readonly payer: Address;
  /** The most lamports that the payer may be made to spend, as the client was shown; absent when the taker pays. */
  readonly payerLamports?: bigint;
  /** The sponsor's promise to sign; absent without a sponsor. */
  readonly sponsorship?: Sponsorship;
}

/**
 * The sponsor's promise to sign a transaction and to pay for it. It is made once, when the transaction is handed out, and
 * is never inferred from the addresses that a request names.
 */
export interface Sponsorship {
  readonly sponsor: Address;
  /** Lamports that the transaction's fee pays back. The sponsor signs nothing that costs it more. */
  readonly chargedLamports: bigint;
}

/** For whom a transaction is prepared, and who promised to pay for it. */
export interface Preparation {
  /** The id by which the client names the transaction. */
  readonly requestId: string;
  /** The wallet whose signature the transaction waits for. */
  readonly taker: Address;
  /** The sponsor's promise to pay; null without a sponsor. */
  readonly sponsorship: Sponsorship | null;
}

/**
 * Creates what is stored of a transaction while it waits for its signatures. A fee payer that is neither the taker nor
 * the sponsor never pays more than the transaction costs now.
 * Returns plain data; a product adds what it needs to execute the transaction.
 */
export function prepareTransaction(
  { messageBytes, lastValidBlockHeight, costs }: BuiltTransaction,
  { requestId, taker, sponsorship }: Preparation,
): PreparedTransaction {
  const prepared = { requestId, messageBytes, lastValidBlockHeight, taker, payer: costs.payer };
  if (sponsorship !== null) return { ...prepared, sponsorship };
  return costs.payer === taker ? prepared : { ...prepared, payerLamports: sumCosts(costs) };
}

/**
 * The end of an attempt. An attempt that is not final does not know whether the transaction landed, and another may
 * follow.
 */
export interface AttemptEnd<Answer> {
  readonly final: boolean;
  readonly answer: Answer;
}

/** An attempt at executing a transaction. Each one continues where the last one ended. */
export interface Attempt {
  /** Whether an earlier attempt was about to send the transaction. What it may spend is then counted already. */
  readonly mayBeOut: boolean;
  /**
   * Called after all checks and payments, right before sending. Later attempts then find `mayBeOut`.
   * @throws ExecutionLost when the transaction must not be sent
   */
  noteSending(): Promise<void>;
  /**
   * Called before an attempt ends without having sent anything, so that it does not contradict another instance that has
   * taken over.
   * @throws ExecutionLost when another instance has
   */
  requireHeld(): Promise<void>;
}

/**
 * Thrown before anything was sent by an attempt that was stopped for so long that another instance may have answered
 * the request. The client may have acted on that answer, so this attempt must not land the transaction any more.
 */
export class ExecutionLost extends Unavailable {
  /**
   * `free`: nobody executes the transaction now. `taken`: another instance does, or has ended it. `unknown`: the shared
   * state does not say so, and may hold that this attempt has sent the transaction.
   */
  readonly run: 'free' | 'taken' | 'unknown';

  constructor(run: ExecutionLost['run'], { cause }: Pick<UnavailableOptions, 'cause'> = {}) {
    super(
      'this instance was stopped for too long and sent nothing; send the same request again to learn how it ended',
      { cause },
    );
    this.run = run;
  }
}

/**
 * Keeps prepared transactions from when they are handed out until well after they expire, and ensures that each is
 * executed once.
 */
export interface PreparedStore<Prepared extends PreparedTransaction, Answer> {
  /** @throws Unavailable when too many transactions wait that can still land */
  put(prepared: Prepared): Promise<void>;
  /** Returns null for an unknown transaction, or one that is too old. */
  get(requestId: string): Promise<Prepared | null>;
  /**
   * Returns the answer of the transaction's one execution. Calls `run` only if no execution is running or has ended.
   * @throws TooManyExecutions when too many executions are running
   */
  executeOnce(prepared: Prepared, run: (attempt: Attempt) => Promise<AttemptEnd<Answer>>): Promise<Answer>;
  /**
   * Whether a transaction that `get` does not find may be executing nevertheless, because the store has just lost its
   * contents. This passes within seconds.
   * @throws Unavailable while the shared state does not answer
   */
  mayHaveForgotten(): Promise<boolean>;
  /** Resolves when no execution runs in this process, and all answers are stored. */
  settled(): Promise<void>;
}

/** The client may try again, because the transaction was not touched. The gateway answers with 429. */
export class TooManyExecutions extends Error {
  override readonly name = 'TooManyExecutions';

  /** @param what - What is executed, in the plural, such as `swaps`. */
  constructor(capacity: number, what: string) {
    super(`${capacity} ${what} are under way already; try again in a second`);
  }
}
