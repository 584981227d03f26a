/**
 * Limits how many calls run at once. Others wait, urgent ones ahead of the rest; beyond a maximum they are refused.
 *
 * @example
 * ```ts
 * import { ConcurrencyLimit } from './concurrency-limit.ts';
 *
 * const limit = new ConcurrencyLimit(16, 2_000, () => new Error('too many calls wait'));
 * const answer = await limit.run(false, async () => 'done');
 * ```
 */
export class ConcurrencyLimit {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  readonly #urgent: (() => void)[] = [];
  readonly #full: () => Error;
  #running = 0;

  /** @param full - Returns the error of a call that is refused, because too many wait already. */
  constructor(maxRunning: number, maxWaiting: number, full: () => Error) {
    this.#full = full;
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /** @throws the error of `full` when too many calls are waiting already. Urgent calls are never refused. */
  async run<T>(urgent: boolean, work: () => Promise<T>): Promise<T> {
    await this.#enter(urgent);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(urgent: boolean): Promise<void> {
    if (this.#running < this.#maxRunning) {
      this.#running++;
      return;
    }
    if (!urgent && this.#waiting.length >= this.#maxWaiting) {
      throw this.#full();
    }
    // A call that ends passes its place to the next one, so the count does not change.
    await new Promise<void>((resolve) => (urgent ? this.#urgent : this.#waiting).push(resolve));
  }

  #leave(): void {
    const next = this.#urgent.shift() ?? this.#waiting.shift();
    if (next === undefined) this.#running--;
    else next();
  }
}
