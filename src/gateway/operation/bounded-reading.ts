import { type Timers, waitWithin } from '../../common/ports/timers.ts';

export interface BoundedReadingOptions {
  readonly timers: Timers;
  /** A reading that is younger than this is returned again. */
  readonly freshMs: number;
  /** How long a caller waits for a new reading, before it gets the one before. */
  readonly waitMs: number;
}

/** What was read, and when, in Unix milliseconds. */
export interface DatedReading<T> {
  readonly value: T;
  readonly readAt: number;
}

/**
 * Reads something that may take time or hang, for callers that must not: they share one reading, which is begun when somebody asks
 * and the last one is no longer fresh, and get the last one if it takes too long.
 */
export class BoundedReading<T> {
  readonly #read: () => Promise<T>;
  readonly #options: BoundedReadingOptions;
  #last: DatedReading<T> | null = null;
  #running: Promise<void> | null = null;

  /** @param read - A rejection leaves the last reading as it is. */
  constructor(read: () => Promise<T>, options: BoundedReadingOptions) {
    this.#read = read;
    this.#options = options;
  }

  /** Returns the newest reading; null if there was none in time. */
  async get(): Promise<DatedReading<T> | null> {
    const { timers, freshMs, waitMs } = this.#options;
    const age = this.#last === null ? Number.POSITIVE_INFINITY : timers.now() - this.#last.readAt;
    if (age >= 0 && age < freshMs) return this.#last;
    this.#running ??= this.#run();
    await waitWithin(this.#running, waitMs, timers);
    return this.#last;
  }

  async #run(): Promise<void> {
    try {
      const value = await this.#read();
      this.#last = { value, readAt: this.#options.timers.now() };
    } catch {
      // The caller sees by its time that the last reading is old.
    } finally {
      this.#running = null;
    }
  }
}
