/** A limiter's decision about one request. */
export interface RateLimitVerdict {
  readonly admitted: boolean;
  /** Requests in the window, including this one. A refused request does not stay in the window. */
  readonly current: number;
  readonly limit: number;
  /** Unix milliseconds at which the next request leaves the window and another is admitted. */
  readonly freesAt: number;
}

export const WINDOW_MS = 60_000;

const FIRST_CAPACITY = 8;

/**
 * Counts one caller's requests in a sliding window, exactly: it keeps the time of each admitted request, in a ring that
 * grows with use up to the limit. A refused request takes no place, so refused attempts do not delay a later one.
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

  /**
   * Counts a request if it is within the limit.
   * @param now - Unix milliseconds; if the clock was set back by up to a window, the newest request's time is used instead.
   */
  hit(now: number, limit: number): RateLimitVerdict {
    const time = this.#timeOf(now);
    this.#newest = time;
    this.#removeUntil(time);
    if (this.#count >= limit) return this.#refused(time, limit);
    if (this.#count === this.#times.length) this.#grow(limit);
    this.#times[(this.#first + this.#count) % this.#times.length] = time;
    this.#count++;
    return { admitted: true, current: this.#count, limit, freesAt: this.#timeAt(0) + this.#windowMs };
  }

  /** If the limit was lowered, several requests must leave the window first. */
  #refused(time: number, limit: number): RateLimitVerdict {
    const leaving = this.#count === 0 ? time : this.#timeAt(this.#count - limit);
    return { admitted: false, current: this.#count + 1, limit, freesAt: leaving + this.#windowMs };
  }

  /** Takes the newest request out of the window, if there is one. */
  takeBack(): void {
    if (this.#count > 0) this.#count--;
  }

  /** Returns the requests in the window that ends at `now`. */
  current(now: number): number {
    this.#removeUntil(this.#timeOf(now));
    return this.#count;
  }

  /**
   * Handles a clock that was set back. Beyond a window, callers would have to wait until the clock is there again, so all
   * times are set back with it, as if the newest request had just arrived. No request then counts for less than a window.
   */
  #timeOf(now: number): number {
    if (now >= this.#newest) return now;
    const back = this.#newest - now;
    if (back <= this.#windowMs) return this.#newest;
    for (let index = 0; index < this.#times.length; index++)
      this.#times[index] = (this.#times[index] ?? 0) - back;
    this.#newest = now;
    return now;
  }

  #removeUntil(time: number): void {
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
