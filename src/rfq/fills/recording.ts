import type { FillRecords } from './fill-records.ts';

/** Whether swaps can be recorded is looked at this often. */
const LOOK_MS = 2_000;

export interface RecordingOptions {
  readonly records: FillRecords;
  /** Null when the database can be written; otherwise why not, as a sentence. */
  readonly unhealthy: () => Promise<string | null>;
  /** Calls `work` every `milliseconds` until the returned function is called. */
  readonly every: (milliseconds: number, work: () => void) => () => void;
}

/**
 * Knows whether swaps with makers can be recorded, without which they are not pushed: as long as they cannot, orders
 * should not lead through a maker. It is told by looking, and by the first swap that fails.
 */
export class Recording {
  /** Those that were given, watched. */
  readonly records: FillRecords;
  readonly #unhealthy: RecordingOptions['unhealthy'];
  readonly #stop: () => void;
  #works = true;
  #isLooking = false;

  constructor({ records, unhealthy, every }: RecordingOptions) {
    this.#unhealthy = unhealthy;
    this.records = { ...records, begin: (record) => this.#watched(records.begin(record)) };
    this.#stop = every(LOOK_MS, () => void this.#look());
  }

  get works(): boolean {
    return this.#works;
  }

  close(): void {
    this.#stop();
  }

  async #watched<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      this.#works = false;
      throw error;
    }
  }

  /** A database that is gone may take long to say so. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#works = (await this.#unhealthy().catch(String)) === null;
    this.#isLooking = false;
  }
}
