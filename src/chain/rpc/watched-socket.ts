import type { Timers } from '../../common/ports/timers.ts';
import type { NodeReading } from '../node-reading.ts';
import { requireRecord } from '../records/account-json.ts';
import { PubSub } from './client/pubsub.ts';
import { requireU64 } from './client/read-json.ts';
import { redactUrl } from './client/redact-url.ts';
import type { ChainHead } from './head.ts';

export interface WatchedSocketOptions {
  readonly wsUrl: URL;
  readonly timers: Timers;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  readonly maxSubscriptions: number;
  /** The age, in milliseconds, from which data is stale. */
  readonly staleMs: number;
  /** Receives the slots that the WebSocket reports, and knows those that polls saw. */
  readonly head: ChainHead;
  /** Called with a sentence when the WebSocket goes down and when it is up again. */
  readonly onNotice: (message: string, isRecovery?: boolean) => void;
}

/** The WebSocket is dead when it reported no slot for this long... */
const SILENT_MS = 5_000;
/** ...while polls saw this many slots pass. */
const SILENT_SLOTS = 8n;

/** The RPC's WebSocket for accounts and slots. It is dropped, to connect again, when it is open but silent. */
export class WatchedSocket {
  readonly pubsub: PubSub;
  readonly #options: WatchedSocketOptions;
  /** Null while the WebSocket is up. */
  #down: { readonly since: number; readonly reason: string } | null;
  /** Unix milliseconds at which it came up last. */
  #upSince = 0;
  /** The last slot that the WebSocket reported, and when. Null without an active subscription. */
  #lastSlot: { readonly slot: bigint; readonly at: number } | null = null;

  constructor(options: WatchedSocketOptions) {
    const { wsUrl: url, timers, random, maxSubscriptions } = options;
    this.#options = options;
    this.#down = { since: timers.now(), reason: 'it is not connected yet' };
    this.pubsub = new PubSub({
      url,
      timers,
      random,
      maxSubscriptions,
      onUp: () => this.#onUp(),
      onDown: (reason) => this.#onDown(reason),
    });
    this.#followSlots();
  }

  /** Returns for how long the WebSocket has been down at `now`, and why, or null while it is up. */
  downAt(now: number): string | null {
    const down = this.#down;
    return down === null ? null : `its WebSocket has been down for ${now - down.since} ms: ${down.reason}`;
  }

  /** Returns since when it is up or down. */
  get reading(): NonNullable<NodeReading['webSocket']> {
    const down = this.#down;
    // A node may name the key of its URL when it closes the connection.
    const reason = down === null ? null : redactUrl(down.reason, this.#options.wsUrl);
    return { isUp: down === null, since: down?.since ?? this.#upSince, reason };
  }

  /** A connection can be open at both ends and still deliver nothing. Slots normally arrive several times a second. */
  dropIfSilent(): void {
    const { timers, head, staleMs } = this.#options;
    const last = this.#lastSlot;
    if (last === null) return;
    const silence = timers.now() - last.at;
    const missed = head.slot('confirmed') - last.slot;
    if (silence > Math.min(SILENT_MS, staleMs) && missed > SILENT_SLOTS) {
      this.pubsub.drop(`it reported no slot for ${silence} ms, while ${missed} went by`);
    }
  }

  #followSlots(): void {
    const { timers, head } = this.#options;
    this.pubsub.subscribe({
      kind: 'slot',
      params: [],
      onActive: () => {
        this.#lastSlot = { slot: head.slot('processed'), at: timers.now() };
      },
      onLost: () => {
        this.#lastSlot = null;
        head.forgetSocketSlots();
      },
      onNotification: (result) => {
        const { slot, root } = requireRecord(result, 'result');
        const processed = requireU64(slot, 'result.slot');
        head.noteSocketSlots(processed, requireU64(root, 'result.root'));
        this.#lastSlot = { slot: processed, at: timers.now() };
      },
    });
  }

  #onUp(): void {
    const down = this.#down;
    this.#down = null;
    this.#upSince = this.#options.timers.now();
    if (down !== null) this.#options.onNotice(`the WebSocket of ${this.#options.wsUrl.origin} is up`, true);
  }

  #onDown(reason: string): void {
    const isNew = this.#down === null;
    const since = this.#down?.since ?? this.#options.timers.now();
    this.#down = { since, reason };
    if (isNew) {
      const { origin } = this.#options.wsUrl;
      this.#options.onNotice(`the WebSocket of ${origin} is down, accounts are read instead: ${reason}`);
    }
  }
}
