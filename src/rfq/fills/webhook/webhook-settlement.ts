import { ChainUnavailable, type SignatureStatus } from '../../../chain/chain.ts';
import type { WebhookEvent } from '../../webhooks/conduct.ts';
import type { WebhookFillRecord } from '../../webhooks/fill-records.ts';
import type { SwapAnswer } from '../../webhooks/webhook.ts';
import { decodeClock } from '../../../solana/programs/clock.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { decodeBase58Exactly } from '../../../solana/encoding/base58.ts';
import { SIGNATURE_BYTES, verifySignatureInPool } from '../../../solana/messages/signature.ts';
import { parseTransaction, type Transaction } from '../../../solana/messages/transaction.ts';
import { SYSVAR_CLOCK } from '../../../solana/program-addresses.ts';
import type { AttemptEnd } from '../../../transactions/prepared/store.ts';
import { searchMessage } from '../../../transactions/submit/message-search.ts';
import { isConfirmed, readSignatureStatus } from '../../../transactions/submit/submit-and-confirm.ts';
import { isBrokenByMaker } from '../prospects/broken-fills.ts';
import { isLate, getLastHeight, computeMakerLamports } from './webhook-blame.ts';
import { Code, type ExecutionResult, createSwapFailure } from '../../../swaps/orders/execution-result.ts';
import { type OfferedFill, findObstacleNow, watchForObstacle } from '../prospects/fill-prospects.ts';
import { toExecutionResult } from '../../../swaps/orders/order-outcome.ts';
import { readOutcome } from '../../../transactions/submit/submit-and-read.ts';
import type { WebhookFillsOptions, WebhookOrder } from './webhook-fills.ts';

const POLL_MS = 400;
/** The last moment at which the chain shows whether the swap could still have been made. */
const JUDGED_SECONDS = 3n;
/** Longer than a network needs to finalize the last slot in which a fill could land. */
const MAX_WATCH_MS = 140_000;
const MAX_LISTED = 1_000;

/** What the chain says about a swap. */
type SwapLookup =
  | { readonly kind: 'landed'; readonly signature: string; readonly status: SignatureStatus }
  /** It is on no chain, and can no longer be. */
  | { readonly kind: 'never' }
  | { readonly kind: 'unknown' };

/**
 * One swap that a maker is sent and lands itself, from the offer to its end. Whatever the maker answers, or whether it
 * answers at all: with the taker's signature it can land the swap until the fill expires, so only the chain decides.
 */
export class WebhookSettlement {
  readonly #options: WebhookFillsOptions;
  readonly #order: WebhookOrder;
  readonly #offered: Uint8Array;
  readonly #transaction: Transaction;
  #answer: SwapAnswer | null = null;
  /** Whether the swap could have been made when the maker decided; null before that. */
  #wasPossible: boolean | null = null;
  /** Why the swap could not have been made for a while, through no fault of the maker; null if it always could. */
  #obstacle: string | null = null;
  /** Whether this process has sent the maker the swap. */
  #isSender = false;
  /** The newest transaction of the taker that was looked at. */
  #newest: string | undefined;
  /** Ends the pause of the watch. */
  #wake: () => void = () => {};
  readonly #first = createDeferred<AttemptEnd<ExecutionResult>>();
  readonly #end = createDeferred<void>();

  constructor(options: WebhookFillsOptions, order: WebhookOrder, offered: Uint8Array) {
    this.#options = options;
    this.#order = order;
    this.#offered = offered;
    this.#transaction = parseTransaction(offered);
  }

  /** @returns the first thing that the taker can be answered; not final if the maker could still land the swap */
  answered(): Promise<AttemptEnd<ExecutionResult>> {
    return this.#first.promise;
  }

  ended(): Promise<void> {
    return this.#end.promise;
  }

  /**
   * Sends the swap if it is new, and watches the chain until it is decided.
   * @throws Error only for defects; the taker is then answered that the outcome is not known
   */
  async run(isNew: boolean): Promise<void> {
    const given = new AbortController();
    this.#isSender = isNew;
    const stopWatch = this.#watchTaker();
    try {
      const sent = isNew ? this.#send(given.signal) : Promise.resolve();
      const found = await this.#watch();
      given.abort();
      await sent;
      await this.#conclude(found);
    } catch (error) {
      const message = 'what became of the swap is not known; send the same request again';
      this.#first.resolve({ final: false, answer: createSwapFailure(Code.MAKER_UNKNOWN, message) });
      throw error;
    } finally {
      stopWatch();
      given.abort();
      this.#end.resolve();
    }
  }

