import { randomInt } from 'node:crypto';
import { eq, inArray, lte, sql } from 'drizzle-orm';
import type { Database, Store } from '../../store/index.ts';
import type { SkippedMakers } from '../makers/maker.ts';
import type { RecordMarketChange } from '../../store/audited-change.ts';
import { makers, makerStates } from './maker-tables.ts';

type StoredMakerStatus = 'prod' | 'offline' | 'suspended';

/** What is stored of a maker between restarts. The statistics can be any JSON. */
export interface StoredMakerState<Statistics> {
  readonly makerId: string;
  readonly lastSequence: bigint;
  readonly status: StoredMakerStatus;
  readonly tampered: boolean;
  readonly suspendedUntil: number | null;
  readonly outcomes: readonly { readonly swapUuid: string; readonly at: number; readonly filled: boolean }[];
  readonly statistics: Statistics;
}

/** A state as its owner writes it. */
export interface OwnedState<Statistics> extends StoredMakerState<Statistics> {
  /** The epoch that `acquireMakerState` returned. */
  readonly epoch: number;
  /** When the maker was registered, in Unix milliseconds. Another maker may have been registered under its id since. */
  readonly createdAt: number;
  /** Whether this is the owner's last write. Only the last write may lower the stored sequence number. */
  readonly isLast: boolean;
}

/** A change of a maker's status, for the audit log. */
export interface StatusChange {
  readonly makerId: string;
  readonly from: StoredMakerStatus;
  readonly to: StoredMakerStatus;
  readonly at: number;
  readonly cause: string;
  readonly evidence: Readonly<Record<string, string>> | null;
}

/** @param makerId - Null for the states of every maker. */
export async function loadMakerStates<Statistics>(
  store: Store,
  makerId: string | null = null,
): Promise<readonly StoredMakerState<Statistics>[]> {
  const rows = store.db.select().from(makerStates);
  const chosen = makerId === null ? rows : rows.where(eq(makerStates.makerId, makerId));
  return (await chosen).map((row) => parseMakerState<Statistics>(row));
}

/**
 * Makes the caller the owner of a maker's state. Writes of earlier owners are refused from now on.
 * @param fresh - What is stored when the maker has no state yet.
 * @returns the epoch of this ownership, and the stored state; the state is null when there was none
 */
export async function acquireMakerState<Statistics>(
  store: Store,
  fresh: StoredMakerState<Statistics>,
): Promise<{ readonly epoch: number; readonly stored: StoredMakerState<Statistics> | null }> {
  const [row] = await store.db
    .insert(makerStates)
    .values({ ...toMakerStateRow(fresh), epoch: FIRST_EPOCH })
    .onConflictDoUpdate({
      target: makerStates.makerId,
      set: { epoch: sql`${makerStates.epoch} + ${randomInt(FIRST_EPOCH + 1, MAX_EPOCH_STEP)}` },
    })
    .returning();
  if (row === undefined) throw new Error(`the maker ${fresh.makerId} could not be acquired`);
  return { epoch: row.epoch, stored: row.epoch === FIRST_EPOCH ? null : parseMakerState<Statistics>(row) };
}

/**
 * Writes states, and changes of status to the audit log, in one transaction. Makers that another instance has
 * acquired with a higher epoch are skipped, and those that were removed.
 */
export function saveMakerStates<Statistics>(
  store: Store,
  states: readonly OwnedState<Statistics>[],
  changes: readonly StatusChange[],
  recordChange: RecordMarketChange,
): Promise<SkippedMakers> {
  return store.transaction(async (db) => {
    const moved = new Set<string>();
    const removed = new Set<string>();
    const registered = await readRegistrations(
      db,
      states.map(({ makerId }) => makerId),
    );
    // Every instance locks the rows in the same order, so two transactions cannot deadlock.
    for (const state of [...states].sort((a, b) => (a.makerId < b.makerId ? -1 : 1))) {
      if (registered.get(state.makerId) !== state.createdAt) {
        removed.add(state.makerId);
        continue;
      }
      const row = { ...toMakerStateRow(state), epoch: state.epoch };
      const written = await db
        .insert(makerStates)
        .values(row)
        .onConflictDoUpdate({
          target: makerStates.makerId,
          set: state.isLast ? row : { ...row, lastSequence: HIGHER_SEQUENCE },
          setWhere: lte(makerStates.epoch, state.epoch),
        })
        .returning({ makerId: makerStates.makerId });
      if (written.length === 0) moved.add(state.makerId);
    }
    for (const { makerId, from, to, at, cause, evidence } of changes) {
      if (moved.has(makerId) || removed.has(makerId)) continue;
      await recordChange(db, {
        at,
        action: 'maker.status',
        subject: makerId,
        before: { status: from },
        after: { status: to, cause, ...evidence },
      });
    }
    return { moved: [...moved], removed: [...removed] };
  });
}

/** Returns when each of the makers was registered, without those that do not exist any more. */
async function readRegistrations(
  db: Database,
  makerIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (makerIds.length === 0) return new Map();
  const { id, createdAt } = makers;
  const rows = await db
    .select({ id, createdAt })
    .from(makers)
    .where(inArray(id, [...makerIds]));
  return new Map(rows.map((row) => [row.id, row.createdAt]));
}

const FIRST_EPOCH = 1;
/**
 * Epochs grow by random steps: if a failover of the database loses an acquisition, the next one does not repeat its epoch.
 */
const MAX_EPOCH_STEP = 2 ** 20;

/**
 * The higher of the stored number and the new one, both without leading zeros. Neither database has an SQL type for a
 * u64.
 */
const HIGHER_SEQUENCE = sql`case
  when length(excluded.last_sequence) > length(${makerStates.lastSequence}) then excluded.last_sequence
  when length(excluded.last_sequence) < length(${makerStates.lastSequence}) then ${makerStates.lastSequence}
  when excluded.last_sequence > ${makerStates.lastSequence} then excluded.last_sequence
  else ${makerStates.lastSequence} end`;

function parseMakerState<Statistics>(row: typeof makerStates.$inferSelect): StoredMakerState<Statistics> {
  return {
    makerId: row.makerId,
    lastSequence: BigInt(row.lastSequence),
    status: row.status as StoredMakerStatus,
    tampered: row.tampered === 1,
    suspendedUntil: row.suspendedUntil,
    outcomes: JSON.parse(row.outcomes) as StoredMakerState<Statistics>['outcomes'],
    statistics: JSON.parse(row.statistics) as Statistics,
  };
}

function toMakerStateRow<Statistics>(state: StoredMakerState<Statistics>) {
  return {
    makerId: state.makerId,
    lastSequence: String(state.lastSequence),
    status: state.status,
    tampered: state.tampered ? 1 : 0,
    suspendedUntil: state.suspendedUntil,
    outcomes: JSON.stringify(state.outcomes),
    statistics: JSON.stringify(state.statistics),
  };
}
