import type { TimeRange } from '../../chain/reported-transactions.ts';
import type { TokenMinute } from '../stats/token-minutes.ts';
import type { TradeStats } from '../stats/trade-stats.ts';
import { KEPT_SECONDS, type MintBar } from './bar-store.ts';
import { toMinuteBar, HOUR, joinBars, MINUTE } from './bars.ts';

/**
 * How long an hour is waited for after its end when trades come from reports, in seconds: the time of a transaction may be
 * two minutes from that of its report, and it is read within some seconds.
 */
const REPORTS_SETTLE = 180;

export interface HoursOptions {
  readonly stats: TradeStats;
  /** Returns the Unix seconds of the network. */
  readonly now: () => number;
  /** Returns whether all trades of a time are in the statistics. */
  readonly knowsTrades: (range: TimeRange) => boolean;
  /** Whether trades come from reports. Otherwise no hour lacks any. */
  readonly isReported: boolean;
  /** How long an hour is waited for after its end when trades do not come from reports, in seconds. */
  readonly grace: number;
}

/** Hours, in hours since 1970. */
export interface DueHours {
  readonly hours: readonly number[];
  /** The hours among them whose trades are all known. */
  readonly complete: readonly number[];
  /** The first hour that is not over. */
  readonly next: number;
}

/**
 * Tells which hours are to be written: those that are over, and once more those that lacked trades when they were written,
 * as soon as all are known.
 */
export class Hours {
  readonly #options: HoursOptions;
  #next: number;
  /** The hours that are written, and lacked trades. */
  #incomplete: readonly number[] = [];

  constructor(options: HoursOptions) {
    this.#options = options;
    this.#next = Math.floor(options.now() / HOUR);
  }

  /** The first hour that is not written yet. */
  get next(): number {
    return this.#next;
  }

  /** Goes on with another hour, after those before it were restored. */
  startAt(hour: number): void {
    this.#next = hour;
    this.#incomplete = [];
  }

  due(): DueHours {
    const { now, isReported, grace } = this.#options;
    const next = Math.max(this.#next, Math.floor((now() - (isReported ? REPORTS_SETTLE : grace)) / HOUR));
    const over = Array.from({ length: next - this.#next }, (_, index) => this.#next + index);
    if (!isReported) return { hours: over, complete: [], next };
    const completed = this.#incomplete.filter((hour) => this.#isComplete(hour));
    return {
      hours: [...completed, ...over],
      complete: [...completed, ...over.filter((hour) => this.#isComplete(hour))],
      next,
    };
  }

  /** Notes that they are written. Those that lack trades are due again when all are known. */
  noteWritten({ hours, complete, next }: DueHours): void {
    const { now, isReported } = this.#options;
    this.#next = next;
    if (!isReported) return;
    const written = new Set([...this.#incomplete, ...hours]);
    for (const hour of complete) written.delete(hour);
    // Of older ones, not all minutes are in memory any more.
    const oldest = (now() - KEPT_SECONDS[MINUTE]) / HOUR;
    this.#incomplete = [...written].filter((hour) => hour >= oldest);
  }

  /** Returns the bars of all tokens. */
  barsOf({ hours }: DueHours): readonly MintBar[] {
    const { stats } = this.#options;
    const due = new Set(hours);
    const bars: MintBar[] = [];
    for (const mint of hours.length === 0 ? [] : stats.mints()) {
      // The minutes are gone through once, because a clock that was put forward makes years of hours due.
      for (const [hour, within] of groupMinutes(stats.minutes(mint))) {
        if (due.has(hour)) bars.push({ mint, ...joinBars(hour * HOUR, within.map(toMinuteBar)) });
      }
    }
    return bars;
  }

  #isComplete(hour: number): boolean {
    return this.#options.knowsTrades({ from: hour * HOUR, to: (hour + 1) * HOUR });
  }
}

/** Returns the minutes by their hours. */
function groupMinutes(minutes: readonly TokenMinute[]): ReadonlyMap<number, readonly TokenMinute[]> {
  const hours = new Map<number, TokenMinute[]>();
  for (const each of minutes) {
    const hour = Math.floor(each.minute / 60);
    const known = hours.get(hour);
    if (known === undefined) hours.set(hour, [each]);
    else known.push(each);
  }
  return hours;
}
