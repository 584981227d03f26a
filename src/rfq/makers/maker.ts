import type { Address } from '../../solana/address.ts';
import type { MakerStatus, Outcome, Transition } from './maker-state.ts';
import type { Refusal } from './snapshot-refusals.ts';
import type { StoredStatistics } from './statistics.ts';

/** A pair that a maker may quote. */
export interface MintPair {
  readonly base: Address;
  readonly quote: Address;
}

/** A maker as the operator issued it. */
export interface MakerRecord {
  readonly id: string;
  /** Signs fills and owns the inventory. */
  readonly address: Address;
  /** Null: every pair. */
  readonly pairs: readonly MintPair[] | null;
  readonly enabled: boolean;
}

/** Upper bounds in milliseconds of the classes that ack latencies are counted in; the last class has none. */
export const ACK_LATENCY_BOUNDS = [0.25, 0.5, 1, 2.5, 5, 10, 25, 100] as const;

/** What a maker has done since it was issued. */
export interface MakerStatistics {
  accepted: number;
  readonly rejected: Partial<Record<Refusal, number>>;
  /** One count per class of `ACK_LATENCY_BOUNDS`, and one for what is above. */
  readonly ackLatency: number[];
  filled: number;
  missed: number;
  tampered: number;
  /** Orders that were given out while one of its books could have been part of them. */
  considered: number;
  /** Those of them that have a fill of its. */
  won: number;
  readonly volume: Volume;
}

/** What landed fills have moved. */
export interface Volume {
  /** Millionths of a US dollar, by the pools' prices when each fill landed. */
  microDollars: bigint;
  /** Atoms that the maker paid and received; of the first `MAX_MINTS` mints that it traded. */
  readonly mints: Map<Address, { paid: bigint; received: bigint }>;
  /** Signatures of the newest transactions in it, oldest first: a process may be killed before it knows what it counted. */
  readonly newest: string[];
}

/** What is remembered of a maker across restarts. */
export interface StoredMaker {
  readonly makerId: string;
  /** No snapshot up to this number is accepted any more. */
  readonly lastSequence: bigint;
  readonly status: MakerStatus;
  readonly tampered: boolean;
  /** Unix milliseconds; null: not suspended. */
  readonly suspendedUntil: number | null;
  readonly outcomes: readonly Outcome[];
  readonly statistics: StoredStatistics;
}

/** A change of status, as the audit trail keeps it. */
export interface RecordedTransition extends Transition {
  readonly makerId: string;
  /** What proves the cause: of a modified swap, its id and both messages in base64. */
  readonly evidence: Readonly<Record<string, string>> | null;
}

/** A maker as its owner writes it. */
export interface OwnedRecord extends StoredMaker {
  /** The fencing token of this ownership, as `MakerStore.acquire` resolved it. */
  readonly epoch: number;
  /** Whether the owner writes nothing after this: only then `lastSequence` may be lower than the stored one. */
  readonly isLast: boolean;
}

/** Where makers are remembered. */
export interface MakerStore {
  readonly load: () => Promise<readonly StoredMaker[]>;
  /** Null when nothing was written of the maker yet. */
  readonly read: (makerId: string) => Promise<StoredMaker | null>;
  /**
   * Makes this process the owner: what earlier owners write of the maker from now on is refused. Resolves to the epoch of
   * this ownership, and to what they wrote, null when nothing was written of the maker yet; `fresh` is stored then.
   */
  readonly acquire: (
    fresh: StoredMaker,
  ) => Promise<{ readonly epoch: number; readonly stored: StoredMaker | null }>;
  /**
   * All of it or nothing, except for makers that another process has acquired since: nothing is written of them, and their
   * ids are what it resolves to.
   */
  readonly save: (
    makers: readonly OwnedRecord[],
    transitions: readonly RecordedTransition[],
  ) => Promise<readonly string[]>;
}
