import type { MakerRecord, MakerStatistics, OwnedRecord, StoredMaker } from './maker.ts';
import {
  type MakerEvent,
  type MakerState,
  type MakerStatus,
  NEW_MAKER,
  statusOf,
  type Transition,
} from './maker-state.ts';
import { SequenceNumbers } from './sequence.ts';
import { noStatistics, statisticsOf, statisticsToStore } from './statistics.ts';

/** A maker as this process knows it. */
export interface Maker {
  readonly record: MakerRecord;
  readonly status: MakerStatus;
  /** Why it may not quote though its swap stream may be live, as a sentence goes on; null when nothing but that is needed. */
  readonly blockedBy: string | null;
  readonly state: MakerState;
  readonly lastSequence: bigint;
  readonly statistics: Readonly<MakerStatistics>;
}

/** A maker as `Makers`, its only writer, keeps it. */
export interface MakerRuntimeState {
  record: MakerRecord;
  state: MakerState;
  sequence: SequenceNumbers;
  statistics: MakerStatistics;
  /** The newest swaps whose end was told, which the state alone does not remember beyond a suspension. */
  told: Set<string>;
  /** Whether this process is the one that writes down what becomes of the maker: while it has one of its streams. */
  isOwned: boolean;
  /** Of the newest ownership of this process; 0 before the first. */
  epoch: number;
  /** While the last is written down, for the process that has the maker next. */
  isLeaving: boolean;
  owning: Promise<unknown> | null;
  leaving: Promise<void> | null;
  /** Ends the wait for the end of a suspension. */
  stopWaiting: () => void;
}

export function newMakerRuntimeState(
  record: MakerRecord,
  stored: StoredMaker | undefined,
): MakerRuntimeState {
  return {
    record,
    state: stored === undefined ? NEW_MAKER : stateOf(stored, record),
    sequence: new SequenceNumbers(stored?.lastSequence ?? 0n),
    statistics: stored === undefined ? noStatistics() : statisticsOf(stored.statistics),
    told: new Set(stored?.outcomes.map(({ swapUuid }) => swapUuid)),
    isOwned: false,
    epoch: 0,
    isLeaving: false,
    owning: null,
    leaving: null,
    stopWaiting: () => undefined,
  };
}

/** Goes on with what another process left. */
export function takeOver(held: MakerRuntimeState, stored: StoredMaker): void {
  held.state = { ...stateOf(stored, held.record), connected: held.state.connected };
  held.sequence = new SequenceNumbers(stored.lastSequence);
  held.statistics = statisticsOf(stored.statistics);
  held.told = new Set(stored.outcomes.map(({ swapUuid }) => swapUuid));
}

export function storedOf({ record, state, sequence, statistics }: MakerRuntimeState): StoredMaker {
  return {
    makerId: record.id,
    lastSequence: sequence.toStore,
    status: statusOf(state),
    tampered: state.tampered,
    suspendedUntil: state.suspendedUntil,
    outcomes: state.outcomes,
    statistics: statisticsToStore(statistics),
  };
}

/** What the owner writes. */
export function ownedRecordOf(held: MakerRuntimeState): OwnedRecord {
  return { ...storedOf(held), epoch: held.epoch, isLast: held.sequence.isFinished };
}

/** What is stored of a maker of which nothing is known yet. */
export function freshMaker(record: MakerRecord): StoredMaker {
  return storedOf(newMakerRuntimeState(record, undefined));
}

function stateOf(stored: StoredMaker, { enabled }: MakerRecord): MakerState {
  const { tampered, suspendedUntil, outcomes } = stored;
  return { connected: false, disabled: !enabled, tampered, suspendedUntil, outcomes };
}

/** A maker that another process has, or had. */
export function makerOf(record: MakerRecord, stored: StoredMaker | null, connected: boolean): Maker {
  const held = newMakerRuntimeState(record, stored ?? undefined);
  held.state = { ...held.state, connected };
  return shownMaker(held);
}

/** A message that came back is no longer than what the transport lets in. */
const MAX_EVIDENCE_LENGTH = 8_192;

/** Both messages of a swap that came back modified. */
export function evidenceOf(swapUuid: string, sent: Uint8Array, returned: Uint8Array) {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').slice(0, MAX_EVIDENCE_LENGTH);
  return { swapUuid, sent: base64(sent), returned: base64(returned) };
}

/** For what happens to a maker whose status it does not change, but which is to be on record. */
export function unchanged(status: MakerStatus, at: number, event: MakerEvent): Transition {
  return { from: status, to: status, at, cause: `again: ${event.kind}` };
}

export function shownMaker({ record, state, sequence, statistics }: MakerRuntimeState): Maker {
  return {
    record,
    status: statusOf(state),
    blockedBy: blockOf(state),
    state,
    lastSequence: sequence.last,
    statistics,
  };
}

function blockOf({ disabled, tampered, suspendedUntil }: MakerState): string | null {
  if (disabled) return 'the operator disabled the maker';
  if (tampered) return 'it returned a swap with a modified message, and only the operator can reinstate it';
  if (suspendedUntil === null) return null;
  return `too few swaps were filled, and it is suspended until ${new Date(suspendedUntil).toISOString()}`;
}
