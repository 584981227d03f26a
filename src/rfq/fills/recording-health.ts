import type { RemoteHealthCheck } from '../../common/ports/health-check.ts';
import type { FillRecords } from './fill-records.ts';

/** How often the database is checked. */
const CHECK_MS = 2_000;

export interface RecordingOptions {
  readonly records: FillRecords;
  /** Checks that the database can be written. */
  readonly unhealthy: RemoteHealthCheck;
  /** Calls `work` every `milliseconds` until the returned function is called. */
  readonly every: (milliseconds: number, work: () => void) => () => void;
}

/**
 * Knows whether fills can be recorded. A fill that is not recorded is not pushed to its maker, so orders must not use
 * makers while recording fails. The state is checked regularly, and set by the first fill that cannot be recorded.
 */
export class RecordingHealth {
  /** The given records; a failing `begin` sets the state. */
  readonly records: FillRecords;
  readonly #unhealthy: RecordingOptions['unhealthy'];
  readonly #stop: () => void;
  #works = true;
  #isChecking = false;

  constructor({ records, unhealthy, every }: RecordingOptions) {
    this.#unhealthy = unhealthy;
    this.records = {
      begin: (record) => this.#watched(records.begin(record)),
      discard: (swapUuid) => records.discard(swapUuid),
      sign: (swapUuid, signed) => records.sign(swapUuid, signed),
      end: (swapUuid, end) => records.end(swapUuid, end),
      byRequest: (requestId) => records.byRequest(requestId),
      unfinished: (makerId) => records.unfinished(makerId),
      endedSince: (since) => records.endedSince(since),
    };
    this.#stop = every(CHECK_MS, () => void this.#check());
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

  /** Skipped while the last check runs, because an unreachable database may take long to fail. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    this.#works = (await this.#unhealthy().catch(String)) === null;
    this.#isChecking = false;
  }
}
