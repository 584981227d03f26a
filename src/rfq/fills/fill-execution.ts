import { ChainUnavailable } from '../../chain/chain.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { SignedClaim } from '../books/reservations.ts';
import type { FillTerms } from '../liquidity/fill-terms.ts';
import type { MakerLink } from '../streams/maker-link.ts';
import type { CoSigned, FillRequest, Prospects } from './co-signing.ts';
import type { FillLog } from './fill-log.ts';
import type { FillRecord } from './fill-records.ts';
import { type Reason, sendResult, signatureOf } from './fill-results.ts';
import type { Landing, Settlement } from './settlement.ts';

/** What the taker is told, as text that whoever submits the transaction writes and reads. */
type Answer = string;

/** What came of a submission. `unknown`: the transaction may land yet. */
export interface Submitted {
  readonly landing: Landing | 'unknown';
  readonly answer: Answer;
}

/** What the chain says of a transaction that nobody here has submitted. */
export type Found =
  | { readonly landing: Landing; readonly answer: Answer }
  /** `isOver`: it can no longer land. */
  | { readonly landing: null; readonly isOver: boolean };

/** How the transaction of one fill is checked, submitted and found: the part of whoever executes the taker's order. */
export interface FillSubmission {
  /**
   * Called before anything of the maker is reserved.
   * @returns why the fill is not offered to the maker, or what is to be watched while the maker has it
   * @throws ChainUnavailable
   */
  check(): Promise<Reason | Prospects>;
  /**
   * Called once the maker has signed, and before `submit`. Tells the claim from now on whether the taker can still pay.
   * @returns the way to stop, which is called when the fill has ended
   */
  watchSigned(claim: SignedClaim): () => void;
  /**
   * Submits the transaction and waits for what comes of it. May be called more than once.
   * @param wire with the signatures of the taker and the maker
   * @throws ChainUnavailable before anything was sent
   */
  submit(wire: Uint8Array, signature: string): Promise<Submitted>;
  /** Looks for a transaction that the maker may have submitted by itself. */
  find(signature: string): Promise<Found>;
  /** @returns whether the transaction is on chain now */
  isOnChain(signature: string): Promise<boolean>;
  /** Writes a refusal for the taker. */
  refusal(reason: Reason, signature: string): Answer;
}

/** What the taker is told; an answer that is not final leaves open whether the swap was made. */
export interface FillAnswer {
  readonly final: boolean;
  readonly answer: Answer;
}

export interface FillExecutionOptions {
  readonly settlement: Settlement;
  readonly log: FillLog;
  readonly link: MakerLink;
  readonly timers: Timers;
  /** Called when an end that is looked for in the background cannot be found out. */
  readonly onDefect: (error: unknown) => void;
}

/** How often the end of a fill is looked for after its taker was told that it is not known: for 20 minutes. */
const LATER_MS = 5_000;
const LATER_ATTEMPTS = 240;
/** A process that is killed is started again within this time, or its makers learn the results from the chain. */
const REPLAYED_MS = 30_000;
const UNANSWERED: Reason = {
  refused: 'failed',
  reason: 'what became of the swap cannot be looked up at the moment; ask again',
};

/** A fill that has a record, on its way to its end. */
interface Course {
  readonly swapUuid: string;
  readonly requestId: string;
  readonly terms: FillTerms;
  readonly signature: string;
  readonly submission: FillSubmission;
}

/**
 * Takes fills from the taker's signature to their end: last look, submission, and what the records and the chain say
 * afterwards. Where a fill stands is known to settlement and its records.
 */
export class FillExecution {
  readonly #options: FillExecutionOptions;

  constructor(options: FillExecutionOptions) {
    this.#options = options;
  }

  /**
   * Has the maker sign the fill, and submits it. A request that has a record already goes on where that says.
   * @throws ChainUnavailable when the network does not answer before anything was sent
   */
  async execute(request: FillRequest, submission: FillSubmission): Promise<FillAnswer> {
    const { settlement, log } = this.#options;
    const { requestId, terms, signature } = request;
    const known = log.hasSeen(requestId) ? await this.#recordOf(requestId) : null;
    if (known === 'unanswered') return unanswered(submission, signature);
    if (known !== null) return this.#goOn(known, terms, submission);
    const checked = await submission.check();
    let signed: CoSigned;
    if ('refused' in checked) signed = { ...checked, swapUuid: null };
    else signed = await settlement.coSign(request, checked).finally(() => checked.close());
    const { swapUuid } = signed;
    if (signed.refused === undefined) {
      const course = { swapUuid: signed.swapUuid, requestId, terms, signature, submission };
      return this.#submit(course, signed.wire);
    }
    // What is refused before anything of it was recorded may be under way since another process began it.
    const isOther = signed.refused === 'known' || swapUuid === null;
    const before = isOther ? await this.#recordOf(requestId) : null;
    if (before === 'unanswered') return unanswered(submission, signature);
    if (before !== null) return this.#goOn(before, terms, submission);
    if (swapUuid === null) {
      // What the check refuses may be asked for again when the taker can pay; nothing was recorded or sent.
      const final = !('refused' in checked && checked.refused === 'rejected');
      return { final, answer: submission.refusal(signed, signature) };
    }
    return this.#refuse({ swapUuid, requestId, terms, signature, submission }, signed);
  }

  /** @returns the record of the request; null when there is none. @throws Unavailable */
  find(requestId: string): Promise<FillRecord | null> {
    return this.#options.log.find(requestId);
  }

  /** @returns the fills that a process that is gone has left without an end */
  unfinished(): Promise<readonly FillRecord[]> {
    return this.#options.log.unfinished();
  }

