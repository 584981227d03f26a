import { ChainUnavailable } from '../../chain/chain.ts';
import { type Timers, wait } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { ExecutionResult } from '../../swaps/orders/execution-result.ts';
import type { MakerLink } from '../streams/maker-link.ts';
import type { CoSignedOrder } from '../../swaps/orders/stored-order.ts';
import type { CoSignResult, FillRefusal, FillRequest } from './prospects/co-signing.ts';
import type { FillLog } from './fill-log.ts';
import type { FillRecord } from './fill-records.ts';
import { type FillAnswer, toRefusedResult, updateRefusedResult } from './fill-outcomes.ts';
import { sendResult, parseOfferedSignature } from './fill-results.ts';
import type { FillSubmission } from './fill-submission.ts';
import type { Settlement } from './settlement.ts';

export interface FillExecutionOptions {
  readonly settlement: Settlement;
  readonly log: FillLog;
  readonly link: MakerLink;
  readonly timers: Timers;
  /** Called when the end of a fill cannot be determined in the background. */
  readonly onDefect: (error: unknown) => void;
}

/** An unknown end of a fill is looked up this often in the background, for 20 minutes. */
const RETRY_MS = 5_000;
const MAX_RETRIES = 240;
/** After a restart, results of this last period are sent again. If the restart takes longer, makers learn them from the chain. */
const REPLAYED_MS = 30_000;
const UNANSWERED: FillRefusal = {
  refused: 'failed',
  reason: 'what became of the swap cannot be looked up at the moment; ask again',
};

/** A fill that has a record and has not ended. */
interface OngoingFill {
  readonly swapUuid: string;
  readonly order: CoSignedOrder;
  readonly signature: string;
  readonly submission: FillSubmission;
}

/**
 * Executes fills, from the taker's signature to the end: last look, submission, and lookups in the records and on chain
 * when the result is unknown. It keeps no state of fills: that is held by settlement and the records.
 *
 * @example
 * ```ts
 * import type { FillRequest } from './prospects/co-signing.ts';
 * import type { FillExecution } from './fill-execution.ts';
 * import type { FillSubmission } from './fill-submission.ts';
 *
 * async function isFilled(fills: FillExecution, request: FillRequest, submission: FillSubmission): Promise<boolean> {
 *   const { final, answer } = await fills.execute(request, submission);
 *   return final && answer.kind === 'succeeded';
 * }
 * ```
 */
export class FillExecution {
  readonly #options: FillExecutionOptions;

  constructor(options: FillExecutionOptions) {
    this.#options = options;
  }

  /**
   * Has the maker sign the fill, and submits it. If the request already has a record, execution continues from there.
   * Returns the answer to the taker.
   * @throws ChainUnavailable if the network does not answer and nothing was sent
   */
  async execute(request: FillRequest, submission: FillSubmission): Promise<FillAnswer> {
    const { settlement, log } = this.#options;
    const { order, signature } = request;
    const { requestId } = order;
    const isRepeated = log.mayHaveRecord(requestId);
    const known = isRepeated ? await this.#recordOf(requestId) : null;
    if (known === 'unanswered') return toUnanswered(signature);
    if (known !== null) return this.#continueFrom(known, order, submission);
    const check = submission.beginFirstCheck();
    let signed: CoSignResult;
    if ('refused' in check) signed = { ...check, swapUuid: null };
    else {
      const { prospects } = check;
      signed = await settlement.coSign(request, check, isRepeated).finally(() => prospects.close());
    }
    const { swapUuid } = signed;
    if (signed.refused === undefined) {
      const fill = { swapUuid: signed.swapUuid, order, signature, submission };
      return this.#submit(fill, signed.wire);
    }
    // A fill that is not recorded here may have been started by another process.
    const isOther = signed.refused === 'known' || swapUuid === null;
    const before = isOther ? await this.#recordOf(requestId) : null;
    if (before === 'unanswered') return toUnanswered(signature);
    if (before !== null) return this.#continueFrom(before, order, submission);
    if (swapUuid === null) {
      // After a rejection by the check the taker may try again once it can pay: nothing was recorded or sent.
      const checked = 'refused' in check ? check : await check.refusal.catch(() => null);
      return { final: checked?.refused !== 'rejected', answer: toRefusedResult(signed, signature) };
    }
    return this.#refuse({ swapUuid, order, signature, submission }, signed);
  }

  /**
   * Returns the record of the request; null if there is none.
   * @throws Unavailable if the database does not answer
   */
  find(requestId: string): Promise<FillRecord | null> {
    return this.#options.log.find(requestId);
  }

  /** Returns the fills that a process left unfinished when it ended. */
  unfinished(): Promise<readonly FillRecord[]> {
    return this.#options.log.unfinished();
  }

  /** Sends the newest results of an ended process to their makers again, because it is unknown which they received. */
  async replayResults(): Promise<void> {
    const { log, timers, link } = this.#options;
    for (const record of await log.endedSince(timers.now() - REPLAYED_MS)) {
      sendResult(link, record);
    }
  }

  /** Sends a result that another process recorded to its maker, which may have connected to this process. */
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

