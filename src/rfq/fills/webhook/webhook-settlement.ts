import { ChainUnavailable } from '../../../chain/chain.ts';
import { parseTransaction, type Transaction } from '../../../solana/messages/transaction.ts';
import { Code, type ExecutionResult, createSwapFailure } from '../../../swaps/orders/execution-result.ts';
import { toExecutionResult } from '../../../swaps/orders/order-outcome.ts';
import type { WebhookOrder } from '../../../swaps/orders/stored-order.ts';
import { readOutcome } from '../../../transactions/submit/submit-and-read.ts';
import type { WebhookEvent } from '../../webhooks/conduct.ts';
import type { SwapAnswer } from '../../webhooks/webhook.ts';
import type { FillAnswer } from '../fill-outcomes.ts';
import { advanceFill, type FillAction, type FillEvent, type FillState } from '../fill-state.ts';
import { isBrokenByMaker } from '../prospects/broken-fills.ts';
import { type OfferedFill, findObstacleNow, watchForObstacle } from '../prospects/fill-prospects.ts';
import { computeMakerLamports, getLastHeight, hasExpired, isLate } from './webhook-blame.ts';
import type { WebhookFillsOptions } from './webhook-fills.ts';
import { type SwapLookup, WebhookSearch } from './webhook-search.ts';

const POLL_MS = 400;
/** The last moment at which the chain shows whether the swap could still have been made. */
const JUDGED_SECONDS = 3n;
/** Longer than a network needs to finalize the last slot in which a fill could land. */
const MAX_WATCH_MS = 140_000;

/**
 * What is noted of the maker when the end of a fill is recorded. `FillMachine` carries out all actions of the
 * table. Here the others have no effect, because a webhook fill reserves no inventory and has no stream.
 */
const NOTED: Partial<Record<FillAction, Extract<WebhookEvent, { requestId: string }>['kind']>> = {
  'count-filled': 'filled',
  'count-missed': 'missed',
  'count-excused': 'excused',
  'count-landed-though-declined': 'landed-though-rejected',
};

/**
 * One swap that a maker is sent and lands itself, from the offer to its end. Whatever the maker answers, or whether it
 * answers at all: with the taker's signature it can land the swap until the fill expires, so only the chain decides. Its
 * state is changed by the table of `fill-state.ts` alone.
 */
export class WebhookSettlement {
  readonly #options: WebhookFillsOptions;
  readonly #order: WebhookOrder;
  readonly #offered: Uint8Array;
  readonly #transaction: Transaction;
  readonly #search: WebhookSearch;
  #state: FillState = 'sent';
  /** What the maker answered to this process; null before, and in other processes. */
  #answer: SwapAnswer | null = null;
  /** Why the swap does not count against the maker, as this process found; null if it found nothing. */
  #excuse: string | null = null;
  /** Ends the pause of the watch. */
  #wake: () => void = () => {};
  readonly #first = createDeferred<FillAnswer>();
  readonly #end = createDeferred<void>();

  constructor(options: WebhookFillsOptions, order: WebhookOrder, offered: Uint8Array) {
    this.#options = options;
    this.#order = order;
    this.#offered = offered;
    this.#transaction = parseTransaction(offered);
    this.#search = new WebhookSearch(options.chain, order, this.#transaction.messageBytes);
  }

  /** Returns the first thing that the taker can be answered; not final if the maker could still land the swap. */
  answered(): Promise<FillAnswer> {
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
    const stopWatch = this.#watchTaker();
    try {
      const sent = isNew ? this.#send(given.signal) : Promise.resolve();
      const found = await this.#watch();
      given.abort();
      await sent;
      await this.#conclude(found, isNew);
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

  /** Applies an event. An event that does not matter in the state is ignored. */
  #advance(event: FillEvent): readonly FillAction[] {
    const step = advanceFill(this.#state, event);
    if (step === null) return [];
    this.#state = step.state;
    return step.actions;
  }

  /** Notes what stands in the way of the swap while its maker may make it, and is not the maker's fault. */
  #watchTaker(): () => void {
    const { spends } = this.#order;
    const commitment = spends === undefined ? null : { spending: spends, signature: null, isSigned: false };
    return watchForObstacle(this.#options, { ...this.#offeredFill(), commitment }, (obstacle) => {
      void this.#noteObstacle(obstacle);
    });
  }

