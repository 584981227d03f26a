import type { Chain, SignatureStatus } from '../../chain/chain.ts';
import { type Timers, wait } from '../../common/ports/timers.ts';
import { parseTransaction, readSignerCount } from '../../solana/messages/transaction.ts';
import { type SearchedMessage, searchMessage } from './message-search.ts';
import { OpenSubmission, type SubmissionPolicy } from './open-submission.ts';
import { sendOnce } from './send-once.ts';
import {
  hasSucceeded,
  isConfirmed,
  readSignatureStatus,
  SEARCH_MS,
  searchTransaction,
} from './transaction-lookup.ts';

/** A fully signed transaction and its lifetime. */
export interface SubmittableTransaction {
  readonly wire: Uint8Array;
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
  /**
   * Whether the key of the fee payer is not ours. It can have signed the same message several times, and can land it by
   * another signature than this one. So the message is searched for before it is said that it has not landed.
   */
  readonly isPaidByOthers?: boolean;
  /** Called once, when a node first says that the transaction has succeeded in a block that is not confirmed yet. */
  readonly onProcessed?: () => Promise<void>;
}

export type SubmissionOutcome =
  /** Confirmed, with success or failure. `signature` is the one on the chain. */
  | { readonly kind: 'landed'; readonly signature: string; readonly status: SignatureStatus }
  /** Not in any block, and its blockhash has expired. */
  | { readonly kind: 'expired' }
  /**
   * The network refuses the transaction. With `isFinal`, every node does; otherwise a more up-to-date node may accept
   * it.
   */
  | {
      readonly kind: 'rejected';
      readonly isFinal: boolean;
      readonly error: unknown;
      readonly logs: readonly string[];
    }
  /** The network did not report the outcome. */
  | { readonly kind: 'unknown' };

const POLL_MS = 200;

/** The outcome is what a client acts upon, so that nothing is said to have not landed that a node may have forwarded. */
const UNTIL_CONFIRMED: SubmissionPolicy = {
  // Twice as long as a healthy network needs for 150 slots.
  maxMs: 120_000,
  refusedAgainMs: SEARCH_MS,
  pausesWhileSeen: false,
  outAfter: ['accepted', 'unavailable'],
  refusalNeedsAbsence: true,
};

/**
 * The most milliseconds of a request that waits until a transaction has landed or its blockhash has expired: those of
 * `submitAndConfirm` and a reserve.
 */
export const EXECUTE_TIMEOUT_MS = 130_000;

/**
 * Sends the transaction repeatedly until it is confirmed or its blockhash has expired. When the network does not
 * answer, the request is repeated; a transaction that is sent twice still lands once.
 * @param transaction - The transaction with all signatures.
 * @param mayBeOut - Whether an earlier attempt, or another instance, may have sent it. Then no refusal of a node says
 *   that it cannot land.
 * @returns the outcome, at the latest after two minutes
 *
 * @example
 * ```ts
 * import type { Chain } from '../../chain/chain.ts';
 * import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
 * import { type SubmittableTransaction, submitAndConfirm } from './submit-and-confirm.ts';
 *
 * async function hasSucceeded(chain: Chain, transaction: SubmittableTransaction): Promise<boolean> {
 *   const outcome = await submitAndConfirm(chain, SYSTEM_TIMERS, transaction);
 *   return outcome.kind === 'landed' && outcome.status.error === null;
 * }
 * ```
 */
export async function submitAndConfirm(
  chain: Chain,
  timers: Timers,
  transaction: SubmittableTransaction,
  mayBeOut = false,
): Promise<SubmissionOutcome> {
  const { wire, signature, lastValidBlockHeight } = transaction;
  const startedAt = timers.now();
  const submission = new OpenSubmission(UNTIL_CONFIRMED, {
    lastHeight: lastValidBlockHeight,
    startedAt,
    sendAt: startedAt,
    isOut: mayBeOut,
  });
  let wasSeen = false;
  for (;;) {
    const isOver = chain.blockHeight('finalized') > lastValidBlockHeight;
    const found = isOver
      ? await searchTransaction(chain, transaction)
      : await readSignatureStatus(chain, signature);
    if (isConfirmed(found)) return { kind: 'landed', signature, status: found };
    if (!wasSeen && hasSucceeded(found)) {
      wasSeen = true;
      await transaction.onProcessed?.();
    }
    const isDenied = submission.noteLookup(found, timers.now());
    const end = isDenied ? await findEnd(chain, transaction) : null;
    if (end !== null) return end;
    if (submission.isGivenUp(timers.now())) return { kind: 'unknown' };
    if (submission.isDue(timers.now(), chain.blockHeight('confirmed'))) {
      submission.noteSending(timers.now());
      const sent = await sendOnce(chain, wire);
      const refusal = submission.noteAnswers([sent], timers.now());
      if (refusal !== null) {
        const { isFinal, error, logs } = refusal;
        return { kind: 'rejected', isFinal, error, logs };
      }
      if (sent.kind !== 'rejected') continue;
    }
    await wait(isOver ? SEARCH_MS : POLL_MS, timers);
  }
}

/** How a transaction ended that can no longer land by the signature that was looked up. */
export type SubmissionEnd = Extract<SubmissionOutcome, { kind: 'landed' | 'expired' }>;

/** Returns how a transaction ended whose signature is on no chain; null if it may have landed by another signature. */
async function findEnd(
  chain: Chain,
  { wire, lastValidBlockHeight, isPaidByOthers }: SubmittableTransaction,
): Promise<SubmissionEnd | null> {
  if (isPaidByOthers !== true) return { kind: 'expired' };
  return searchByOtherSignatures(chain, {
    messageBytes: parseTransaction(wire).messageBytes,
    lastValidBlockHeight,
  });
}

/**
 * Finds out how a message ended that can no longer land, and is on the chain by no signature that is known: its fee payer can
 * have landed it by another one.
 * Returns null while that is not known.
 */
export async function searchByOtherSignatures(
  chain: Chain,
  message: SearchedMessage,
): Promise<SubmissionEnd | null> {
  const search = await searchMessage(chain, message);
  if (search.kind === 'landed') return search;
  // The only signer of a message chose the signature that was looked up, so a node without lists may deny it.
  const isOver =
    search.kind === 'denied' || (search.kind === 'unlisted' && readSignerCount(message.messageBytes) === 1);
  return isOver ? { kind: 'expired' } : null;
}
