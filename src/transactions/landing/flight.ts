import type { SignatureStatus } from '../../chain/chain.ts';
import { MAX_DENIALS, MAX_REFUSALS, RESEND_MS, type SendResult } from '../submit/send-once.ts';
import type { Landing, LandingOutcome } from './landing.ts';
import type { Party } from '../../common/party.ts';

/** A landing that has not ended. Its methods note what nodes say about it, and return how it ends; null if it goes on. */
export class Flight {
  readonly landing: Landing;
  /** Who holds its place. */
  readonly submitter: Party;
  /** When the transaction is sent again, in Unix milliseconds. */
  sendAt: number;
  /** How many times in a row all senders refused it. */
  #refusals = 0;
  /** How many times in a row no block had it. */
  #denials = 0;

  constructor(landing: Landing, submitter: Party, sendAt: number) {
    this.landing = landing;
    this.submitter = submitter;
    this.sendAt = sendAt;
  }

  /** Notes that a block has the transaction. */
  noteStatus({ slot, commitment, error }: SignatureStatus, now: number): LandingOutcome | null {
    const { landing } = this;
    this.#denials = 0;
    landing.seenAt ??= now;
    landing.slot = slot;
    // A processed block may still be dropped, so the transaction is sent again after a while.
    this.sendAt = now + RESEND_MS;
    if (commitment === 'processed') return null;
    landing.confirmedAt = now;
    landing.error = error === null ? null : JSON.stringify(error);
    return error === null ? 'confirmed' : 'failed';
  }

  /** Notes that no block has the transaction, although its last height has passed. */
  noteAbsence(): LandingOutcome | null {
    if (++this.#denials < MAX_DENIALS) return null;
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
    landing.forwardedAt ??= now;
    const waiting = landing.submissions
      .slice(0, submitters)
      .filter(({ forwardedAt }) => forwardedAt === null);
    for (const submission of waiting) submission.forwardedAt = now;
    return waiting.length > 0;
  }

  /** Notes the answers of all senders. The transaction is rejected only if none of them ever accepted it. */
  noteAnswers(results: readonly SendResult[]): LandingOutcome | null {
    const { landing } = this;
    if (landing.outcome !== null) return null;
    if (results.some(({ kind }) => kind === 'accepted')) {
      this.#refusals = 0;
      return null;
    }
    const refusals = results.flatMap((one) => (one.kind === 'rejected' ? [one] : []));
    if (landing.forwardedAt !== null || refusals.length < results.length) return null;
    this.#refusals++;
    const isFinal = refusals.some((one) => one.isFinal);
    if (!isFinal && this.#refusals < MAX_REFUSALS) return null;
    landing.error = refusals[0]?.message ?? null;
    return 'rejected';
  }
}