  async #noteObstacle(obstacle: string): Promise<void> {
    // Later the swap fails because the fill expires, which is the maker's fault. The clock of the head may be older than the
    // state in which the swap failed.
    if (this.#isJudged() || (await hasExpired(this.#options.chain, this.#order))) return;
    this.#excuse = obstacle;
    this.#advance('excused');
    if (this.#answer !== null) await this.#noteAnswer(this.#answer);
  }

  async #send(signal: AbortSignal): Promise<void> {
    const { webhooks } = this.#options;
    const { requestId, webhookFill } = this.#order;
    const { makerId, quoteId, terms } = webhookFill;
    const answer = await webhooks.swap(
      { makerId, maker: terms.maker },
      { requestId, quoteId, wire: this.#offered },
      signal,
    );
    if (signal.aborted) return;
    if (answer.kind === 'rejected') {
      if (await this.#isPossible()) this.#advance('declined');
      else {
        this.#excuse ??= 'it could not be made when the maker rejected it';
        this.#advance('declined-impossible');
      }
      const until = webhookFill.terms.expireAt;
      const message = `the maker rejects the swap: ${answer.reason}. It could land it until ${until} nevertheless; send the same request again after that to be sure`;
      this.#first.resolve({ final: false, answer: createSwapFailure(Code.SWAP_REJECTED, message) });
    }
    this.#answer = answer;
    this.#wake();
    await this.#noteAnswer(answer);
  }

  async #noteAnswer({ kind }: SwapAnswer): Promise<void> {
    const { records, onDefect } = this.#options;
    await records
      .note(this.#order.requestId, kind, this.#excuse)
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
      const found = await this.#search.find(
        this.#answer?.kind === 'accepted' ? this.#answer.signature : null,
      );
      if (found.kind === 'landed') return found;
      if (isSettled) {
        const last = await this.#search.searchAll();
        if (last.kind !== 'unknown') return last;
      }
      if (this.#state === 'sent' && this.#isJudged()) {
        this.#advance((await this.#isPossible()) ? 'possible' : 'impossible');
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
    const { message } = this.#transaction;
    const lastValidBlockHeight = getLastHeight(this.#options.chain, this.#order, message);
    return {
      order: { ...this.#order, lastValidBlockHeight },
      terms: this.#order.webhookFill.terms,
      wire: this.#offered,
      commitment: null,
      makerLamports: computeMakerLamports(this.#order, message),
    };
  }

  /** @param isSender - Whether this process has sent the maker the swap, so that it knows more than the record. */
  async #conclude(found: SwapLookup, isSender: boolean): Promise<void> {
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
    if (record === null || record.excuse !== null) this.#advance('excused');
    // The process that was to send the swap ended, and may not have sent it.
    if (!isSender && record?.state === 'offered') this.#advance('excused');
    // When the maker rejected it, the record was judged by what was possible then.
    if (record?.state === 'rejected') this.#advance('declined');
    const { answer, event } =
      found.kind === 'landed'
        ? await this.#readLanded(found)
        : { answer: this.#neverLanded(), event: 'denied' as const };
    this.#advance(event);
    if (!(await records.end(requestId, { answer }))) {
      this.#advance('superseded');
      const ended = (await records.byRequest(requestId))?.answer ?? null;
      this.#first.resolve({ final: true, answer: ended ?? answer });
      return;
    }
    const actions = this.#advance('recorded');
    this.#first.resolve({ final: true, answer });
    const { makerId, terms } = webhookFill;
    for (const action of actions) {
      const kind = NOTED[action];
      if (kind !== undefined) await webhooks.note(makerId, { kind, requestId }, terms.maker);
    }
  }

  async #readLanded({ signature, status }: Extract<SwapLookup, { kind: 'landed' }>): Promise<{
    readonly answer: ExecutionResult;
    readonly event: 'landed' | 'broken' | 'late' | 'lost';
  }> {
    const { message } = this.#transaction;
    const outcome = await readOutcome(this.#options, signature, status);
    const answer = toExecutionResult(this.#order, outcome);
    if (outcome.kind === 'succeeded') return { answer, event: 'landed' };
    const { transaction: landed } = outcome;
    if (landed === null) return { answer, event: 'lost' };
    const { webhookFill, spends } = this.#order;
    const makerLamports = computeMakerLamports(this.#order, message);
    const isShort = isBrokenByMaker(webhookFill.terms, spends, landed, makerLamports);
    return { answer, event: isShort ? 'broken' : isLate(landed, message) ? 'late' : 'lost' };
  }

  #neverLanded(): ExecutionResult {
    if (this.#state === 'declined' || this.#state === 'declined-excused') {
      const reason = this.#answer?.kind === 'rejected' ? `: ${this.#answer.reason}` : '';
      return createSwapFailure(Code.SWAP_REJECTED, `the maker rejects the swap${reason}`);
    }
    const { expireAt } = this.#order.webhookFill.terms;
    const counted = this.#state === 'possible' ? '' : ', which is not counted against it';
    const why = this.#answer?.kind === 'unanswered' ? `; ${this.#answer.problem}` : '';
    const rest = `${counted}${why}`;
    const message = `the maker did not land the swap by ${expireAt}, when it expired${rest}`;
    return createSwapFailure(Code.MAKER_FAILED_TO_LAND, message);
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
