import type { LosingReason } from '../../swaps/engines/maker-bid.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import type { MintPair } from '../makers/maker.ts';
import { computeWebhookStatus } from './conduct.ts';
import { CallDeadline } from './call-deadline.ts';
import { type FailedCall, type WebhookCallOutcome, WebhookClient } from './http-client.ts';
import { MAX_TOKENS_BYTES, readQuote, readSwapAnswer, readTokens, encodeSwapBody } from './messages.ts';
import type { LookupHost } from './outgoing-address.ts';
import type { SwapAnswer, WebhookQuote, WebhookRecord, WebhookRequest } from './webhook.ts';
import type { WebhookEntry } from './webhooks.ts';

export interface WebhookMakerOptions {
  readonly entry: WebhookEntry;
  readonly timers: Timers;
  readonly allowsPrivate: boolean;
  readonly lookup: LookupHost;
  readonly count: (call: string, outcome: string) => void;
  /** Called with the milliseconds from the sending of a swap to the maker's answer. */
  readonly noteLastLook: (milliseconds: number) => void;
  /** Called when the webhook has not answered for `UNREACHABLE_MS`, once until it answers again. */
  readonly onUnreachable: (problem: string) => void;
}

/** Why a maker that was asked has no quote. */
export interface MissedQuote {
  readonly missed: LosingReason;
  /** A sentence; null for a maker that does not quote. */
  readonly problem: string | null;
}

/** A request for quotes to all makers: the part that is the same for each of them. */
export interface QuoteQuestion {
  readonly request: WebhookRequest;
  readonly body: Uint8Array;
  /** Unix milliseconds. */
  readonly askedAt: number;
  readonly deadline: CallDeadline;
}

/** Statistics of the calls to a webhook, since the instance started or the webhook was registered. */
export interface WebhookCalls {
  /** Quotes that were requested. */
  readonly asked: number;
  readonly quoted: number;
  /** Answers with status 404, which are not failures. */
  readonly declined: number;
  readonly failed: number;
  /** When it last gave a valid answer, in Unix milliseconds; null if it never has. */
  readonly lastAnswerAt: number | null;
  /** Why the last call failed, as a sentence; null if it has succeeded. */
  readonly problem: string | null;
  /** When it is asked again after it kept failing, in Unix milliseconds; null if it is asked now. */
  readonly restsUntil: number | null;
}

/** Why the answer of a webhook that was changed or removed meanwhile is not used. */
export const CHANGED = 'the operator changed or removed its webhook, pairs or right to quote meanwhile';

const TOKENS_EVERY_MS = 600_000;
const TOKENS_AGAIN_MS = 5_000;
const TOKENS_TIMEOUT_MS = 10_000;
/** After this many failed quotes in a row, a maker is not asked for a while, because it would slow down every order. */
const FAILURES_BEFORE_REST = 3;
const REST_MS = 500;
const MAX_REST_MS = 30_000;
const UNREACHABLE_MS = 60_000;

/** One maker that answers by webhook, as this process sees it. */
export class WebhookMaker {
  readonly #options: WebhookMakerOptions;
  readonly #client: WebhookClient;
  #entry: WebhookEntry;
  #tokens: ReadonlySet<Address> | null = null;
  #tokensProblem: string | null = null;
  /** Why its last quote could not be settled, as a sentence; null if it could. */
  obstacle: string | null = null;
  #cancelTokens: () => void = () => {};
  #isClosed = false;
  /** Failed quotes in a row. */
  #failures = 0;
  #failingSince: number | null = null;
  #restBegan = 0;
  #restsUntil = 0;
  #asked = 0;
  #quoted = 0;
  #declined = 0;
  #failed = 0;
  #lastAnswerAt: number | null = null;
  #problem: string | null = null;

  constructor(options: WebhookMakerOptions) {
    this.#options = options;
    this.#entry = options.entry;
    const { allowsPrivate, lookup } = options;
    this.#client = new WebhookClient({ record: options.entry.record, allowsPrivate, lookup });
    void this.#readTokens();
  }

