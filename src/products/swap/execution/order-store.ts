import type { FillTerms } from '../../../rfq/index.ts';
import type { Address } from '../../../solana/address.ts';
import type { Router } from '../engines/engine.ts';
import type { Spending } from './open-fills.ts';

/** An order as it waits to be executed. Plain data, so that a store can keep it anywhere. */
export interface StoredOrder {
  readonly requestId: string;
  readonly router: Router;
  /** The only message that may be executed for it. */
  readonly messageBytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly taker: Address;
  /** Null: the taker gets the output. */
  readonly receiver: Address | null;
  readonly payer: Address;
  readonly tipLamports: bigint;
  /** Lamports that the order says a payer of the integrator's pays in all; absent where there is none. */
  readonly payerLamports?: bigint;
  /** The sponsor's promise to sign; absent where the taker or a payer of the integrator's pays. */
  readonly sponsorship?: Sponsorship;
  /** What a swap with a maker takes from the taker; absent in what was written down before it was kept. */
  readonly spends?: Spending;
  /** The maker that has to sign after the taker has. */
  readonly coSigner?: FillTerms;
}

/**
 * That the sponsor signs an order and pays for it. This is decided once, when the order is given out, and is never
 * inferred from the addresses that a request names.
 */
export interface Sponsorship {
  readonly sponsor: Address;
  /** Lamports that the order's fee gives back: the sponsor signs nothing that costs it more. */
  readonly chargedLamports: bigint;
}

/** What an execution ended with. One that is not final left open whether the swap was made, and may go on. */
export interface Execution<Answer> {
  readonly final: boolean;
  readonly answer: Answer;
}

/** One of the attempts at an order's execution, which go on where the last one ended. */
export interface Attempt {
  /** Whether an attempt before this one was about to send the transaction: what it may spend is spent. */
  readonly mayBeOut: boolean;
  /** To be called when all has been judged and paid, right before sending: later attempts find `mayBeOut`. */
  noteSending(): Promise<void>;
}

/** Keeps orders from when they are given out until well after they ran out, and makes sure that each runs once. */
export interface OrderStore<Answer> {
  put(order: StoredOrder): Promise<void>;
  /** Null for an order that never was, or was too long ago. */
  get(requestId: string): Promise<StoredOrder | null>;
  /**
   * The answer of the order's one execution: `run` is only called when there is none yet, under way or done.
   * @throws TooManyExecutions when very many are under way
   */
  executeOnce(order: StoredOrder, run: (attempt: Attempt) => Promise<Execution<Answer>>): Promise<Answer>;
  /**
   * Whether an order that `get` does not find may be under way all the same, because the store has just lost what it
   * kept. It passes within seconds. @throws Unavailable
   */
  mayHaveForgotten(): Promise<boolean>;
  /** Resolves when no execution is under way in this process, and its answers are where they are kept. */
  settled(): Promise<void>;
}

/** Answered with 429: the client may try again, since the order was not touched. */
export class TooManyExecutions extends Error {
  override readonly name = 'TooManyExecutions';
  readonly statusCode = 429;
}
