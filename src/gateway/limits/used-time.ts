const PIECES = 10;
const PIECE_MS = 100;

/** Adds up the milliseconds that were used in the last second. */
export class UsedTime {
  static readonly WINDOW_MS = PIECES * PIECE_MS;
  readonly #pieces = new Float64Array(PIECES);
  /** The number of the newest piece, counted from the beginning of the clock. */
  #newest = 0;
  #total = 0;

  /** @param now - A monotonic clock in milliseconds. */
  add(milliseconds: number, now: number): void {
    this.#moveTo(now);
    this.#pieces[this.#newest % PIECES] = (this.#pieces[this.#newest % PIECES] ?? 0) + milliseconds;
    this.#total += milliseconds;
  }

  at(now: number): number {
    this.#moveTo(now);
    return this.#total;
  }

  #moveTo(now: number): void {
    const newest = Math.max(this.#newest, Math.floor(now / PIECE_MS));
    const passed = Math.min(PIECES, newest - this.#newest);
    for (let piece = 1; piece <= passed; piece++) this.#pieces[(this.#newest + piece) % PIECES] = 0;
    // Summed again, so that rounding errors do not add up.
    if (passed > 0) this.#total = this.#pieces.reduce((sum, each) => sum + each, 0);
    this.#newest = newest;
  }
}
