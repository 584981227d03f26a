import type { SignatureStatus } from '../../chain/chain.ts';
import { OpenSubmission, type SubmissionPolicy } from '../submit/open-submission.ts';
import type { SendResult } from '../submit/send-once.ts';
import type { Landing, LandingOutcome } from './landing.ts';
import type { Party } from '../../common/party.ts';

/** What a landing ends with is a report, and the same transaction can be submitted again after a refusal. */
const LANDING: SubmissionPolicy = {
  // Several times as long as a healthy network of Solana's pace needs for 150 blocks.
  maxMs: 300_000,
  refusedAgainMs: null,
  pausesWhileSeen: true,
  outAfter: ['accepted'],
  refusalNeedsAbsence: false,
};

/** A landing that has not ended. Its methods note what nodes say about it, and return how it ends; null if it goes on. */
export class Flight {
  readonly landing: Landing;
  /** Who holds its place. */
  readonly submitter: Party;
  readonly submission: OpenSubmission;

  /** @param sendAt - When the transaction is sent for the next time, in Unix milliseconds. */
  constructor(landing: Landing, submitter: Party, sendAt: number) {
    this.landing = landing;
    this.submitter = submitter;
    this.submission = new OpenSubmission(LANDING, {
      lastHeight: landing.lastHeight,
      startedAt: landing.acceptedAt,
      sendAt,
      isOut: landing.forwardedAt !== null,
    });
  }

  /** Notes that a block has the transaction. */
  noteStatus(status: SignatureStatus, now: number): LandingOutcome | null {
    const { landing } = this;
    const { slot, commitment, error } = status;
    this.submission.noteLookup(status, now);
    landing.seenAt ??= now;
    landing.slot = slot;
    if (commitment === 'processed') return null;
    landing.confirmedAt = now;
    landing.error = error === null ? null : JSON.stringify(error);
    return error === null ? 'confirmed' : 'failed';
  }

  /** Notes that no block has the transaction, although its last height has passed. */
  noteAbsence(now: number): LandingOutcome | null {
    if (!this.submission.noteLookup('denied', now)) return null;
    // A durable nonce stays valid until it is advanced, so the transaction can land later.
    return this.landing.transaction.isDurable ? 'unknown' : 'expired';
  }

  /**
   * Notes that a sender has accepted the transaction.
   * @param submitters - The number of submitters when it was sent. Reports of later submitters do not mention this send.
   * @returns whether it is the first one that has for a submitter, and the landing has not ended
   */
  noteForwarded(now: number, submitters: number): boolean {
    const { landing } = this;
    if (landing.outcome !== null) return false;
    this.submission.noteAccepted();
    landing.forwardedAt ??= now;
    const waiting = landing.submissions
      .slice(0, submitters)
      .filter(({ forwardedAt }) => forwardedAt === null);
    for (const submission of waiting) submission.forwardedAt = now;
    return waiting.length > 0;
  }

  /** Notes the answers of all senders. The transaction is rejected only if none of them ever accepted it. */
  noteAnswers(results: readonly SendResult[], now: number): LandingOutcome | null {
    const { landing } = this;
    if (landing.outcome !== null) return null;
    const refusal = this.submission.noteAnswers(results, now);
    if (refusal === null) return null;
    landing.error = refusal.message;
    return 'rejected';
  }
}
