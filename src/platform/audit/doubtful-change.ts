import { eq } from 'drizzle-orm';
import { SYSTEM_TIMERS, wait } from '../../common/ports/timers.ts';
import type { Database, Store } from '../../store/index.ts';
import { auditLog } from '../tables/audit-table.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { raiseRevision } from './revision.ts';

/** Attempts while the client waits; each can take as long as a query to a database that does not answer. */
const MAX_QUERIES = 2;
const ASK_AGAIN_MS = 300;
/** Attempts after the client was answered that the database is unavailable. */
const MAX_UNDO_ATTEMPTS = 120;
const UNDO_AGAIN_MS = 5_000;

/**
 * Finds out whether a change was committed whose transaction ended without an answer, because the connection may have been
 * lost just after the commit. Changes run one after another, so once this query runs, the change has ended.
 * @param auditId - Id of the audit entry that the change writes.
 * @returns null when the database does not answer
 */
export async function isChangeCommitted(store: Store, auditId: string): Promise<boolean | null> {
  for (let query = 1; query <= MAX_QUERIES; query++) {
    try {
      return await store.transaction(async (db) => {
        await raiseRevision(db);
        return await isWritten(db, auditId);
      });
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      if (query < MAX_QUERIES) await wait(ASK_AGAIN_MS, SYSTEM_TIMERS);
    }
  }
  return null;
}

/**
 * Undoes a change, if it was committed, as soon as the database answers, because its result could not be returned.
 * @param undo - Undoes the change, and writes an audit entry.
 */
export async function undoLater(
  store: Store,
  auditId: string,
  undo: (db: Database) => Promise<void>,
): Promise<void> {
  for (let attempt = 0; attempt < MAX_UNDO_ATTEMPTS; attempt++) {
    try {
      await store.transaction(async (db) => {
        await raiseRevision(db);
        if (await isWritten(db, auditId)) await undo(db);
      });
      return;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      await wait(UNDO_AGAIN_MS, SYSTEM_TIMERS);
    }
  }
}

async function isWritten(db: Database, auditId: string): Promise<boolean> {
  const found = await db.select({ id: auditLog.id }).from(auditLog).where(eq(auditLog.id, auditId));
  return found.length > 0;
}
