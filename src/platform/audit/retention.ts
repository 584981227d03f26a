import { and, eq, inArray, lt, not, type SQL, sql } from 'drizzle-orm';
import type { Store } from '../../store/index.ts';
import { auditLog } from '../tables/audit-table.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const YEAR_MS = 365 * DAY_MS;
/** How long entries are kept: those of payments as long as tax law requires, all others for a year. */
const KEPT_MS = { payment: 7 * YEAR_MS, other: YEAR_MS } as const;
/**
 * How many entries one statement removes, so that a statement does not delay the changes that are made in the
 * meantime.
 */
const REMOVED_TOGETHER = 500;

const IS_PAYMENT = eq(sql`substr(${auditLog.action}, 1, 8)`, 'payment.');

/**
 * Removes audit entries that are older than their retention, in small steps. Their age is measured by the database's
 * clock, because an instance whose clock is ahead would remove entries too early.
 * @param isStopped - Called before each step; when it returns true, the rest is left to the next call.
 */
export async function removeOldEntries(store: Store, isStopped: () => boolean = () => false): Promise<void> {
  const now = await store.now(store.db);
  await removeBefore(store, now - KEPT_MS.other, not(IS_PAYMENT), isStopped);
  await removeBefore(store, now - KEPT_MS.payment, IS_PAYMENT, isStopped);
}

async function removeBefore(
  { db }: Store,
  time: number,
  which: SQL,
  isStopped: () => boolean,
): Promise<void> {
  const old = db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(and(lt(auditLog.at, time), which))
    .orderBy(auditLog.at)
    .limit(REMOVED_TOGETHER);
  let removed = REMOVED_TOGETHER;
  while (removed === REMOVED_TOGETHER && !isStopped()) {
    const gone = await db.delete(auditLog).where(inArray(auditLog.id, old)).returning({ id: auditLog.id });
    removed = gone.length;
  }
}
