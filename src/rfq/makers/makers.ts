import type { Timers } from '../../common/ports/timers.ts';
import {
  type MakerRuntimeState,
  type Maker,
  createMakerRuntimeState,
  toOwnedRecord,
  toMaker,
  toStoredMaker,
  takeOver,
} from './maker-runtime-state.ts';
import type { OwnedMaker, MakerOwners } from './maker-owners.ts';
import type { MakerRecord, MakerStatistics, MakerStore, OwnedRecord, StoredMaker } from './maker.ts';
import { MakerOwnership } from './maker-ownership.ts';
import { MakerReports } from './maker-reports.ts';
import type { BreakerPolicy, MakerStatus } from './maker-state.ts';
import { MakerStatuses } from './maker-statuses.ts';
import { MakerWriter } from './maker-writer.ts';
import { countAck } from './statistics.ts';

export type { Maker } from './maker-runtime-state.ts';

export interface MakersOptions {
  readonly store: MakerStore;
  readonly owners: MakerOwners;
  readonly timers: Timers;
  readonly breaker: BreakerPolicy;
  /** Whether the maker has a stream to this process. */
  readonly hasStream: (makerId: string) => boolean;
  /** Reserves what another process, which may have ended, has reserved of the maker's inventory. */
  readonly recall: (makerId: string) => Promise<void>;
  /** Called when the store showed that a maker of this process has another process as its owner, or was removed. */
  readonly onLost: (makerId: string, isRemoved: boolean) => void;
  /** Called when the store could not be written. The write is tried again. */
  readonly onDefect: (error: unknown) => void;
}

/**
 * The makers with their status, sequence numbers and statistics. If several processes share a store, the process with a
 * maker's streams owns the maker: it continues from the stored state and writes the state back when the streams are
 * gone.
 *
 * @example
 * ```ts
 * import type { Makers } from './makers.ts';
 *
 * function logStatus(makers: Makers): () => void {
 *   return makers.onStatus((makerId, status) => console.log(`${makerId} is ${status}`));
 * }
 * ```
 */
export class Makers {
  readonly #options: MakersOptions;
  readonly #writer: MakerWriter;
  /** Knows which makers this process owns. */
  readonly ownership: MakerOwnership;
  /** Sends reports about makers to their owners. */
  readonly reports: MakerReports;
  readonly #stored: Map<string, StoredMaker>;
  readonly #held = new Map<string, MakerRuntimeState>();
  /** The ends of the ownerships of makers that were removed. A maker that is added under the same id waits for them. */
  readonly #leaving = new Map<string, Promise<void>>();
  /** Reads of the store that are in progress, of makers that this process does not own. */
  readonly #reading = new Map<string, Promise<StoredMaker | null>>();
  readonly #statuses: MakerStatuses;

