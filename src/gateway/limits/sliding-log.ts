/** A limiter's decision about one request. */
export interface Verdict {
  readonly admitted: boolean;
  /** Requests in the window, including this one. A refused request does not stay in the window. */
  readonly current: number;
  readonly limit: number;
  /** Unix milliseconds at which a request leaves the window, so that another has a place. */
  readonly freesAt: number;
}

export const WINDOW_MS = 60_000;

const FIRST_CAPACITY = 8;

/**
 * The times of one caller's admitted requests within the window, exactly, in a ring that grows with use up to the limit.
 * One that is refused takes no place, so that whoever waits gets through, however often it asked before.
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

  /** @param now Unix milliseconds; when the clock was put back a little, the newest request's time is taken */
  hit(now: number, limit: number): Verdict {
    const time = this.#timeOf(now);
    this.#newest = time;
    this.#forgetUntil(time);
    if (this.#count >= limit) return this.#refused(time, limit);
    if (this.#count === this.#times.length) this.#grow(limit);
    this.#times[(this.#first + this.#count) % this.#times.length] = time;
    this.#count++;
    return { admitted: true, current: this.#count, limit, freesAt: this.#timeAt(0) + this.#windowMs };
  }

  /** Where the limit was larger before, several must leave first. */
  #refused(time: number, limit: number): Verdict {
    const leaving = this.#count === 0 ? time : this.#timeAt(this.#count - limit);
    return { admitted: false, current: this.#count + 1, limit, freesAt: leaving + this.#windowMs };
  }

  /** Requests in the window that ends now. */
  current(now: number): number {
    this.#forgetUntil(this.#timeOf(now));
    return this.#count;
  }

  /**
   * A clock that was put back by more than a window was wrong for long, and nobody shall wait until it is there again: the
   * times are put back with it, as if the newest request were of now, so that none counts for shorter than it should.
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
