const WINDOW_MS = 1_000;

/** The calls that began within the last second, of which there may be a number. */
export class RecentCalls {
  readonly #max: number;
  /** Milliseconds, the oldest first. */
  readonly #times: number[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  mayCall(now: number): boolean {
    return this.waitMs(now) === 0;
  }

  note(now: number): void {
    this.#times.push(now);
  }

  isQuiet(now: number): boolean {
    this.#forgetOld(now);
    return this.#times.length === 0;
  }

  /** Returns after how many milliseconds a call may begin. */
  waitMs(now: number): number {
    this.#forgetOld(now);
    const [oldest] = this.#times;
    return this.#times.length < this.#max || oldest === undefined ? 0 : oldest + WINDOW_MS - now;
  }

  #forgetOld(now: number): void {
    // The local clock can be set back.
    if ((this.#times.at(-1) ?? now) > now) this.#times.length = 0;
    const kept = this.#times.findIndex((time) => time > now - WINDOW_MS);
    if (kept !== 0) this.#times.splice(0, kept === -1 ? this.#times.length : kept);
  }
}
