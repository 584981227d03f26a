import type { Timers } from '../../common/ports/timers.ts';

/** Opening and closing a stream reads and writes what is stored of the maker, so the rate has a bound. */
const MAX_OPENED = 60;
const OPENED_WITHIN_MS = 60_000;

/** How often each maker may open a stream of one kind. */
export class StreamRate {
  readonly #timers: Pick<Timers, 'now'>;
  readonly #kind: string;
  readonly #opened = new Map<string, readonly number[]>();

  /** @param kind in words for the maker */
  constructor(timers: Pick<Timers, 'now'>, kind: string) {
    this.#timers = timers;
    this.#kind = kind;
  }

  /** Counts a stream that is opened. @returns null when it is admitted; otherwise why not, as a sentence */
  refusal(makerId: string): string | null {
    const now = this.#timers.now();
    // Later than now are those from before the clock was put back.
    const opened = this.#opened.get(makerId) ?? [];
    const recent = opened.filter((at) => at > now - OPENED_WITHIN_MS && at <= now);
    const isAdmitted = recent.length < MAX_OPENED;
    this.#opened.set(makerId, isAdmitted ? [...recent, now] : recent);
    if (isAdmitted) return null;
    return `more than ${MAX_OPENED} ${this.#kind} streams within ${OPENED_WITHIN_MS / 1_000} s; wait before opening another`;
  }
}