  get id(): string {
    return this.#entry.record.makerId;
  }

  get entry(): WebhookEntry {
    return this.#entry;
  }

  get tokens(): ReadonlySet<Address> | null {
    return this.#tokens;
  }

  /** Why the list of tokens could not be read when it was asked for last, as a sentence; null if it was read. */
  get tokensProblem(): string | null {
    return this.#tokensProblem;
  }

  /** Whether the maker lists both tokens of a pair that it may quote; null while its list could not be read. */
  get listsPair(): boolean | null {
    const tokens = this.#tokens;
    if (tokens === null) return null;
    const { pairs } = this.#entry.record;
    if (pairs === null) return tokens.size > 1;
    return pairs.some(({ base, quote }) => tokens.has(base) && tokens.has(quote));
  }

  get calls(): WebhookCalls {
    return {
      asked: this.#asked,
      quoted: this.#quoted,
      declined: this.#declined,
      failed: this.#failed,
      lastAnswerAt: this.#lastAnswerAt,
      problem: this.#problem,
      restsUntil: this.#restsUntil > this.#options.timers.now() ? this.#restsUntil : null,
    };
  }

  /**
   * Continues with a newer state.
   * Returns false if the webhook itself is another, so that it must be opened again.
   */
  accepts(entry: WebhookEntry): boolean {
    const { url, apiKey, address } = this.#entry.record;
    const { record } = entry;
    if (record.url !== url || record.apiKey !== apiKey || record.address !== address) return false;
    if (entry.version >= this.#entry.version) this.#entry = entry;
    else this.#entry = { ...this.#entry, record };
    return true;
  }

  /** @param now - Unix milliseconds. */
  isAsked({ tokenIn, tokenOut }: Pick<WebhookRequest, 'tokenIn' | 'tokenOut'>, now: number): boolean {
    const { record, state } = this.#entry;
    if (!record.enabled || computeWebhookStatus(state, now) !== 'prod' || now < this.#restsUntil)
      return false;
    if (!allowsSwap(record, tokenIn, tokenOut)) return false;
    return this.#tokens?.has(tokenIn) === true && this.#tokens.has(tokenOut);
  }

  async quote({ request, body, askedAt, deadline }: QuoteQuestion): Promise<WebhookQuote | MissedQuote> {
    const { record } = this.#entry;
    this.#asked++;
    const outcome = await this.#client.call({
      method: 'POST',
      path: '/quote',
      body,
      headers: { 'x-request-start': String(askedAt), 'x-request-timeout': String(deadline.timeoutMs) },
      deadline,
      reuses: true,
    });
    if (this.#isClosed) {
      // The operator has changed or removed the webhook meanwhile, and what is asked now is not to blame.
      this.#options.count('quote', 'aborted');
      return { missed: 'not-asked', problem: CHANGED };
    }
    if (outcome.kind === 'failed') {
      this.#options.count('quote', outcome.reason);
      // This is not the maker's fault: there were too many requests, or another part of the order ended it.
      if (outcome.reason !== 'busy' && outcome.reason !== 'aborted') this.#fail(outcome.message, askedAt);
      return { missed: toLosingReason(outcome.reason), problem: outcome.message };
    }
    const read =
      outcome.status === 404
        ? null
        : outcome.status === 200
          ? readQuote(outcome.body, request, record)
          : statusProblem(outcome);
    if (read === null) {
      this.#options.count('quote', 'none');
      this.#declined++;
      this.#answered();
      return { missed: 'no-quote', problem: null };
    }
    if ('problem' in read) {
      this.#options.count('quote', 'invalid');
      this.#fail(read.problem, askedAt);
      return { missed: outcome.status === 200 ? 'invalid' : 'failed', problem: read.problem };
    }
    this.#options.count('quote', 'quoted');
    this.#quoted++;
    this.#answered();
    return read;
  }

