import { getCurrentWorker, getShareHolder } from '../party.ts';
import { isWithinFairShare } from './fair-shares.ts';

/** One holder may have four times the waiting calls that it leaves room for, so four fifths of all when it is alone. */
const WAITING_FACTOR = 4;

/**
 * Limits how many calls run at once. Others wait, urgent ones ahead of the rest; beyond a maximum they are refused. Of the
 * calls that wait, one of each party is let in in turn, and no party can fill the queue alone: see `getShareHolder`.
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
  /** The waiting calls of each share holder, none of whom has an empty list. The one whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #urgent: (() => void)[] = [];
  readonly #full: () => Error;
  #running = 0;
  #waits = 0;

  /** @param full - Returns the error of a call that is refused, because too many wait already. */
  constructor(maxRunning: number, maxWaiting: number, full: () => Error) {
    this.#full = full;
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /** Calls that wait for their turn. */
  get waiting(): number {
    return this.#waits + this.#urgent.length;
  }

  /**
   * @throws the error of `full` when too many calls wait already, or too many of whoever this one is for. Urgent calls are
   *   never refused.
   */
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
    // A call that ends passes its place to the next one, so the count does not change.
    if (urgent) await new Promise<void>((resolve) => this.#urgent.push(resolve));
    else await this.#wait();
  }

  #wait(): Promise<void> {
    const holder = getShareHolder(getCurrentWorker());
    const own = this.#waiting.get(holder) ?? [];
    if (!isWithinFairShare(own.length, 1, this.#maxWaiting - this.#waits, WAITING_FACTOR)) throw this.#full();
    this.#waits++;
    this.#waiting.set(holder, own);
    return new Promise((resolve) => own.push(resolve));
  }

  #leave(): void {
    const next = this.#urgent.shift() ?? this.#nextInTurn();
    if (next === undefined) this.#running--;
    else next();
  }

  #nextInTurn(): (() => void) | undefined {
    const { value: first } = this.#waiting.entries().next();
    if (first === undefined) return undefined;
    const [holder, calls] = first;
    this.#waiting.delete(holder);
    if (calls.length > 1) this.#waiting.set(holder, calls);
    this.#waits--;
    return calls.shift();
  }
}
