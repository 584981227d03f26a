/** The HTTP statuses with which a fault can answer a request. */
export type FaultStatus = 429 | 500 | 502 | 503 | 504;

/** A fault that is injected a limited number of times. */
export interface CountedFault {
  /** How many more times it is injected. */
  readonly count: number;
}

const MAX_WAITING = 100;
const MAX_STRUCK = 100;

/** A queue of faults to inject, with a record of the latest requests or transactions that received one. */
export class CountedFaults<Fault extends CountedFault, Struck> {
  #waiting: readonly Fault[] = [];
  #struck: readonly Struck[] = [];

  /** Adds a fault. Returns the reason when it is refused, and otherwise null. */
  add(fault: Fault): string | null {
    if (this.#waiting.length >= MAX_WAITING)
      return `at most ${MAX_WAITING} faults can wait; clear them first`;
    this.#waiting = [...this.#waiting, fault];
    return null;
  }

  /** Removes all faults, and the record. */
  clear(): void {
    this.#waiting = [];
    this.#struck = [];
  }

  /** The faults that are still to be injected, in the order in which they were added. */
  get waiting(): readonly Fault[] {
    return this.#waiting;
  }

  /** The last hundred records, oldest first. */
  get struck(): readonly Struck[] {
    return this.#struck;
  }

  /**
   * Uses the first fault that matches once, and removes it when its count is used up.
   *
   * @param struck - Returns the record to keep.
   * @returns The fault to inject, or null when none matches.
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
