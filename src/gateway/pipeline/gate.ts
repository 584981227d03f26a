export interface GateSizes {
  /** That may be inside at once. */
  readonly most: number;
  /** That may wait for a place besides. */
  readonly mostWaiting: number;
  /** Milliseconds that one may wait. */
  readonly longestWait: number;
}

interface Waiting {
  readonly enter: () => void;
  readonly cancelTimer: () => void;
}

/** Calls back once after `delay` milliseconds; returns the way to cancel. */
export type After = (delay: number, callback: () => void) => () => void;

/** Lets in so many at once and keeps so many waiting, in the order in which they came; refuses the others at once. */
export class Gate {
  readonly #sizes: GateSizes;
  readonly #after: After;
  /** In the order in which they came, as sets keep it. */
  readonly #waiting = new Set<Waiting>();
  #inside = 0;

  constructor(sizes: GateSizes, after: After) {
    this.#sizes = sizes;
    this.#after = after;
  }

  get inside(): number {
    return this.#inside;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Takes a place if there is one: then `leave` must be called once. */
  tryEnter(): boolean {
    if (this.#inside >= this.#sizes.most) return false;
    this.#inside++;
    return true;
  }

  /**
   * Calls one of the two, now or later: `enter`, after which `leave` must be called once, or `refuse`.
   * @returns the way to stop waiting; of no effect afterwards
   */
  ask(enter: () => void, refuse: () => void): () => void {
    const { mostWaiting, longestWait } = this.#sizes;
    if (this.tryEnter()) {
      enter();
      return () => undefined;
    }
    if (this.#waiting.size >= mostWaiting) {
      refuse();
      return () => undefined;
    }
    const cancelTimer = this.#after(longestWait, () => {
      this.#waiting.delete(waiting);
      refuse();
    });
    const waiting: Waiting = { enter, cancelTimer };
    this.#waiting.add(waiting);
    return () => {
      if (this.#waiting.delete(waiting)) cancelTimer();
    };
  }

  leave(): void {
    for (const next of this.#waiting) {
      this.#waiting.delete(next);
      next.cancelTimer();
      next.enter();
      return;
    }
    this.#inside--;
  }
}
