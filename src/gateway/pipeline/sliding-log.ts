/** What a limiter says of one request. */
export interface Verdict {
  readonly admitted: boolean;
  /** Requests in the window, this one among them. */
  readonly current: number;
  readonly limit: number;
  /** Unix milliseconds at which the oldest request in the window leaves it. */
  readonly oldestLeavesAt: number;
}

export const WINDOW_MS = 60_000;

const FIRST_CAPACITY = 8;
/** Beyond this many times the limit the oldest requests are forgotten: no answer depends on them, only the count shown. */
const KEPT_LIMITS = 2;

/**
 * The times of one caller's requests within the window, exactly, in a ring that grows with use. Every request counts,
 * also one that is refused. Memory is bounded by twice the limit.
 */
export class SlidingLog {
  readonly #windowMs: number;
  #times = new Float64Array(FIRST_CAPACITY);
  #first = 0;
  #count = 0;
  #newest = Number.NEGATIVE_INFINITY;

  constructor(windowMs = WINDOW_MS) {
    this.#windowMs = windowMs;
  }

  /** @param now Unix milliseconds; when the clock was put back, the newest request's time is taken */
  hit(now: number, limit: number): Verdict {
    const time = Math.max(now, this.#newest);
    this.#newest = time;
    this.#forgetUntil(time);
    const most = limit * KEPT_LIMITS;
    if (this.#count >= most) this.#drop(this.#count - most + 1);
    if (this.#count === this.#times.length) this.#grow(most);
    this.#times[(this.#first + this.#count) % this.#times.length] = time;
    this.#count++;
    return {
      admitted: this.#count <= limit,
      current: this.#count,
      limit,
      oldestLeavesAt: this.#timeAt(0) + this.#windowMs,
    };
  }

  /** Requests in the window that ends now. */
  current(now: number): number {
    this.#forgetUntil(Math.max(now, this.#newest));
    return this.#count;
  }

  #forgetUntil(time: number): void {
    let gone = 0;
    while (gone < this.#count && this.#timeAt(gone) <= time - this.#windowMs) gone++;
    this.#drop(gone);
  }

  #drop(count: number): void {
    this.#first = (this.#first + count) % this.#times.length;
    this.#count -= count;
  }

  #grow(most: number): void {
    const times = new Float64Array(Math.min(Math.max(most, this.#count + 1), this.#times.length * 2));
    for (let index = 0; index < this.#count; index++) times[index] = this.#timeAt(index);
    this.#times = times;
    this.#first = 0;
  }

  #timeAt(index: number): number {
    return this.#times[(this.#first + index) % this.#times.length] ?? Number.NaN;
  }
}
