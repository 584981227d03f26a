import type { TimeRange } from '../../chain/reported-transactions.ts';
import { type Timers, repeatWithPauses } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import type { TokenMinute } from '../stats/token-minutes.ts';
import type { TokenBar, TradeStats } from '../stats/trade-stats.ts';
import { type BarStore, KEPT_SECONDS, type MintBar } from './bar-store.ts';
import {
  type Bar,
  toMinuteBar,
  type BarSeconds,
  type Candle,
  HOUR,
  joinBars,
  MINUTE,
  getNewestSlot,
} from './bars.ts';
import { type CandleSources, readCandles } from './candles.ts';
import { type DueHours, Hours } from './hours.ts';

export interface SeriesOptions {
  readonly store: BarStore;
  readonly stats: TradeStats;
  /** Returns the Unix seconds of the network. */
  readonly now: () => number;
  /** Returns the slot that is processed now. */
  readonly slot: () => bigint;
  /**
   * Returns the last time of which all trades were added to the statistics, if trades come from reports; null for a network
   * that passes on all its transactions.
   */
  readonly lastComplete: (() => TimeRange | null) | null;
  /** Returns whether all trades of a time were added to the statistics, or to what is restored into them. */
  readonly knowsTrades: (range: TimeRange) => boolean;
  readonly timers: Timers;
  /** Called when bars could not be written. They are written later. */
  readonly onDefect: (error: unknown) => void;
}

/** The time from which a series is continued after a restart. */
export interface RestoredSeries {
  /**
   * The slot after which trades have to be taken in again; 0 when nothing was written, perhaps because the process was
   * killed within its first minute.
   */
  readonly cursor: bigint;
  /** If trades come from reports, the time of which all are restored, and none after it; null if nothing is known. */
  readonly complete: TimeRange | null;
}

const NOTHING: RestoredSeries = { cursor: 0n, complete: null };

const WRITE_EVERY_MS = 1_000;
/** How long a minute is waited for after its end, in seconds, so that its last trades have arrived. */
const GRACE = 2;
const PRUNE_EVERY_SECONDS = HOUR;
/** How many bars wait while the database does not answer. Beyond it, the oldest are lost. */
const MAX_WAITING = 1_000_000;

/** Writes bars of the minutes and hours that are over, and reads them back after a restart. */
export class Series {
  readonly #options: SeriesOptions;
  readonly #candles: CandleSources;
  readonly #hours: Hours;
  #waiting: TokenBar[] = [];
  #newestSlot = 0n;
  /** When bars were last lost. */
  #lostAt = Number.NEGATIVE_INFINITY;
  #prunedAt = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> = Promise.resolve();
  #stop: () => void = () => undefined;

  constructor(options: SeriesOptions) {
    const { store, stats, now, knowsTrades, lastComplete } = options;
    const isReported = lastComplete !== null;
    this.#options = options;
    this.#candles = { store, stats, now, knowsTrades, isReported };
    this.#hours = new Hours({ stats, now, knowsTrades, isReported, grace: GRACE });
    this.#keepUnwritten();
  }

  /** Reads the minutes of the last 48 hours into the statistics. */
  async restore(): Promise<RestoredSeries> {
    const { store, stats, now, slot, lastComplete } = this.#options;
    const cursor = await store.cursor();
    if (cursor === null) return NOTHING;
    // The same genesis began again at slot 0. An outside RPC that says so may be behind, or lie.
    if (cursor > slot() && lastComplete === null) {
      await store.forget();
      return NOTHING;
    }
    const complete = lastComplete === null ? null : await store.complete();
    const countedUntil = complete?.to ?? Number.POSITIVE_INFINITY;
    const oldest = now() - KEPT_SECONDS[MINUTE];
    for (let from = oldest; from < now() + MINUTE; from += HOUR) {
      const bars = await store.readAll(MINUTE, { from, to: from + HOUR });
      stats.restore(
        bars.map(({ mint, ...bar }) => {
          const minute = toTokenMinute(bar);
          return { mint, bar: bar.start < countedUntil ? minute : withoutTrades(minute) };
        }),
      );
    }
    this.#newestSlot = cursor;
    // An hour that ended while nothing ran is written from its minutes.
    this.#hours.startAt(Math.floor(oldest / HOUR) + 1);
    this.#keepUnwritten();
    await this.#writeLastHourBefore(this.#hours.next * HOUR);
    return { cursor, complete };
  }

