import { PartyShares } from '../../common/collections/fair-shares.ts';
import type { Party } from '../../common/party.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { runOneByOne } from '../../common/work/run-one-by-one.ts';
import type { Address } from '../../solana/address.ts';
import {
  advanceWebhook,
  type ConductPolicy,
  computeWebhookStatus,
  type WebhookEvent,
  type WebhookState,
  type WebhookStatus,
  type WebhookTransition,
} from './conduct.ts';
import { CallDeadline } from './call-deadline.ts';
import { encodeQuoteBody } from './messages.ts';
import { type LookupHost, SYSTEM_LOOKUP } from './outgoing-address.ts';
import {
  allowsSwap,
  CHANGED,
  type MissedQuote,
  type QuoteQuestion,
  type WebhookCalls,
  WebhookMaker,
} from './webhook-maker.ts';
import type { MakerMeters } from '../makers/maker-meters.ts';
import type { SwapAnswer, WebhookQuote, WebhookRecord, WebhookRequest } from './webhook.ts';

/** A webhook maker as it is stored. */
export interface WebhookEntry {
  readonly record: WebhookRecord;
  readonly state: WebhookState;
  /** Grows with each write of the state. */
  readonly version: number;
}

/** Stores what is remembered of webhook makers, for all instances. */
export interface WebhookStore {
  readonly load: () => Promise<readonly WebhookEntry[]>;
  /**
   * Writes a state, and its transition to the audit trail, in one transaction.
   * Returns false if another instance has written the state since `version`.
   */
  readonly save: (
    makerId: string,
    version: number,
    state: WebhookState,
    transition: (WebhookTransition & { readonly at: number }) | null,
  ) => Promise<boolean>;
}

export interface WebhooksOptions {
  readonly store: WebhookStore;
  readonly timers: Timers;
  readonly policy: ConductPolicy;
  /** Milliseconds that makers have for a quote. */
  readonly quoteMs: number;
  /** Whether makers may be at private addresses, and without TLS. */
  readonly allowsPrivate: boolean;
  /** Resolves the names of makers' hosts. Default: the operating system. */
  readonly lookup?: LookupHost;
  readonly metrics: Metrics;
  /** What is counted of makers of both kinds. */
  readonly meters: MakerMeters;
  readonly onDefect: (where: string, error: unknown) => void;
}

/** A webhook maker as the operator sees it. */
export interface WebhookView {
  readonly record: WebhookRecord;
  readonly state: WebhookState;
  readonly status: WebhookStatus;
  /** Mints that the maker has listed; null while its list could not be read. */
  readonly mints: number | null;
  /** As in `WebhookMaker`. */
  readonly tokensProblem: string | null;
  readonly listsPair: boolean | null;
  readonly obstacle: string | null;
  readonly calls: WebhookCalls;
}

/** Milliseconds that the service waits for the answer to a swap. */
const SWAP_MS = 40_000;
/**
 * The most orders whose makers are being asked at a time. It is below the 64 calls that one maker can take at once, so
 * quotes leave room for swaps. One organisation can have at most half of them, and so can all callers without a key
 * together, so their orders do not block those of others.
 */
const MAX_QUESTIONS = 56;
const QUESTIONS_FACTOR = 1;
/** The most attempts to write a state that other instances write at the same time. */
const MAX_WRITES = 10;

/**
 * The makers that answer by webhook: asks them for quotes, sends them swaps, and remembers how they behave.
 *
 * @example
 * ```ts
 * import type { WebhookRequest } from './webhook.ts';
 * import type { Webhooks } from './webhooks.ts';
 *
 * // How many makers quote the request in time.
 * async function countQuotes(makers: Webhooks, request: WebhookRequest): Promise<number> {
 *   const quotes = await makers.ask(request, { caller: { kind: 'organisation', id: 'acme' } }, new AbortController().signal);
 *   return quotes === 'crowded' ? 0 : quotes.length;
 * }
 * ```
 */
