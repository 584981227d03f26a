import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import type { FillRefusal } from './prospects/co-signing.ts';
import { ALREADY_REQUESTED, UNRECORDED } from './fill-results.ts';
import type { FillEnd, FillRecord, FillRecords } from './fill-records.ts';

/** The number of requests that are remembered. A request that is not among them can be offered without a read. */
const MAX_SEEN = 32_768;

/** What became of a write that ends a fill. */
type EndResult = 'recorded' | 'unrecorded' | 'superseded';

export interface FillLogOptions {
  readonly records: FillRecords;
  /** Called when the records cannot be written; the fill continues without them. */
  readonly onDefect: (error: unknown) => void;
}

/** The records of fills as one process uses them: it remembers requests, and returns whether a write succeeded. */
export class FillLog {
  readonly #records: FillRecords;
  readonly #onDefect: FillLogOptions['onDefect'];
  /** Requests that have or may have a record. */
  readonly #seen = new BoundedCache<string, true>(MAX_SEEN);
  /** The last write of each fill's end that is under way. */
  readonly #ending = new Map<string, Promise<EndResult>>();

  constructor({ records, onDefect }: FillLogOptions) {
    this.#records = records;
    this.#onDefect = onDefect;
  }

  /** Returns null if the new fill is recorded; otherwise why it is not. */
  async begin(record: Parameters<FillRecords['begin']>[0]): Promise<FillRefusal | null> {
    this.#seen.set(record.requestId, true);
    try {
      return (await this.#records.begin(record)) ? null : ALREADY_REQUESTED;
    } catch (error) {
      this.#onDefect(error);
      return UNRECORDED;
    }
  }

  /**
   * Removes the record of a fill that this process has not pushed to its maker. If another process has continued the
   * fill and the maker has not signed yet, its record is removed too; what the maker then signs is not submitted.
   * Returns `superseded` if the fill is not in the state `offered` any more.
   */
  async discard(swapUuid: string): Promise<EndResult> {
    try {
      return (await this.#records.discard(swapUuid)) ? 'recorded' : 'superseded';
    } catch (error) {
      this.#onDefect(error);
      return 'unrecorded';
    }
  }

  /** Whether the signed transaction was recorded. */
  async sign(swapUuid: string, signed: Uint8Array): Promise<boolean> {
    try {
      return await this.#records.sign(swapUuid, signed);
    } catch (error) {
      this.#onDefect(error);
      return false;
    }
  }

  /**
   * Records the end of a fill. If that fails, the fill is resolved against the chain after the next restart.
   *
   * A repeated request and the lookup in the background can write it at once. The writes are made one after another: the
   * answer that the second was too late could otherwise arrive first, and the fill would be left to another process.
   * Returns `superseded` if the record has an end already, or is not in the state `end.from`.
   */
  end(swapUuid: string, end: FillEnd): Promise<EndResult> {
    const before = this.#ending.get(swapUuid) ?? Promise.resolve();
    const write = before.then(() => this.#writeEnd(swapUuid, end));
    this.#ending.set(swapUuid, write);
    void write.then(() => {
      if (this.#ending.get(swapUuid) === write) this.#ending.delete(swapUuid);
    });
    return write;
  }

  /** Returns the last write of the fill's end that is under way; null if there is none. */
  ending(swapUuid: string): Promise<EndResult> | null {
    return this.#ending.get(swapUuid) ?? null;
  }

  async #writeEnd(swapUuid: string, end: FillEnd): Promise<EndResult> {
    try {
      return (await this.#records.end(swapUuid, end)) ? 'recorded' : 'superseded';
    } catch (error) {
      this.#onDefect(error);
      return 'unrecorded';
    }
  }

  /**
   * Returns the record of the request; null if there is none.
   * @throws Unavailable if the database does not answer
   */
  async find(requestId: string): Promise<FillRecord | null> {
    const record = await this.#records.byRequest(requestId);
    if (record !== null) this.#seen.set(requestId, true);
    return record;
  }

  /** Whether this process has seen the request, so that it may have a record. */
  mayHaveRecord(requestId: string): boolean {
    return this.#seen.get(requestId) === true;
  }

  /** Returns the fills of all makers that have not ended. */
  unfinished(): Promise<readonly FillRecord[]> {
    return this.#records.unfinished();
  }

  /**
   * @param since - Unix milliseconds.
   * @returns the fills that ended at `since` or later
   */
  endedSince(since: number): Promise<readonly FillRecord[]> {
    return this.#records.endedSince(since);
  }
}
