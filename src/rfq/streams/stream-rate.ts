import type { Timers } from '../../common/ports/timers.ts';

/** The maximum number of streams that a maker may open in a minute. Each one reads and writes the stored maker. */
const MAX_OPENED = 60;
const OPENED_WITHIN_MS = 60_000;

/** Limits how often each maker may open streams of one kind. */
export class StreamRate {
  readonly #timers: Pick<Timers, 'now'>;
  readonly #kind: string;
  readonly #opened = new Map<string, readonly number[]>();

  /** @param kind - The kind of stream, as text for the maker. */
  constructor(timers: Pick<Timers, 'now'>, kind: string) {
    this.#timers = timers;
    this.#kind = kind;
  }

  /**
   * Counts a stream that is opened.
   * Returns null if it is admitted; otherwise the reason, as a sentence.
   */
  refusal(makerId: string): string | null {
    const now = this.#timers.now();
    // Times after `now` were measured before the clock was set back.
    const opened = this.#opened.get(makerId) ?? [];
    const recent = opened.filter((at) => at > now - OPENED_WITHIN_MS && at <= now);
    const isAdmitted = recent.length < MAX_OPENED;
    this.#opened.set(makerId, isAdmitted ? [...recent, now] : recent);
    if (isAdmitted) return null;
    return `more than ${MAX_OPENED} ${this.#kind} streams within ${OPENED_WITHIN_MS / 1_000} s; wait before opening another`;
  }
}
