import type { Address } from '../../solana/address.ts';
import type { MakerStatus, FillOutcome, Transition } from './maker-state.ts';
import type { SnapshotRefusal } from './snapshot-refusals.ts';
import type { StoredStatistics } from './statistics.ts';

/** A pair that a maker may quote. */
export interface MintPair {
  readonly base: Address;
  readonly quote: Address;
}

/** A maker as the operator added it. */
export interface MakerRecord {
  readonly id: string;
  /** What the operator calls the maker; null without a name. */
  readonly name: string | null;
  /** Signs fills and owns the inventory. */
  readonly address: Address;
  /** Null allows every pair. */
  readonly pairs: readonly MintPair[] | null;
  readonly enabled: boolean;
  /** When it was added, in Unix milliseconds. Another maker may have had its id before. */
  readonly createdAt: number;
}

/** Upper bounds in milliseconds of the latency classes of acks. The last class has no upper bound. */
export const ACK_LATENCY_BOUNDS = [0.25, 0.5, 1, 2.5, 5, 10, 25, 100] as const;

/** What a maker has done since it was added. */
export interface MakerStatistics {
  accepted: number;
  readonly rejected: Partial<Record<SnapshotRefusal, number>>;
  /** One count for each class of `ACK_LATENCY_BOUNDS`, and one for everything above. */
  readonly ackLatency: number[];
  filled: number;
  missed: number;
  tampered: number;
  /** Orders that were returned to takers while one of the maker's books could have been part of them. */
  considered: number;
  /** Those of them that contain a fill of the maker. */
  won: number;
  readonly volume: Volume;
}

/** The amounts that landed fills moved. */
export interface Volume {
  /** Millionths of a US dollar, at the pools' prices when each fill landed. */
  microDollars: bigint;
  /** Atoms that the maker paid and received, for the first `MAX_MINTS` mints that it traded. */
  readonly mints: Map<Address, { paid: bigint; received: bigint }>;
  /** The signatures of the newest counted transactions, oldest first, so that none counts twice after a crash. */
  readonly newest: string[];
}

/** The stored form of a maker. */
export interface StoredMaker {
  readonly makerId: string;
  /** Snapshots up to this number are not accepted any more. */
  readonly lastSequence: bigint;
  readonly status: MakerStatus;
  readonly tampered: boolean;
  /** Unix milliseconds; null if the maker is not suspended. */
  readonly suspendedUntil: number | null;
  readonly outcomes: readonly FillOutcome[];
  readonly statistics: StoredStatistics;
}

/** A change of status in the audit trail. */
export interface RecordedTransition extends Transition {
  readonly makerId: string;
  /** The evidence for the cause. For a modified swap: its id, and both messages in base64. */
  readonly evidence: Readonly<Record<string, string>> | null;
}

/** The form of a maker that its owner writes. */
export interface OwnedRecord extends StoredMaker {
  /** As in the record of the maker. */
  readonly createdAt: number;
  /** The fencing token of this ownership, as returned by `MakerStore.acquire`. */
  readonly epoch: number;
  /** Whether this is the owner's last write. Only then may `lastSequence` be lower than the stored one. */
  readonly isLast: boolean;
}

/** The ids of the makers whose states were not written, because the caller no longer owns them. */
export interface SkippedMakers {
  /** Those that another instance has acquired with a higher epoch. */
  readonly moved: readonly string[];
  /** Those that the operator removed, also if another one was registered under the same id since. */
  readonly removed: readonly string[];
}

/** Stores makers. */
export interface MakerStore {
  readonly load: () => Promise<readonly StoredMaker[]>;
  /** Returns null if nothing is stored of the maker. */
  readonly read: (makerId: string) => Promise<StoredMaker | null>;
  /**
   * Makes this process the owner: from now on, writes of earlier owners are refused.
   * @param fresh - What is stored if nothing is stored of the maker yet.
   * @returns the epoch of this ownership, and what earlier owners wrote; null if nothing was stored
   */
  readonly acquire: (
    fresh: StoredMaker,
  ) => Promise<{ readonly epoch: number; readonly stored: StoredMaker | null }>;
  /** Writes everything in one transaction, except makers that are skipped: nothing is written of those. */
  readonly save: (
    makers: readonly OwnedRecord[],
    transitions: readonly RecordedTransition[],
  ) => Promise<SkippedMakers>;
}