  async swap(
    swap: { readonly requestId: string; readonly quoteId: string; readonly wire: Uint8Array },
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<SwapAnswer> {
    const { timers } = this.#options;
    const sentAt = timers.now();
    const deadline = new CallDeadline(timers, timeoutMs, signal);
    const body = encodeSwapBody(swap.requestId, swap.quoteId, swap.wire);
    const outcome = await this.#client.call({ method: 'POST', path: '/swap', body, deadline, reuses: false });
    deadline.close();
    const answer: SwapAnswer =
      outcome.kind === 'failed'
        ? { kind: 'unanswered', problem: outcome.message }
        : readSwapAnswer(outcome.status, outcome.body, swap.quoteId);
    this.#options.count('swap', answer.kind);
    if (outcome.kind === 'answered') this.#options.noteLastLook(timers.now() - sentAt);
    return answer;
  }

  /** Ends the calls in progress, except those for swaps: what the maker answers to a swap is about that swap. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTokens();
    this.#client.close();
  }

  async #readTokens(): Promise<void> {
    const deadline = new CallDeadline(this.#options.timers, TOKENS_TIMEOUT_MS);
    const outcome = await this.#client.call({
      method: 'GET',
      path: '/tokens',
      body: null,
      deadline,
      maxBytes: MAX_TOKENS_BYTES,
      reuses: false,
    });
    deadline.close();
    if (this.#isClosed) return;
    const read = outcome.kind === 'answered' && outcome.status === 200 ? readTokens(outcome.body) : null;
    this.#options.count('tokens', read === null ? 'failed' : 'read');
    this.#tokensProblem = read === null ? describeTokensFailure(outcome) : null;
    // An outdated list is better than none, because a maker answers 404 for a pair that it no longer trades.
    if (read !== null) this.#tokens = read;
    const delay = read === null ? TOKENS_AGAIN_MS : TOKENS_EVERY_MS;
    this.#cancelTokens = this.#options.timers.after(delay, () => void this.#readTokens());
  }

  #answered(): void {
    this.#failures = 0;
    this.#failingSince = null;
    this.#restsUntil = 0;
    this.#lastAnswerAt = this.#options.timers.now();
    this.#problem = null;
  }

  /** @param askedAt - Unix milliseconds. */
  #fail(problem: string, askedAt: number): void {
    const now = this.#options.timers.now();
    this.#failed++;
    this.#problem = problem;
    // Calls that were already in flight when the pause began say nothing new about the maker.
    if (askedAt < this.#restBegan) return;
    this.#failures++;
    this.#failingSince ??= now;
    const rests = this.#failures - FAILURES_BEFORE_REST;
    if (rests < 0) return;
    this.#restBegan = now;
    this.#restsUntil = now + Math.min(REST_MS * 2 ** Math.min(rests, 10), MAX_REST_MS);
    if (now - this.#failingSince < UNREACHABLE_MS) return;
    this.#failingSince = now;
    this.#options.onUnreachable(`its webhook has not answered as it must for a minute: ${problem}`);
  }
}

/** Whether the operator allows the maker to swap these tokens, in either direction. */
export function allowsSwap(
  { pairs }: Pick<WebhookRecord, 'pairs'>,
  tokenIn: Address,
  tokenOut: Address,
): boolean {
  const isAllowed = ({ base, quote }: MintPair) =>
    (base === tokenIn && quote === tokenOut) || (base === tokenOut && quote === tokenIn);
  return pairs === null || pairs.some(isAllowed);
}

function describeTokensFailure(outcome: WebhookCallOutcome): string {
  if (outcome.kind === 'failed') return outcome.message;
  return outcome.status === 200 ? 'the answer is no list of mints' : statusProblem(outcome).problem;
}

function statusProblem({ status }: Extract<WebhookCallOutcome, { kind: 'answered' }>): {
  readonly problem: string;
} {
  return { problem: `the answer has the status ${status}` };
}

function toLosingReason(failed: FailedCall): LosingReason {
  if (failed === 'busy') return 'not-asked';
  return failed === 'timeout' || failed === 'aborted' ? 'late' : 'failed';
}
