import type { Timers } from '../../common/ports/timers.ts';
import {
  type MakerRuntimeState,
  type Maker,
  newMakerRuntimeState,
  ownedRecordOf,
  shownMaker,
  storedOf,
  takeOver,
  unchanged,
} from './maker-runtime-state.ts';
import type { OwnedMaker, MakerOwners } from './maker-owners.ts';
import type { MakerRecord, MakerStatistics, MakerStore, OwnedRecord, StoredMaker } from './maker.ts';
import type { MakerNews } from './maker-news.ts';
import { MakerOwnership } from './maker-ownership.ts';
import { MakerReports } from './maker-reports.ts';
import {
  advance,
  type BreakerPolicy,
  type MakerEvent,
  type MakerStatus,
  MAX_OUTCOMES,
  statusOf,
} from './maker-state.ts';
import { countTrade } from './maker-trades.ts';
import { MakerWriter } from './maker-writer.ts';
import { countAck } from './statistics.ts';

export type { Maker } from './maker-runtime-state.ts';

export interface MakersOptions {
  readonly store: MakerStore;
  readonly homes: MakerOwners;
  readonly timers: Timers;
  readonly breaker: BreakerPolicy;
  /** Whether the maker has a stream to this process. */
  readonly hasStream: (makerId: string) => boolean;
  /** Reads what another process, which may be gone, has reserved of a maker that comes to this one. */
  readonly recall: (makerId: string) => Promise<void>;
  /** Called when the store showed that another process owns a maker that this one took for its own. */
  readonly onLost: (makerId: string) => void;
  /** Told when the store could not be written; what was to be written is tried again. */
  readonly onDefect: (error: unknown) => void;
}

/**
 * The makers, their status, sequence numbers and statistics. Of several processes on one store, the one that has a
 * maker's streams owns the maker: it takes over what the store holds, and leaves it there when the streams are gone.
 */
export class Makers {
  readonly #options: MakersOptions;
  readonly #writer: MakerWriter;
  /** Which of them are this process's. */
  readonly ownership: MakerOwnership;
  /** Where it is told what happens to makers, wherever they are. */
  readonly reports: MakerReports;
  readonly #stored: Map<string, StoredMaker>;
  readonly #held = new Map<string, MakerRuntimeState>();
  /** Of makers that other processes own, or none does. */
  readonly #reading = new Map<string, Promise<StoredMaker | null>>();
  readonly #listeners = new Set<(makerId: string, status: MakerStatus) => void>();