  async #continueFrom(
    record: FillRecord,
    order: CoSignedOrder,
    submission: FillSubmission,
  ): Promise<FillAnswer> {
    const { settlement } = this.#options;
    const { swapUuid, state, offered } = record;
    const terms = order.coSigner;
    const signature = parseOfferedSignature(offered);
    const fill = { swapUuid, order, signature, submission };
    switch (state) {
      case 'confirmed':
      case 'failed':
        return { final: true, answer: getAnswer(record) };
      case 'expired':
      case 'rejected': {
        settlement.addRefused(record, signature);
        const { landed, isOver } = await this.#findLanded(fill);
        return landed ?? { final: isOver, answer: updateRefusedResult(getAnswer(record), isOver) };
      }
      case 'landing':
        settlement.resumeSubmission(record, terms, signature);
        return this.#submit(fill, record.signed ?? offered);
      case 'offered': {
        if (await submission.isOnChain(signature)) {
          settlement.resumeSubmission(record, terms, signature);
          return this.#submit(fill, offered);
        }
        const check = submission.beginCheck();
        const looked = await settlement
          .resumeLastLook(record, terms, signature, check)
          .finally(() => check.prospects.close());
        return looked.refused === undefined ? this.#submit(fill, looked.wire) : this.#refuse(fill, looked);
      }
    }
  }

  /** While the end is unknown, it is looked up in the background, and the maker's inventory stays reserved. */
  async #submit(fill: OngoingFill, wire: Uint8Array): Promise<FillAnswer> {
    const { swapUuid, order, submission } = fill;
    const claim = this.#options.settlement.signedClaim(swapUuid, order.coSigner);
    const stopWatch = submission.watchSigned(claim);
    let isOpen = false;
    try {
      const landed = await this.#land(fill, wire);
      isOpen = !landed.final;
      return landed;
    } catch (error) {
      isOpen = error instanceof ChainUnavailable;
      throw error;
    } finally {
      if (isOpen) this.#retryInBackground(async () => (await this.#land(fill, wire)).final, stopWatch);
      else stopWatch();
    }
  }

  async #land({ swapUuid, signature, submission }: OngoingFill, wire: Uint8Array): Promise<FillAnswer> {
    const { landing, answer } = await submission.submit(wire, signature);
    if (landing === 'unknown') return { final: false, answer };
    await this.#options.settlement.landed(swapUuid, landing, answer);
    return { final: true, answer };
  }

  /** If the refusal cannot be recorded, that is retried in the background, and the maker is notified afterwards. */
  async #refuse(fill: OngoingFill, { refused, reason }: FillRefusal): Promise<FillAnswer> {
    const refusal = toRefusedResult({ refused, reason }, fill.signature);
    const settled = await this.#settleRefusal(fill, refusal);
    if (settled !== null) return settled;
    this.#retryInBackground(async () => (await this.#settleRefusal(fill, refusal)) !== null);
    return { final: false, answer: refusal };
  }

  /** Returns null if the refusal cannot be recorded now: then it is unknown whether the swap was signed after all. */
  async #settleRefusal(fill: OngoingFill, refusal: ExecutionResult): Promise<FillAnswer | null> {
    const { landed, isOver } = await this.#findLanded(fill);
    if (landed !== null) return landed;
    // The record is read after the end of the fill, when the outcome must not be called unknown any more.
    const final = updateRefusedResult(refusal, true);
    const isRefused = await this.#options.settlement.refused(fill.swapUuid, final);
    if (isRefused === null) return null;
    if (!isRefused) {
      // Another process has settled the fill, or the write of the signature succeeded after all.
      const record = await this.#recordOf(fill.order.requestId);
      if (record === 'unanswered') return null;
      if (record !== null && record.state !== 'offered') {
        return this.#continueFrom(record, fill.order, fill.submission);
      }
    }
    return { final: isOver, answer: isOver ? final : refusal };
  }

  /**
   * Looks the transaction up on chain, because the maker may have submitted it itself. What the chain says overrides a
   * refusal, so a refusal is final only once the transaction can no longer land.
   */
  async #findLanded({ swapUuid, signature, submission }: OngoingFill): Promise<{
    readonly landed: FillAnswer | null;
    readonly isOver: boolean;
  }> {
    const found = await submission.find(signature);
    if (found.landing === null) return { landed: null, isOver: found.isOver };
    await this.#options.settlement.landed(swapUuid, found.landing, found.answer);
    return { landed: { final: true, answer: found.answer }, isOver: true };
  }

  /**
   * Calls `isSettled` regularly until it resolves to true, for at most 20 minutes. A restart continues from the record.
   * @param onEnd - Called when the retries have ended, for either reason.
   */
  #retryInBackground(isSettled: () => Promise<boolean>, onEnd: () => void = () => {}): void {
    const { timers, onDefect } = this.#options;
    const retry = async () => {
      for (let attempt = 0; attempt < MAX_RETRIES; attempt++) {
        await wait(RETRY_MS, timers);
        const settled = await isSettled().catch((error: unknown) => {
          if (error instanceof ChainUnavailable) return false;
          throw error;
        });
        if (settled) return;
      }
    };
    retry().catch(onDefect).finally(onEnd);
  }
}

/** The answer while the database, which knows whether the swap was executed, does not answer. */
function toUnanswered(signature: string): FillAnswer {
  return { final: false, answer: toRefusedResult(UNANSWERED, signature) };
}

/** Returns the answer of a fill whose record has an end. */
function getAnswer({ swapUuid, answer }: FillRecord): ExecutionResult {
  if (answer === null) throw new Error(`the record of the fill ${swapUuid} has an end without an answer`);
  return answer;
}