export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #makers = new Map<string, WebhookMaker>();
  #writing: Promise<void> = Promise.resolve();
  /** Orders whose makers are being asked. */
  readonly #questions = new PartyShares(MAX_QUESTIONS, QUESTIONS_FACTOR);
  readonly #count: (makerId: string, call: string, outcome: string) => void;

  constructor(options: WebhooksOptions) {
    this.#options = options;
    const calls = options.metrics.counter(
      'sluice_webhook_calls_total',
      'Calls of makers by webhook, by their outcome.',
      ['call', 'outcome'],
    );
    this.#count = (maker, call, outcome) => {
      calls.add({ call, outcome });
      options.meters.calls.add({ maker, call, outcome });
    };
  }

  /** Reads all makers from the store, as other instances and the operator have changed them. */
  readonly refresh = runOneByOne(() => this.#readAll());

  get quoteMs(): number {
    return this.#options.quoteMs;
  }

  async #readAll(): Promise<void> {
    const entries = await this.#options.store.load();
    const known = new Set(entries.map(({ record }) => record.makerId));
    for (const [makerId, maker] of this.#makers) {
      if (known.has(makerId)) continue;
      maker.close();
      this.#makers.delete(makerId);
    }
    for (const entry of entries) {
      const { makerId } = entry.record;
      const maker = this.#makers.get(makerId);
      if (maker?.accepts(entry) === true) continue;
      maker?.close();
      this.#makers.set(makerId, this.#open(entry));
    }
  }

  /**
   * Asks all makers that list both tokens, at once.
   * @param caller - Whose order it is.
   * @param only - The id of the one maker to ask; null asks all.
   * @param onMissed - Called for each maker that was asked and has no quote.
   * @returns the valid answers within the time, in the order in which they came; `crowded` if no maker was asked,
   *   because the caller or all callers together have too many orders open
   */
  async ask(
    request: WebhookRequest,
    {
      caller,
      only = null,
      onMissed,
    }: {
      readonly caller: Party;
      readonly only?: string | null;
      readonly onMissed?: (makerId: string, missed: MissedQuote) => void;
    },
    signal: AbortSignal,
  ): Promise<readonly WebhookQuote[] | 'crowded'> {
    const { timers, quoteMs } = this.#options;
    const askedAt = timers.now();
    const makers = [...this.#makers.values()].filter(
      (maker) => (only === null || maker.id === only) && maker.isAsked(request, askedAt),
    );
    if (makers.length === 0) return [];
    const leave = this.#questions.take(caller);
    if (leave === null) return 'crowded';
    const deadline = new CallDeadline(timers, quoteMs, signal);
    const question: QuoteQuestion = { request, body: encodeQuoteBody(request), askedAt, deadline };
    const quotes: { readonly maker: WebhookMaker; readonly quote: WebhookQuote }[] = [];
    try {
      await Promise.all(
        makers.map(async (maker) => {
          const quote = await maker.quote(question);
          if ('missed' in quote) onMissed?.(maker.id, quote);
          else quotes.push({ maker, quote });
        }),
      );
    } finally {
      deadline.close();
      leave();
    }
    // While slower makers answered, the operator may have changed or removed one that had.
    return quotes.flatMap(({ maker, quote }) => {
      const isCurrent = this.#makers.get(maker.id) === maker;
      const { makerId, maker: wallet } = quote;
      if (isCurrent && this.findRefusal({ makerId, maker: wallet }, request) === null) return quote;
      onMissed?.(maker.id, { missed: 'not-asked', problem: CHANGED });
      return [];
    });
  }

  /**
   * Returns why the maker that quoted may not be sent a swap of these tokens, because of what the operator changed since, as a
   * sentence; null if it may.
   */
  findRefusal(
    { makerId, maker }: Pick<WebhookQuote, 'makerId' | 'maker'>,
    { tokenIn, tokenOut }: Pick<WebhookRequest, 'tokenIn' | 'tokenOut'>,
  ): string | null {
    const record = this.#makers.get(makerId)?.entry.record;
    if (record === undefined) return `the operator removed the maker ${makerId}, or its webhook`;
    if (record.address !== maker) {
      return `the operator removed the maker ${makerId}, and registered another one under its id`;
    }
    if (!record.enabled) return `the operator disabled the maker ${makerId}`;
    if (allowsSwap(record, tokenIn, tokenOut)) return null;
    return `the operator no longer allows the maker ${makerId} to swap ${tokenIn} for ${tokenOut}`;
  }

  /** Whether a maker could be asked for the pair. */
  serves(tokenIn: Address, tokenOut: Address, only: string | null): boolean {
    const now = this.#options.timers.now();
    for (const maker of this.#makers.values()) {
      if (only !== null && maker.id !== only) continue;
      if (maker.isAsked({ tokenIn, tokenOut }, now)) return true;
    }
    return false;
  }

  /** Sends the maker that quoted the swap that its taker has signed. Never rejects. */
  async swap(
    { makerId, maker: wallet }: Pick<WebhookQuote, 'makerId' | 'maker'>,
    swap: { readonly requestId: string; readonly quoteId: string; readonly wire: Uint8Array },
    signal: AbortSignal,
  ): Promise<SwapAnswer> {
    const maker = this.#makers.get(makerId);
    if (maker?.entry.record.address !== wallet) {
      return { kind: 'unanswered', problem: `there is no webhook of ${makerId}` };
    }
    return maker.swap(swap, SWAP_MS, signal);
  }

  /**
   * Called when a quote of the maker was compared with what it holds.
   * @param obstacle - Why the quote cannot be settled, as a sentence; null if it can.
   */
  noteObstacle(makerId: string, obstacle: string | null): void {
    const maker = this.#makers.get(makerId);
    if (maker !== undefined) maker.obstacle = obstacle;
  }

  /**
   * Applies what happened to a maker, for all instances.
   * @param wallet - The maker's wallet when it happened. Another maker that has the id since is left alone.
   */
  note(makerId: string, event: WebhookEvent, wallet?: Address): Promise<void> {
    // Writes of this process run one after another, so that they do not conflict with each other.
    this.#writing = this.#writing.then(() =>
      this.#write(makerId, event, wallet).catch((error: unknown) =>
        this.#options.onDefect(`what the webhook maker ${makerId} did could not be stored`, error),
      ),
    );
    return this.#writing;
  }

  all(): readonly WebhookView[] {
    const now = this.#options.timers.now();
    return [...this.#makers.values()].map(({ entry, tokens, tokensProblem, listsPair, obstacle, calls }) => ({
      record: entry.record,
      state: entry.state,
      status: entry.record.enabled ? computeWebhookStatus(entry.state, now) : 'offline',
      mints: tokens?.size ?? null,
      tokensProblem,
      listsPair,
      obstacle,
      calls,
    }));
  }

  find(makerId: string): WebhookView | null {
    return this.all().find(({ record }) => record.makerId === makerId) ?? null;
  }

  /** Closes all connections, and writes what is left. */
  async close(): Promise<void> {
    for (const maker of this.#makers.values()) maker.close();
    await this.#writing;
  }

  #open(entry: WebhookEntry): WebhookMaker {
    const { timers, allowsPrivate, lookup = SYSTEM_LOOKUP, meters } = this.#options;
    return new WebhookMaker({
      entry,
      timers,
      allowsPrivate,
      lookup,
      count: (call, outcome) => this.#count(entry.record.makerId, call, outcome),
      noteLastLook: (ms) => meters.lastLook.observe(ms / 1_000, { maker: entry.record.makerId }),
      onUnreachable: (problem) =>
        void this.note(entry.record.makerId, { kind: 'unreachable', problem }, entry.record.address),
    });
  }

  async #write(makerId: string, event: WebhookEvent, wallet: Address | undefined): Promise<void> {
    const { store, timers, policy } = this.#options;
    for (let attempt = 0; attempt < MAX_WRITES; attempt++) {
      const entry = this.#makers.get(makerId)?.entry;
      if (entry === undefined || (wallet !== undefined && entry.record.address !== wallet)) return;
      const at = timers.now();
      const { state, transition } = advanceWebhook(entry.state, event, at, policy);
      if (state === entry.state) return;
      const change = transition === null ? null : { ...transition, at };
      const isWritten = await store.save(makerId, entry.version, state, change);
      const written = { ...entry, state, version: entry.version + 1 };
      // If the operator changed the webhook during the write, this process still has its earlier state.
      const isShown = isWritten && this.#makers.get(makerId)?.accepts(written) !== false;
      if (!isShown) await this.refresh();
      if (isWritten) return;
    }
    throw new Error(`${MAX_WRITES} writes were overtaken by those of other instances`);
  }
}