  private constructor(options: MakersOptions, stored: readonly StoredMaker[]) {
    this.#options = options;
    this.#stored = new Map(stored.map((one) => [one.makerId, one]));
    this.#writer = new MakerWriter({
      ...options,
      read: (id) => this.#toStore(id),
      onFenced: (id, epoch) => {
        if (this.ownership.fenced(id, epoch)) options.onLost(id);
      },
    });
    const parts = { ...options, writer: this.#writer, find: (id: string) => this.#held.get(id) };
    this.ownership = new MakerOwnership({
      ...parts,
      takeOver: (id, held, found) => this.#takeOver(id, held, found),
    });
    this.reports = new MakerReports({
      ...parts,
      ownership: this.ownership,
      apply: (id, held, news) => this.#apply(id, held, news),
    });
  }

  /** Remembers what an earlier process left; `take` says which makers there are. */
  static async open(options: MakersOptions): Promise<Makers> {
    return new Makers(options, await options.store.load());
  }

  /** Takes over the operator's records, as often as they change. */
  take(records: readonly MakerRecord[]): void {
    for (const record of records) {
      const held = this.#held.get(record.id) ?? this.#add(record);
      held.record = record;
      if (record.enabled === held.state.disabled) {
        this.#happens(record.id, { kind: record.enabled ? 'enabled' : 'disabled' });
      }
    }
  }

  get(makerId: string): Maker | null {
    const held = this.#held.get(makerId);
    return held === undefined ? null : shownMaker(held);
  }

  *all(): Iterable<Maker> {
    for (const held of this.#held.values()) yield shownMaker(held);
  }

  /** Calls back when a maker's status changed; returns the way to stop. */
  onStatus(listener: (makerId: string, status: MakerStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Null when this process owns the maker; otherwise what to wait for, which rejects when the store does not answer. */
  own(makerId: string): Promise<void> | null {
    return this.ownership.take(makerId);
  }

  /** Null when this process owns the maker; otherwise what to wait for: the other instance that has it, as was known some seconds ago, or null once it is owned. */
  claim(makerId: string): Promise<string | null> | null {
    const held = this.#held.get(makerId);
    if (held === undefined || held.isOwned) return null;
    // A maker that sends its snapshots to the wrong instance must not have the others asked about each of them.
    const isElsewhere = held.owning === null && this.#options.homes.isElsewhere(makerId);
    return isElsewhere ? Promise.resolve('another instance') : this.ownership.claim(makerId, held);
  }

  /** Leaves the maker to other processes, unless it has a stream here. */
  disown(makerId: string): void {
    this.ownership.disown(makerId);
  }

  /** Null when another process owns the maker, or none does. */
  atHome(makerId: string): OwnedMaker | null {
    const held = this.#held.get(makerId);
    if (held?.isOwned !== true) return null;
    const { state, sequence } = held;
    const stored = { ...storedOf(held), outcomes: [] };
    return { stored, connected: state.connected, lastSequence: sequence.last };
  }

  /** Takes over what another process has left of makers that nobody owns; one after another, for there may be many. */
  async reread(makerIds: readonly string[]): Promise<void> {
    for (const makerId of makerIds) {
      const stored = await this.#options.store.read(makerId);
      const held = this.#held.get(makerId);
      if (stored === null || held === undefined || held.isOwned || held.owning !== null) continue;
      takeOver(held, stored);
      this.#happens(makerId, { kind: 'time' });
    }
  }

  /** Of the last accepted snapshot, wherever it was accepted. */
  async lastSequence(makerId: string): Promise<bigint> {
    const held = this.#held.get(makerId);
    await held?.leaving;
    await held?.owning?.catch(() => undefined);
    if (held?.isOwned === true) return held.sequence.last;
    // Whoever asks while it is being read shares the read.
    const reading = this.#reading.get(makerId) ?? this.#options.store.read(makerId);
    this.#reading.set(makerId, reading);
    try {
      return (await reading)?.lastSequence ?? 0n;
    } finally {
      this.#reading.delete(makerId);
    }
  }

  connected(makerId: string): void {
    this.#happens(makerId, { kind: 'connected' });
  }

  disconnected(makerId: string): void {
    this.#happens(makerId, { kind: 'disconnected' });
  }

  /** Ends a maker's tampering or suspension; the operator answers for it. @throws Unavailable */
  reinstate(makerId: string): Promise<void> {
    return this.reports.tell(makerId, { kind: 'reinstated' });
  }

  /** Null when the number may be accepted at once; otherwise what to wait for, which rejects when the store fails. */
  reserve(makerId: string, sequence: bigint): Promise<void> | null {
    const numbers = this.#held.get(makerId)?.sequence;
    if (numbers === undefined) return null;
    const isCovered = numbers.covers(sequence);
    if (isCovered && !numbers.isRunningOut()) return null;
    const stored = numbers.extend(sequence, this.#options.timers.now());
    const written = this.#writer.written(makerId).then(stored);
    if (!isCovered) return written;
    // The range still lasts; the writer has reported why it could not be extended.
    written.catch(() => undefined);
    return null;
  }

  /** A snapshot with this number, which was reserved, went into the market. */
  accepted(makerId: string, sequence: bigint): void {
    const held = this.#held.get(makerId);
    if (held === undefined) return;
    held.sequence.accept(sequence);
    held.statistics.accepted++;
    this.#writer.touch(makerId);
  }

  rejected(makerId: string, refusal: keyof MakerStatistics['rejected']): void {
    const held = this.#held.get(makerId);
    if (held === undefined) return;
    held.statistics.rejected[refusal] = (held.statistics.rejected[refusal] ?? 0) + 1;
    this.#writer.touch(makerId);
  }

  /** @param ms from the receipt of a snapshot to its ack */
  acknowledged(makerId: string, ms: number): void {
    const held = this.#held.get(makerId);
    if (held !== undefined) countAck(held.statistics, ms);
  }

  /** The streams must have ended: nothing may be accepted any more. */
  async close(): Promise<void> {
    await this.reports.close();
    for (const [id, held] of this.#held) {
      held.stopWaiting();
      if (held.isOwned && held.sequence.toStore !== held.sequence.last) {
        held.sequence.finish();
        this.#writer.touch(id);
      }
    }
    await this.#writer.close();
    await Promise.all([...this.#held.values()].map(({ leaving }) => leaving));
  }

  #add(record: MakerRecord): MakerRuntimeState {
    const stored = this.#stored.get(record.id);
    const held = newMakerRuntimeState(record, stored);
    this.#held.set(record.id, held);
    this.#happens(record.id, { kind: 'time' });
    return held;
  }

  #takeOver(makerId: string, held: MakerRuntimeState, stored: StoredMaker | null): void {
    const before = statusOf(held.state);
    if (stored !== null) takeOver(held, stored);
    const to = statusOf(held.state);
    if (stored?.status === 'prod') {
      const cause = 'the instance that had the swap stream ended';
      const at = this.#options.timers.now();
      this.#writer.write(makerId, [{ makerId, from: 'prod', to, at, cause, evidence: null }]);
    }
    if (before !== to) this.#tell(makerId, to);
    this.#happens(makerId, { kind: 'time' });
  }

  #apply(makerId: string, held: MakerRuntimeState, news: MakerNews): void {
    switch (news.kind) {
      case 'filled':
      case 'missed':
        this.#outcome(makerId, held, news);
        break;
      case 'tampered':
        held.statistics.tampered++;
        this.#happens(makerId, { kind: 'tampered', swapUuid: news.swapUuid }, news.evidence);
        break;
      case 'reinstated':
        this.#happens(makerId, { kind: 'reinstated' });
        break;
      default:
        countTrade(held.statistics, news);
    }
  }

  #outcome(
    makerId: string,
    held: MakerRuntimeState,
    { kind, swapUuid }: Extract<MakerNews, { kind: 'filled' | 'missed' }>,
  ): void {
    if (held.told.has(swapUuid)) return;
    held.told.add(swapUuid);
    const [oldest] = held.told;
    if (held.told.size > MAX_OUTCOMES && oldest !== undefined) held.told.delete(oldest);
    held.statistics[kind]++;
    this.#happens(makerId, { kind, swapUuid });
  }

  #happens(
    makerId: string,
    event: MakerEvent,
    evidence: Readonly<Record<string, string>> | null = null,
  ): void {
    const held = this.#held.get(makerId);
    if (held === undefined) return;
    const { timers, breaker } = this.#options;
    const { state, transitions } = advance(held.state, event, timers.now(), breaker);
    const { suspendedUntil } = held.state;
    held.state = state;
    if (state.suspendedUntil !== suspendedUntil || event.kind === 'time') this.#awaitEnd(makerId, held);
    if (!held.isOwned && transitions.length > 0) this.#tell(makerId, statusOf(state));
    // The owner writes it down.
    if (!held.isOwned || (transitions.length === 0 && evidence === null)) return;
    // What was done while the maker was out of the market already is kept as well.
    const status = statusOf(state);
    const kept = transitions.length > 0 ? transitions : [unchanged(status, timers.now(), event)];
    this.#writer.write(
      makerId,
      kept.map((transition) => ({ ...transition, makerId, evidence })),
    );
    if (transitions.length > 0) this.#tell(makerId, status);
  }

  #tell(makerId: string, status: MakerStatus): void {
    for (const listener of this.#listeners) listener(makerId, status);
  }

  #awaitEnd(makerId: string, held: MakerRuntimeState): void {
    held.stopWaiting();
    const { suspendedUntil } = held.state;
    if (suspendedUntil === null) return;
    const { timers } = this.#options;
    const delay = Math.min(Math.max(suspendedUntil - timers.now(), 0), MAX_TIMER_MS);
    held.stopWaiting = timers.after(delay, () => this.#happens(makerId, { kind: 'time' }));
  }

  #toStore(makerId: string): OwnedRecord | null {
    const held = this.#held.get(makerId);
    if (held === undefined || !(held.isOwned || held.isLeaving)) return null;
    return ownedRecordOf(held);
  }
}

/** The longest that a timer of Node can wait. */
const MAX_TIMER_MS = 2_147_483_647;
