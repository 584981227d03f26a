import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Store } from '../../store/index.ts';
import { auditLog, makerStates } from '../../store/schema.ts';

type Status = 'prod' | 'offline' | 'suspended';

/** What the market remembers of a maker, with its counts as the market shapes them. */
export interface MakerState<Statistics> {
  readonly makerId: string;
  readonly lastSequence: bigint;
  readonly status: Status;
  readonly tampered: boolean;
  readonly suspendedUntil: number | null;
  readonly outcomes: readonly { readonly swapUuid: string; readonly at: number; readonly filled: boolean }[];
  readonly statistics: Statistics;
}

/** A change of a maker's status, for the audit log. */
export interface StatusChange {
  readonly makerId: string;
  readonly from: Status;
  readonly to: Status;
  readonly at: number;
  readonly cause: string;
  readonly evidence: Readonly<Record<string, string>> | null;
}

/** @param makerId null: those of every maker */
export async function loadMakerStates<Statistics>(
  store: Store,
  makerId: string | null = null,
): Promise<readonly MakerState<Statistics>[]> {
  const rows = store.db.select().from(makerStates);
  const chosen = makerId === null ? rows : rows.where(eq(makerStates.makerId, makerId));
  return (await chosen).map((row) => ({
    makerId: row.makerId,
    lastSequence: BigInt(row.lastSequence),
    status: row.status as Status,
    tampered: row.tampered === 1,
    suspendedUntil: row.suspendedUntil,
    outcomes: JSON.parse(row.outcomes) as MakerState<Statistics>['outcomes'],
    statistics: JSON.parse(row.statistics) as Statistics,
  }));
}

/** Writes the states, and the changes of status into the audit log: all of it or nothing. */
export function saveMakerStates<Statistics>(
  store: Store,
  states: readonly MakerState<Statistics>[],
  changes: readonly StatusChange[],
): Promise<void> {
  return store.transaction(async (db) => {
    for (const { makerId, outcomes, statistics, ...state } of states) {
      const row = {
        lastSequence: String(state.lastSequence),
        status: state.status,
        tampered: state.tampered ? 1 : 0,
        suspendedUntil: state.suspendedUntil,
        outcomes: JSON.stringify(outcomes),
        statistics: JSON.stringify(statistics),
      };
      await db
        .insert(makerStates)
        .values({ makerId, ...row })
        .onConflictDoUpdate({ target: makerStates.makerId, set: row });
    }
    for (const { makerId, from, to, at, cause, evidence } of changes) {
      await db.insert(auditLog).values({
        id: randomUUID(),
        at,
        actor: 'market',
        origin: 'this process',
        action: 'maker.status',
        subject: makerId,
        before: JSON.stringify({ status: from }),
        after: JSON.stringify({ status: to, cause, ...evidence }),
      });
    }
  });
}
