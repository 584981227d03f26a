/** The HTTP statuses with which a fault can answer a request. */
export type FaultStatus = 429 | 500 | 502 | 503 | 504;

/** A fault that strikes as many things as `count` says, and then ends. */
export interface Counted {
  readonly count: number;
}

const MAX_WAITING = 100;
const MAX_STRUCK = 100;

/** Faults that wait for what they strike, in the order in which they were given, and what was struck last. */
export class CountedFaults<Fault extends Counted, Struck> {
  #waiting: readonly Fault[] = [];
  #struck: readonly Struck[] = [];

  /** Adds a fault. Returns the reason when it is refused, and otherwise null. */
  add(fault: Fault): string | null {
    if (this.#waiting.length >= MAX_WAITING)
      return `at most ${MAX_WAITING} faults can wait; clear them first`;
    this.#waiting = [...this.#waiting, fault];
    return null;
  }

  /** Forgets the faults that wait, and what was struck. */
  clear(): void {
    this.#waiting = [];
    this.#struck = [];
  }

  /** The faults that wait, with how often each will still strike. */
  get waiting(): readonly Fault[] {
    return this.#waiting;
  }

  /** What was struck, the last hundred, the oldest first. */
  get struck(): readonly Struck[] {
    return this.#struck;
  }

  /**
   * Counts down the first fault that matches.
   *
   * @param struck - What is remembered of it.
   * @returns Null when none matches.
   */
  take(matches: (fault: Fault) => boolean, struck: (fault: Fault) => Struck): Fault | null {
    const fault = this.#waiting.find(matches);
    if (fault === undefined) return null;
    this.#waiting = this.#waiting.flatMap((each) => {
      if (each !== fault) return [each];
      return fault.count > 1 ? [{ ...fault, count: fault.count - 1 }] : [];
    });
    this.#struck = [...this.#struck, struck(fault)].slice(-MAX_STRUCK);
    return fault;
  }
}