  /** Notes what stands in the way of the swap while its maker may make it, and is not the maker's fault. */
  #watchTaker(): () => void {
    const { spends, requestId } = this.#order;
    const commitment =
      spends === undefined ? null : { spending: spends, signature: requestId, isSigned: false };
    return watchForObstacle(this.#options, { ...this.#offeredFill(), commitment }, (obstacle) => {
      void this.#noteObstacle(obstacle);
    });
  }

  async #noteObstacle(obstacle: string): Promise<void> {
    // Later the swap fails because the fill expires, which is the maker's fault. The clock of the head may be older than the
    // state in which the swap failed.
    if (this.#isJudged() || (await this.#hasExpired())) return;
    this.#obstacle = obstacle;
    if (this.#answer !== null) await this.#note(this.#answer.kind, obstacle);
  }

  /** Whether the fill has expired by the newest clock of the network; false if the network answers nothing or nonsense. */
  async #hasExpired(): Promise<boolean> {
    const [clock] = await this.#options.chain.getAccounts([SYSVAR_CLOCK]).catch(() => []);
    const data = clock?.account?.data;
    if (data === undefined) return false;
    try {
      return decodeClock(data).unixTimestamp > this.#order.webhookFill.terms.expireAt;
    } catch (error) {
      if (error instanceof LayoutInvalid) return false;
      throw error;
    }
  }

  async #send(signal: AbortSignal): Promise<void> {
    const { webhooks } = this.#options;
    const { requestId, webhookFill } = this.#order;
    const { makerId, quoteId } = webhookFill;
    const answer = await webhooks.swap(makerId, { requestId, quoteId, wire: this.#offered }, signal);
    if (signal.aborted) return;
    let excuse = this.#obstacle;
    if (answer.kind === 'rejected') {
      this.#wasPossible = await this.#isPossible();
      if (!this.#wasPossible) excuse ??= 'it could not be made when the maker rejected it';
      const until = webhookFill.terms.expireAt;
      const message = `the maker rejects the swap: ${answer.reason}. It could land it until ${until} nevertheless; send the same request again after that to be sure`;
      this.#first.resolve({ final: false, answer: createSwapFailure(Code.SWAP_REJECTED, message) });
    }
    this.#answer = answer;
    this.#wake();
    await this.#note(answer.kind, excuse);
  }

  async #note(kind: SwapAnswer['kind'], excuse: string | null): Promise<void> {
    const { records, onDefect } = this.#options;
    await records
      .note(this.#order.requestId, kind, excuse)
      .catch((error: unknown) => onDefect('the answer of a webhook maker could not be stored', error));
  }

  async #watch(): Promise<SwapLookup> {
    const { chain, timers } = this.#options;
    const { expireAt } = this.#order.webhookFill.terms;
    const giveUpAt = timers.now() + MAX_WATCH_MS;
    let overSince: bigint | null = null;
    for (;;) {
      const { unixTimestamp } = chain.clock();
      const isSettled = overSince !== null && chain.slot('finalized') >= overSince;
      if (overSince === null && unixTimestamp > expireAt) overSince = chain.slot('processed');
      const found = await this.#find();
      if (found.kind === 'landed') return found;
      if (isSettled) {
        const last = await this.#searchAll();
        if (last.kind !== 'unknown') return last;
      }
      if (this.#wasPossible === null && this.#isJudged()) {
        this.#wasPossible = await this.#isPossible();
      }
      if (timers.now() >= giveUpAt) return { kind: 'unknown' };
      await this.#pause();
    }
  }

  /** Whether the fill is in its last moments, or has expired. */
  #isJudged(): boolean {
    const { expireAt } = this.#order.webhookFill.terms;
    return this.#options.chain.clock().unixTimestamp > expireAt - JUDGED_SECONDS;
  }

  /** Until the next look at the chain, or until the maker has answered. */
  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#options.timers.after(POLL_MS, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    this.#wake = () => {};
  }

  /**
   * Looks for the swap among the taker's newest transactions. The maker's signature of its message is the proof. The one
   * that it told is a hint only: it can sign the message again, and land that.
   */
  async #find(): Promise<SwapLookup> {
    const { chain } = this.#options;
    const { taker } = this.#order;
    try {
      const hinted = this.#answer?.kind === 'accepted' ? this.#answer.signature : null;
      if (hinted !== null && (await this.#isOurs(hinted))) {
        const found = await this.#statusOf(hinted);
        if (found.kind === 'landed') return found;
      }
      const range = this.#newest === undefined ? {} : { until: this.#newest };
      const listed = await chain.signaturesOf(taker, { limit: MAX_LISTED, ...range });
      for (const { signature } of listed) {
        if (await this.#isOurs(signature)) return await this.#statusOf(signature);
      }
      this.#newest = listed[0]?.signature ?? this.#newest;
      return { kind: 'never' };
    } catch (error) {
      if (error instanceof ChainUnavailable) return { kind: 'unknown' };
      throw error;
    }
  }

  /** Before the final "no": looks for the message everywhere, once everything that may have it is final. */
  async #searchAll(): Promise<SwapLookup> {
    const { chain } = this.#options;
    const { messageBytes } = this.#transaction;
    const { lastValidBlockHeight } = this.#order;
    const found = await searchMessage(chain, { messageBytes, lastValidBlockHeight });
    if (found.kind === 'landed') return found;
    return { kind: found.kind === 'denied' ? 'never' : 'unknown' };
  }

  /** Verifies in the thread pool, because the first list has up to a thousand signatures. */
  async #isOurs(signature: string): Promise<boolean> {
    const bytes = decodeBase58Exactly(signature, SIGNATURE_BYTES);
    const { maker } = this.#order.webhookFill.terms;
    return bytes !== null && verifySignatureInPool(maker, this.#transaction.messageBytes, bytes);
  }

  async #statusOf(signature: string): Promise<SwapLookup> {
    const status = await readSignatureStatus(this.#options.chain, signature);
    if (isConfirmed(status)) return { kind: 'landed', signature, status };
    return { kind: status === null ? 'never' : 'unknown' };
  }

  /** Whether nothing but the maker stands in the way of the swap. */
  async #isPossible(): Promise<boolean> {
    try {
      return (await findObstacleNow(this.#options, this.#offeredFill())) === null;
    } catch (error) {
      if (error instanceof ChainUnavailable) return false;
      throw error;
    }
  }

  #offeredFill(): OfferedFill {
    const { requestId, webhookFill } = this.#order;
    const { message } = this.#transaction;
    const lastValidBlockHeight = getLastHeight(this.#options.chain, this.#order, message);
    return {
      order: { ...this.#order, lastValidBlockHeight },
      terms: webhookFill.terms,
      transaction: { wire: this.#offered, signature: requestId, lastValidBlockHeight },
      commitment: null,
      makerLamports: computeMakerLamports(this.#order, message),
    };
  }

  async #conclude(found: SwapLookup): Promise<void> {
    const { records, webhooks } = this.#options;
    const { requestId, webhookFill } = this.#order;
    if (found.kind === 'unknown') {
      const message = 'the network does not say whether the swap was made; send the same request again';
      this.#first.resolve({ final: false, answer: createSwapFailure(Code.MAKER_UNKNOWN, message) });
      return;
    }
    const record = await records.byRequest(requestId);
    // Another instance has ended it. Its answer is everybody's, and the record does not say any more what the maker answered.
    if (record !== null && record.answer !== null) {
      this.#first.resolve({ final: true, answer: record.answer });
      return;
    }
    const isRejected = this.#answer?.kind === 'rejected' || record?.state === 'rejected';
    const isExcused = this.#isExcused(record, isRejected);
    const { answer, event } =
      found.kind === 'landed'
        ? await this.#landed(found, isExcused)
        : this.#neverLanded(isRejected, isExcused);
    const isFirst = await records.end(requestId, answer);
    if (!isFirst) {
      const ended = (await records.byRequest(requestId))?.answer ?? null;
      this.#first.resolve({ final: true, answer: ended ?? answer });
      return;
    }
    this.#first.resolve({ final: true, answer });
    await webhooks.note(webhookFill.makerId, { kind: event, requestId });
    if (event === 'filled' && isRejected) {
      await webhooks.note(webhookFill.makerId, { kind: 'landed-though-rejected', requestId });
    }
  }

  /** Whether it is not the maker's fault that the swap was not made in time. All instances find the same. */
  #isExcused(record: WebhookFillRecord | null, isRejected: boolean): boolean {
    if (record === null || record.excuse !== null || this.#obstacle !== null) return true;
    // The process that was to send the swap ended, and may not have sent it.
    if (!this.#isSender && record.state === 'offered') return true;
    // When the maker rejected it, the record was judged by what was possible then.
    return isRejected && !this.#isSender ? false : this.#wasPossible !== true;
  }

  async #landed(
    { signature, status }: Extract<SwapLookup, { kind: 'landed' }>,
    isExcused: boolean,
  ): Promise<Conclusion> {
    const { terms } = this.#order.webhookFill;
    const { message } = this.#transaction;
    const lamports = computeMakerLamports(this.#order, message);
    const outcome = await readOutcome(this.#options, signature, status);
    const answer = toExecutionResult(this.#order, outcome);
    if (outcome.kind === 'succeeded') return { answer, event: 'filled' };
    const { transaction: landed } = outcome;
    const isBroken =
      landed !== null &&
      (isBrokenByMaker({ ...this.#order, coSigner: terms }, landed, lamports) ||
        (isLate(landed, message) && !isExcused));
    return { answer, event: isBroken ? 'missed' : 'excused' };
  }

  #neverLanded(isRejected: boolean, isExcused: boolean): Conclusion {
    const { expireAt } = this.#order.webhookFill.terms;
    const event = isExcused ? 'excused' : 'missed';
    if (isRejected) {
      const reason = this.#answer?.kind === 'rejected' ? `: ${this.#answer.reason}` : '';
      const message = `the maker rejects the swap${reason}`;
      return { answer: createSwapFailure(Code.SWAP_REJECTED, message), event };
    }
    const why = this.#answer?.kind === 'unanswered' ? `; ${this.#answer.problem}` : '';
    const message = `the maker did not land the swap by ${expireAt}, when it expired${why}`;
    return { answer: createSwapFailure(Code.MAKER_FAILED_TO_LAND, message), event };
  }
}

/** A promise that is resolved from outside, once. */
function createDeferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((resolved) => {
    resolve = resolved;
  });
  return { promise, resolve };
}

interface Conclusion {
  readonly answer: ExecutionResult;
  readonly event: Extract<WebhookEvent, { requestId: string }>['kind'] & ('filled' | 'missed' | 'excused');
}
