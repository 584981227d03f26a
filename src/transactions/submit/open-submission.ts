import type { SendResult } from './send-once.ts';
import { DenialCount, isSeen, type TransactionLookup } from './transaction-lookup.ts';

/** Milliseconds until a transaction is sent again. RPC nodes repeat transactions at the same interval. */
export const RESEND_MS = 2_000;
/**
 * A transaction is refused when all nodes have refused it this many times, with or without other answers in between, because
 * nodes that lag behind may be wrong.
 */
const MAX_REFUSALS = 3;

/** What differs between the ways to send a transaction until its outcome is known. */
export interface SubmissionPolicy {
  /** Milliseconds after which it is given up. */
  readonly maxMs: number;
  /** Milliseconds until it is sent again after every node has refused it; null if that is not sooner than otherwise. */
  readonly refusedAgainMs: number | null;
  /** Whether sending it is put off while a node shows it in a block that may still be dropped. */
  readonly pausesWhileSeen: boolean;
  /** The answers after which a node may forward it, so that the refusals of others do not end it. */
  readonly outAfter: readonly SendResult['kind'][];
  /** Whether refusals end it only while the node that was asked last knows of no block with it. */
  readonly refusalNeedsAbsence: boolean;
}

/**
 * A transaction that is sent until it is confirmed or can no longer land. It takes note of what nodes say, and decides when
 * the transaction is sent again and when it is over.
 */
export class OpenSubmission {
  readonly #policy: SubmissionPolicy;
  readonly #lastHeight: bigint;
  readonly #giveUpAt: number;
  #sendAt: number;
  /** Whether a node may have forwarded it. Then no refusal says that it cannot land. */
  #isOut: boolean;
  #isAbsent = false;
  readonly #denials = new DenialCount();
  #refusals = 0;

  /**
   * @param state - `lastHeight`: the last block height at which it can land. `startedAt` and `sendAt`, when it is sent for
   *   the next time: Unix milliseconds. `isOut`: whether a node may have forwarded it before.
   */
  constructor(
    policy: SubmissionPolicy,
    state: {
      readonly lastHeight: bigint;
      readonly startedAt: number;
      readonly sendAt: number;
      readonly isOut: boolean;
    },
  ) {
    this.#policy = policy;
    this.#lastHeight = state.lastHeight;
    this.#giveUpAt = state.startedAt + policy.maxMs;
    this.#sendAt = state.sendAt;
    this.#isOut = state.isOut;
  }

  /** @param height - The confirmed block height. */
  isDue(now: number, height: bigint): boolean {
    return now >= this.#sendAt && height <= this.#lastHeight;
  }

  isGivenUp(now: number): boolean {
    return now >= this.#giveUpAt;
  }

  /**
   * Notes what a node says of it.
   * Returns whether it has been denied so often in a row that the nodes of the network agree.
   */
  noteLookup(found: TransactionLookup, now: number): boolean {
    this.#isAbsent = found === null;
    if (isSeen(found) && this.#policy.pausesWhileSeen) this.#sendAt = now + RESEND_MS;
    return this.#denials.note(found);
  }

  /** Notes that it is sent now. */
  noteSending(now: number): void {
    this.#sendAt = now + RESEND_MS;
  }

  /** Notes that a node has accepted it, while others may not have answered. */
  noteAccepted(): void {
    this.#isOut = true;
  }

  /**
   * Notes the answers of all nodes to which it was sent at once.
   * Returns the refusal that ends it; null if it goes on.
   */
  noteAnswers(answers: readonly SendResult[], now: number): Extract<SendResult, { kind: 'rejected' }> | null {
    const { outAfter, refusedAgainMs, refusalNeedsAbsence } = this.#policy;
    if (answers.some(({ kind }) => outAfter.includes(kind))) this.#isOut = true;
    const refusals = answers.flatMap((answer) => (answer.kind === 'rejected' ? [answer] : []));
    const [first] = refusals;
    if (this.#isOut || first === undefined || refusals.length < answers.length) return null;
    this.#refusals++;
    if (refusalNeedsAbsence && !this.#isAbsent) return null;
    if (refusals.some(({ isFinal }) => isFinal) || this.#refusals >= MAX_REFUSALS) return first;
    if (refusedAgainMs !== null) this.#sendAt = now + refusedAgainMs;
    return null;
  }
}
