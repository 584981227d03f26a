import type { MakerRecord, MakerStatistics, OwnedRecord, StoredMaker } from './maker.ts';
import {
  type MakerEvent,
  type MakerState,
  type MakerStatus,
  NEW_MAKER,
  toMakerStatus,
  type Transition,
} from './maker-state.ts';
import { SequenceNumbers } from './sequence.ts';
import { createEmptyStatistics, parseStatistics, serializeStatistics } from './statistics.ts';

/** A maker as this process knows it. */
export interface Maker {
  readonly record: MakerRecord;
  readonly status: MakerStatus;
  /**
   * Why the maker may not quote even with a live swap stream, as the end of a sentence; null if only the stream is
   * missing or nothing is.
   */
  readonly blockedBy: string | null;
  readonly state: MakerState;
  readonly lastSequence: bigint;
  readonly statistics: Readonly<MakerStatistics>;
  /** Why its last snapshot or book is not in the market, as a sentence; null if it is, or if there was none. */
  readonly quoteProblem: string | null;
}

/** The state of a maker in memory. Only `Makers` changes it. */
export interface MakerRuntimeState {
  record: MakerRecord;
  state: MakerState;
  sequence: SequenceNumbers;
  statistics: MakerStatistics;
  /** As in `Maker`. It is not stored. */
  quoteProblem: string | null;
  /** The newest swaps whose end was counted. `state` forgets them after a suspension. */
  countedSwaps: Set<string>;
  /** Whether this process owns the maker, so that it alone writes the maker's state. */
  isOwned: boolean;
  /** The epoch of the newest ownership of this process; 0 before the first. */
  epoch: number;
  /** Whether the state is being written for the next owner. */
  isReleasing: boolean;
  acquiring: Promise<unknown> | null;
  releasing: Promise<void> | null;
  /** Cancels the timer that ends a suspension. */
  cancelSuspensionTimer: () => void;
}

export function createMakerRuntimeState(
  record: MakerRecord,
  stored: StoredMaker | undefined,
): MakerRuntimeState {
  return {
    record,
    state: stored === undefined ? NEW_MAKER : toMakerState(stored, record),
    sequence: new SequenceNumbers(stored?.lastSequence ?? 0n),
    statistics: stored === undefined ? createEmptyStatistics() : parseStatistics(stored.statistics),
    quoteProblem: null,
    countedSwaps: new Set(stored?.outcomes.map(({ swapUuid }) => swapUuid)),
    isOwned: false,
    epoch: 0,
    isReleasing: false,
    acquiring: null,
    releasing: null,
    cancelSuspensionTimer: () => undefined,
  };
}

/** Continues from what another process wrote. */
export function takeOver(held: MakerRuntimeState, stored: StoredMaker): void {
  held.state = { ...toMakerState(stored, held.record), connected: held.state.connected };
  held.sequence = new SequenceNumbers(stored.lastSequence);
  held.statistics = parseStatistics(stored.statistics);
  held.countedSwaps = new Set(stored.outcomes.map(({ swapUuid }) => swapUuid));
}

export function toStoredMaker({ record, state, sequence, statistics }: MakerRuntimeState): StoredMaker {
  return {
    makerId: record.id,
    lastSequence: sequence.valueToStore,
    status: toMakerStatus(state),
    tampered: state.tampered,
    suspendedUntil: state.suspendedUntil,
    outcomes: state.outcomes,
    statistics: serializeStatistics(statistics),
  };
}

/** The form that the owner writes. */
export function toOwnedRecord(held: MakerRuntimeState): OwnedRecord {
  const { record, epoch, sequence } = held;
  return { ...toStoredMaker(held), createdAt: record.createdAt, epoch, isLast: sequence.isFinished };
}

/** The stored form of a new maker. */
export function createStoredMaker(record: MakerRecord): StoredMaker {
  return toStoredMaker(createMakerRuntimeState(record, undefined));
}

function toMakerState(stored: StoredMaker, { enabled }: MakerRecord): MakerState {
  const { tampered, suspendedUntil, outcomes } = stored;
  return { connected: false, disabled: !enabled, tampered, suspendedUntil, outcomes };
}

/** A maker that another process owns or owned. */
export function createMakerFromStore(
  record: MakerRecord,
  stored: StoredMaker | null,
  connected: boolean,
): Maker {
  const held = createMakerRuntimeState(record, stored ?? undefined);
  held.state = { ...held.state, connected };
  return toMaker(held);
}

/** The maximum length that is kept of each message, in base64 characters. The transport accepts no more. */
const MAX_EVIDENCE_LENGTH = 8_192;

/** Both messages of a swap that the maker modified. */
export function createTamperingEvidence(swapUuid: string, sent: Uint8Array, returned: Uint8Array) {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').slice(0, MAX_EVIDENCE_LENGTH);
  return { swapUuid, sent: base64(sent), returned: base64(returned) };
}

/** The transition that records an event which did not change the maker's status. */
export function createUnchangedTransition(status: MakerStatus, at: number, event: MakerEvent): Transition {
  return { from: status, to: status, at, cause: `again: ${event.kind}` };
}

export function toMaker({ record, state, sequence, statistics, quoteProblem }: MakerRuntimeState): Maker {
  return {
    record,
    status: toMakerStatus(state),
    blockedBy: findBlockReason(state),
    state,
    lastSequence: sequence.last,
    statistics,
    quoteProblem,
  };
}

function findBlockReason({ disabled, tampered, suspendedUntil }: MakerState): string | null {
  if (disabled) return 'the operator disabled the maker';
  if (tampered) return 'it returned a swap with a modified message, and only the operator can reinstate it';
  if (suspendedUntil === null) return null;
  return `too few swaps were filled, and it is suspended until ${new Date(suspendedUntil).toISOString()}`;
}