  private constructor(options: MakersOptions, stored: readonly StoredMaker[]) {
    this.#options = options;
    this.#stored = new Map(stored.map((one) => [one.makerId, one]));
    this.#writer = new MakerWriter({
      store: options.store,
      timers: options.timers,
      onDefect: options.onDefect,
      read: (id) => this.#toStore(id),
      onFenced: (id, epoch, isRemoved) => {
        if (this.ownership.fenced(id, epoch)) options.onLost(id, isRemoved);
      },
    });
    const find = (id: string) => this.#held.get(id);
    this.#statuses = new MakerStatuses({
      writer: this.#writer,
      timers: options.timers,
      breaker: options.breaker,
      find,
    });
    this.ownership = new MakerOwnership({
      owners: options.owners,
      store: options.store,
      writer: this.#writer,
      hasStream: options.hasStream,
      recall: options.recall,
      find,
      takeOver: (id, held, found) => this.#statuses.takeOver(id, held, found),
    });
    this.reports = new MakerReports({
      ownership: this.ownership,
      owners: options.owners,
      writer: this.#writer,
      find,
      apply: (id, held, report) => this.#statuses.applyReport(id, held, report),
      timers: options.timers,
      onDefect: options.onDefect,
    });
  }

  /**
   * Reads the stored makers. `setRecords` then says which makers exist.
   * @throws Error if the store cannot be read
   */
  static async open(options: MakersOptions): Promise<Makers> {
    return new Makers(options, await options.store.load());
  }

  /** Applies the operator's records after each change. */
  setRecords(records: readonly MakerRecord[]): void {
    for (const record of records) {
      const held = this.#held.get(record.id) ?? this.#add(record);
      held.record = record;
      if (record.enabled === held.state.disabled) {
        this.#statuses.applyEvent(record.id, { kind: record.enabled ? 'enabled' : 'disabled' });
      }
    }
  }

  /** Forgets a maker that the operator removed, with what was stored of it. Its streams must have ended. */
  remove(makerId: string): void {
    this.#stored.delete(makerId);
    const held = this.#held.get(makerId);
    if (held === undefined) return;
    held.cancelSuspensionTimer();
    this.#held.delete(makerId);
    const leaving = this.ownership.released(makerId, held).finally(() => {
      if (this.#leaving.get(makerId) === leaving) this.#leaving.delete(makerId);
    });
    this.#leaving.set(makerId, leaving);
  }

  get(makerId: string): Maker | null {
    const held = this.#held.get(makerId);
    return held === undefined ? null : toMaker(held);
  }

  *all(): Iterable<Maker> {
    for (const held of this.#held.values()) yield toMaker(held);
  }

  /**
   * Calls `listener` after each change of a maker's status.
   * Returns a function that stops it.
   */
  onStatus(listener: (makerId: string, status: MakerStatus) => void): () => void {
    return this.#statuses.onStatus(listener);
  }

  /**
   * Makes this process the owner of a maker with a stream here.
   * Returns null if it is the owner already; otherwise a promise, which rejects if the store does not answer.
   */
  acquire(makerId: string): Promise<void> | null {
    return this.ownership.acquire(makerId);
  }

  /**
   * Makes this process the owner unless another instance is.
   * Returns null if it is the owner already; otherwise a promise of the other instance, which may be some seconds old,
   * or of null once this process is the owner.
   */
  claim(makerId: string): Promise<string | null> | null {
    const held = this.#held.get(makerId);
    if (held === undefined || held.isOwned) return null;
    // A maker that streams to the wrong instance must not cause a request to the others for each of its snapshots.
    const isElsewhere = held.acquiring === null && this.#options.owners.isElsewhere(makerId);
    return isElsewhere ? Promise.resolve('another instance') : this.ownership.claim(makerId, held);
  }

  /** Ends the ownership, unless the maker has a stream here. */
  release(makerId: string): void {
    this.ownership.release(makerId);
  }

  /** Returns null if this process does not own the maker. */
  owned(makerId: string): OwnedMaker | null {
    const held = this.#held.get(makerId);
    if (held?.isOwned !== true) return null;
    const { state, sequence, quoteProblem } = held;
    const stored = { ...toStoredMaker(held), outcomes: [] };
    return { stored, connected: state.connected, lastSequence: sequence.last, quoteProblem };
  }

  /**
   * Reads what another process wrote about makers that have no owner now. It reads one after another, because there may
   * be many.
   *
   * What this process still writes, or has begun to write since the read began, is newer than what was read.
   */
  async reload(makerIds: readonly string[]): Promise<void> {
    for (const makerId of makerIds) {
      const held = this.#held.get(makerId);
      if (held === undefined || isWritten(held)) continue;
      const { epoch } = held;
      const stored = await this.#options.store.read(makerId);
      const isOutdated = this.#held.get(makerId) !== held || isWritten(held) || held.epoch !== epoch;
      if (stored === null || isOutdated) continue;
      takeOver(held, stored);
      this.#statuses.applyEvent(makerId, { kind: 'time' });
    }
  }

  /** Returns the number of the last accepted snapshot, at whichever instance it was accepted; 0 before the first. */
  async lastSequence(makerId: string): Promise<bigint> {
    const held = this.#held.get(makerId);
    await held?.releasing;
    await held?.acquiring?.catch(() => undefined);
    if (held?.isOwned === true) return held.sequence.last;
    // Concurrent callers share one read.
    const reading = this.#reading.get(makerId) ?? this.#options.store.read(makerId);
    this.#reading.set(makerId, reading);
    try {
      return (await reading)?.lastSequence ?? 0n;
    } finally {
      this.#reading.delete(makerId);
    }
  }

  connected(makerId: string): void {
    this.#statuses.applyEvent(makerId, { kind: 'connected' });
  }

  disconnected(makerId: string): void {
    this.#statuses.applyEvent(makerId, { kind: 'disconnected' });
  }

  /**
   * Ends a maker's suspension, or its exclusion after it tampered with a swap. Called for the operator.
   * @throws Unavailable if the owner does not answer
   */
  reinstate(makerId: string): Promise<void> {
    return this.reports.send(makerId, { kind: 'reinstated' });
  }

  /**
   * Reserves a sequence number.
   * Returns null if it may be accepted at once; otherwise a promise, which rejects if the store fails.
   */
  reserve(makerId: string, sequence: bigint): Promise<void> | null {
    const numbers = this.#held.get(makerId)?.sequence;
    if (numbers === undefined) return null;
    const isCovered = numbers.covers(sequence);
    if (isCovered && !numbers.isRunningOut()) return null;
    const stored = numbers.extend(sequence, this.#options.timers.now());
    const written = this.#writer.written(makerId).then(stored);
    if (!isCovered) return written;
    // The reserved range is not used up. The writer has reported why it could not be extended.
    written.catch(() => undefined);
    return null;
  }

  /** Called after a snapshot with a reserved number went into the market. */
  accepted(makerId: string, sequence: bigint): void {
    const held = this.#held.get(makerId);
    if (held === undefined) return;
    held.sequence.accept(sequence);
    held.quoteProblem = null;
    held.statistics.accepted++;
    this.#writer.touch(makerId);
  }

  rejected(makerId: string, refusal: keyof MakerStatistics['rejected']): void {
    const held = this.#held.get(makerId);
    if (held === undefined) return;
    held.statistics.rejected[refusal] = (held.statistics.rejected[refusal] ?? 0) + 1;
    this.#writer.touch(makerId);
  }

  /** Called with the reason why a snapshot or a book of the maker is not in the market, as a sentence. */
  noteQuoteProblem(makerId: string, problem: string): void {
    const held = this.#held.get(makerId);
    if (held !== undefined) held.quoteProblem = problem;
  }

  /** @param ms - Milliseconds from the receipt of a snapshot to its ack. */
  acknowledged(makerId: string, ms: number): void {
    const held = this.#held.get(makerId);
    if (held !== undefined) countAck(held.statistics, ms);
  }

  /** Writes what is left. All streams must have ended. */
  async close(): Promise<void> {
    await this.reports.close();
    for (const [id, held] of this.#held) {
      held.cancelSuspensionTimer();
      if (held.isOwned && held.sequence.valueToStore !== held.sequence.last) {
        held.sequence.finish();
        this.#writer.touch(id);
      }
    }
    await this.#writer.close();
    const releasing = [...this.#held.values()].map((held) => held.releasing);
    await Promise.all([...releasing, ...this.#leaving.values()]);
  }

  #add(record: MakerRecord): MakerRuntimeState {
    const stored = this.#stored.get(record.id);
    const held = createMakerRuntimeState(record, stored);
    held.releasing = this.#leaving.get(record.id) ?? null;
    this.#held.set(record.id, held);
    this.#statuses.applyEvent(record.id, { kind: 'time' });
    return held;
  }

  #toStore(makerId: string): OwnedRecord | null {
    const held = this.#held.get(makerId);
    if (held === undefined || !(held.isOwned || held.isReleasing)) return null;
    return toOwnedRecord(held);
  }
}

/** Whether this process owns the maker, is about to, or has not written all of it since it did. */
function isWritten({ isOwned, acquiring, releasing }: MakerRuntimeState): boolean {
  return isOwned || acquiring !== null || releasing !== null;
}
