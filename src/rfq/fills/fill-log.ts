import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import { MADE_BEFORE, type Reason, UNRECORDED } from './fill-results.ts';
import type { FillEnd, FillRecord, FillRecords } from './fill-records.ts';

/** So many requests are remembered, so that new ones need not wait for a look at the records. */
const MAX_SEEN = 32_768;

export interface FillLogOptions {
  readonly records: FillRecords;
  /** Called when the records cannot be written; the fill goes on without. */
  readonly onDefect: (error: unknown) => void;
}

/** The records of fills as one process uses them: it knows which requests it has seen, and says what was written. */
export class FillLog {
  readonly #records: FillRecords;
  readonly #onDefect: FillLogOptions['onDefect'];
  /** Requests that were or may be recorded. */
  readonly #seen = new BoundedCache<string, true>(MAX_SEEN);

  constructor({ records, onDefect }: FillLogOptions) {
    this.#records = records;
    this.#onDefect = onDefect;
  }

  /** @returns null when the new fill is recorded; otherwise why not */
  async begin(record: Parameters<FillRecords['begin']>[0]): Promise<Reason | null> {
    this.#seen.set(record.requestId, true);
    try {
      return (await this.#records.begin(record)) ? null : MADE_BEFORE;
    } catch (error) {
      this.#onDefect(error);
      return UNRECORDED;
    }
  }

  /** @returns whether the signed transaction is recorded */
  async sign(swapUuid: string, signed: Uint8Array): Promise<boolean> {
    try {
      return await this.#records.sign(swapUuid, signed);
    } catch (error) {
      this.#onDefect(error);
      return false;
    }
  }

  /**
   * Records the end of a fill. One that stays without its end is resolved against the chain after the next restart.
   * @returns `superseded` when the record has an end, or is in another state than the end is for
   */
  async end(swapUuid: string, end: FillEnd): Promise<'recorded' | 'unrecorded' | 'superseded'> {
    try {
      return (await this.#records.end(swapUuid, end)) ? 'recorded' : 'superseded';
    } catch (error) {
      this.#onDefect(error);
      return 'unrecorded';
    }
  }

  /**
   * @returns the record of the request; null when there is none
   * @throws Unavailable when the database does not answer
   */
  async find(requestId: string): Promise<FillRecord | null> {
    const record = await this.#records.byRequest(requestId);
    if (record !== null) this.#seen.set(requestId, true);
    return record;
  }

  /** @returns whether there may be a record of the request that this process has seen */
  hasSeen(requestId: string): boolean {
    return this.#seen.get(requestId) === true;
  }

  /** @returns the fills without an end */
  unfinished(): Promise<readonly FillRecord[]> {
    return this.#records.unfinished();
  }

  /** @returns the fills that ended at `since` or later, in Unix milliseconds */
  endedSince(since: number): Promise<readonly FillRecord[]> {
    return this.#records.endedSince(since);
  }
}
