import type { NodeReading } from '../../node-reading.ts';

/** Counts the calls to a node and those that failed. */
export class CallCounts {
  readonly #now: () => number;
  #calls = 0;
  #failures = 0;
  #lastFailure: NodeReading['lastFailure'] = null;

  /** @param now - Returns Unix milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  noteCall(): void {
    this.#calls++;
  }

  noteFailure(reason: string): void {
    this.#failures++;
    this.#lastFailure = { at: this.#now(), reason };
  }

  get reading(): Pick<NodeReading, 'calls' | 'failures' | 'lastFailure'> {
    return { calls: this.#calls, failures: this.#failures, lastFailure: this.#lastFailure };
  }
}