  /**
   * Writes the last hour before the given time that has minutes. If the process ended within it and nothing ran for 48
   * hours, its minutes are too old to be restored, and nobody else would join them before they are deleted.
   */
  async #writeLastHourBefore(end: number): Promise<void> {
    const { store } = this.#options;
    const newest = await store.newestStart(MINUTE, end);
    if (newest === null) return;
    const start = Math.floor(newest / HOUR) * HOUR;
    const minutesOf = new Map<Address, Bar[]>();
    for (const { mint, ...bar } of await store.readAll(MINUTE, { from: start, to: start + HOUR })) {
      const known = minutesOf.get(mint);
      if (known === undefined) minutesOf.set(mint, [bar]);
      else known.push(bar);
    }
    const hours = [...minutesOf].map(([mint, bars]) => ({
      mint,
      ...joinBars(
        start,
        bars.sort((one, other) => one.start - other.start),
      ),
    }));
    await store.write(new Map([[HOUR, hours]]), this.#newestSlot, null);
  }

  start(): void {
    const { timers, onDefect } = this.#options;
    this.#stop = repeatWithPauses(WRITE_EVERY_MS, () => this.flush(), timers, onDefect);
  }

  /** Writes what is over. */
  flush(): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    return this.#writing;
  }

  async close(): Promise<void> {
    this.#stop();
    await this.flush().catch(this.#options.onDefect);
  }

  /** @see readCandles */
  candles(mint: Address, seconds: number, range: TimeRange): Promise<readonly Candle[]> {
    return readCandles(this.#candles, mint, seconds, range);
  }

  async #write(): Promise<void> {
    const { store, stats, now } = this.#options;
    const current = Math.floor((now() - GRACE) / MINUTE);
    for (const bar of stats.takeMinutesBefore(current)) this.#waiting.push(bar);
    if (this.#waiting.length > MAX_WAITING) {
      this.#waiting.splice(0, this.#waiting.length - MAX_WAITING);
      this.#lostAt = now();
    }
    const due = this.#hours.due();
    const isDue = this.#waiting.length > 0 || due.hours.length > 0;
    if (isDue) await this.#writeBars(due);
    if (now() - this.#prunedAt >= PRUNE_EVERY_SECONDS) {
      await store.prune(now());
      this.#prunedAt = now();
    }
  }

  async #writeBars(due: DueHours): Promise<void> {
    const bars = this.#waiting;
    const newest = getNewestSlot([this.#newestSlot, ...bars.map(({ bar }) => bar.slot)]);
    const written = new Map<BarSeconds, readonly MintBar[]>([
      [MINUTE, bars.map(({ mint, bar }) => ({ mint, ...toMinuteBar(bar) }))],
      [HOUR, this.#hours.barsOf(due)],
    ]);
    const completeHours = due.complete.map((hour) => hour * HOUR);
    await this.#options.store.write(written, newest, this.#wholeMinutes(), completeHours);
    this.#waiting = this.#waiting.slice(bars.length);
    this.#newestSlot = newest;
    this.#hours.noteWritten(due);
    this.#keepUnwritten();
  }

  /** An hour is written from all of its minutes. */
  #keepUnwritten(): void {
    this.#options.stats.keepFrom((this.#hours.next * HOUR) / MINUTE);
  }

  /** Returns the whole minutes of which all trades are in bars that are written or wait; null if there are none. */
  #wholeMinutes(): TimeRange | null {
    const { lastComplete, now } = this.#options;
    const complete = lastComplete?.() ?? null;
    if (complete === null) return null;
    const from = Math.ceil(Math.max(complete.from, this.#lostAt) / MINUTE) * MINUTE;
    const to = Math.floor(Math.min(complete.to, now() - GRACE) / MINUTE) * MINUTE;
    return from < to ? { from, to } : null;
  }
}

/** Its trades are read again, so they must not be counted twice. */
function withoutTrades(minute: TokenMinute): TokenMinute {
  return { ...minute, buyVolume: 0, sellVolume: 0, buys: 0, sells: 0, slot: 0n };
}

function toTokenMinute({ start, ...bar }: Bar): TokenMinute {
  return { minute: start / MINUTE, ...bar, hasTradePrice: true, wallets: null };
}