  /** Notifies makers of the results of the last moments of a process that is gone: nobody knows what they were told. */
  async replayResults(): Promise<void> {
    const { log, timers, link } = this.#options;
    for (const record of await log.endedSince(timers.now() - REPLAYED_MS)) sendResult(link, record);
  }

  /** Notifies the maker of a result that another process has recorded: the maker may have come back to this one. */
  async replayResult(requestId: string): Promise<void> {
    const { log, link } = this.#options;
    const record = await log.find(requestId);
    if (record !== null) sendResult(link, record);
  }

  async #recordOf(requestId: string): Promise<FillRecord | null | 'unanswered'> {
    try {
      return await this.#options.log.find(requestId);
    } catch (error) {
      if (error instanceof Unavailable) return 'unanswered';
      throw error;
    }
  }

  async #goOn(record: FillRecord, terms: FillTerms, submission: FillSubmission): Promise<FillAnswer> {
    const { settlement } = this.#options;
    const { swapUuid, requestId, state, answer, offered } = record;
    const signature = signatureOf(offered);
    const course = { swapUuid, requestId, terms, signature, submission };
    switch (state) {
      case 'confirmed':
      case 'failed':
        return { final: true, answer: answer ?? '' };
      case 'expired':
      case 'rejected': {
        settlement.remember(record, signature);
        const { landed, isOver } = await this.#findLanded(course);
        return landed ?? { final: isOver, answer: answer ?? '' };
      }
      case 'landing':
        settlement.resume(record, terms, signature);
        return this.#submit(course, record.signed ?? offered);
      case 'offered': {
        if (await submission.isOnChain(signature)) {
          settlement.resume(record, terms, signature);
          return this.#submit(course, offered);
        }
        const looked = await settlement.lookAgain(record, terms, signature);
        return looked.refused === undefined
          ? this.#submit(course, looked.wire)
          : this.#refuse(course, looked);
      }
    }
  }

  /** While the end is not known nobody may ask again, and the maker's inventory stays reserved. */
  async #submit(course: Course, wire: Uint8Array): Promise<FillAnswer> {
    const { swapUuid, terms, submission } = course;
    const stopWatch = submission.watchSigned(this.#options.settlement.signedClaim(swapUuid, terms));
    let isOpen = false;
    try {
      const landed = await this.#land(course, wire);
      isOpen = !landed.final;
      return landed;
    } catch (error) {
      isOpen = error instanceof ChainUnavailable;
      throw error;
    } finally {
      if (isOpen) this.#later(async () => (await this.#land(course, wire)).final, stopWatch);
      else stopWatch();
    }
  }

  async #land({ swapUuid, signature, submission }: Course, wire: Uint8Array): Promise<FillAnswer> {
    const { landing, answer } = await submission.submit(wire, signature);
    if (landing === 'unknown') return { final: false, answer };
    await this.#options.settlement.landed(swapUuid, landing, answer);
    return { final: true, answer };
  }

  /** While the refusal cannot be recorded nobody may ask again, and the maker waits to be told. */
  async #refuse(course: Course, { refused, reason }: Reason): Promise<FillAnswer> {
    const refusal = course.submission.refusal({ refused, reason }, course.signature);
    const settled = await this.#settleRefusal(course, refusal);
    if (settled !== null) return settled;
    this.#later(async () => (await this.#settleRefusal(course, refusal)) !== null);
    return { final: false, answer: refusal };
  }

  /** Null when the refusal cannot be recorded now, so that it is not known whether the swap was signed after all. */
  async #settleRefusal(course: Course, refusal: Answer): Promise<FillAnswer | null> {
    const { landed, isOver } = await this.#findLanded(course);
    if (landed !== null) return landed;
    const isRefused = await this.#options.settlement.refused(course.swapUuid, refusal);
    if (isRefused === null) return null;
    if (!isRefused) {
      // The record knows more: another process has settled it, or the write of the signature was not lost after all.
      const record = await this.#recordOf(course.requestId);
      if (record === 'unanswered') return null;
      if (record !== null && record.state !== 'offered') {
        return this.#goOn(record, course.terms, course.submission);
      }
    }
    return { final: isOver, answer: refusal };
  }

  /**
   * A maker that has the swap may land it by itself, before it is refused or later: what the chain says goes before what
   * was agreed, and a refusal is not final before the chain cannot say anything else.
   */
  async #findLanded({ swapUuid, signature, submission }: Course): Promise<{
    readonly landed: FillAnswer | null;
    readonly isOver: boolean;
  }> {
    const found = await submission.find(signature);
    if (found.landing === null) return { landed: null, isOver: found.isOver };
    await this.#options.settlement.landed(swapUuid, found.landing, found.answer);
    return { landed: { final: true, answer: found.answer }, isOver: true };
  }

  /**
   * Looks again from time to time until `isSettled`. Ends after 20 minutes; a restart goes on with the record.
   * @param onEnd called when it has ended, either way
   */
  #later(isSettled: () => Promise<boolean>, onEnd: () => void = () => {}): void {
    const { timers, onDefect } = this.#options;
    const look = async () => {
      for (let attempt = 0; attempt < LATER_ATTEMPTS; attempt++) {
        await new Promise<void>((resolve) => timers.after(LATER_MS, resolve));
        const settled = await isSettled().catch((error: unknown) => {
          if (error instanceof ChainUnavailable) return false;
          throw error;
        });
        if (settled) return;
      }
    };
    look().catch(onDefect).finally(onEnd);
  }
}

/** Whether the swap is under way, or was made, stands in a database that does not answer. */
function unanswered(submission: FillSubmission, signature: string): FillAnswer {
  return { final: false, answer: submission.refusal(UNANSWERED, signature) };
}
