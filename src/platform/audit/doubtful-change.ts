import { eq } from 'drizzle-orm';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import type { Database, Store } from '../../store/index.ts';
import { auditLog } from '../../store/schema.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { raiseRevision } from './revision.ts';

/** Attempts while the client waits; each can take as long as a query to a database that does not answer. */
const MAX_QUESTIONS = 2;
const ASK_AGAIN_MS = 300;
/** Attempts after the client was told that the database does not answer. */
const MAX_UNDO_ATTEMPTS = 120;
const UNDO_AGAIN_MS = 5_000;

/**
 * Finds out whether a change was made whose transaction ended without an answer: the connection may have been lost just
 * after the database had made it. Changes wait for each other, so when this question is answered the change has ended.
 * @param auditId of the line that the change would have written
 * @returns null when the database does not say
 */
export async function wasMade(store: Store, auditId: string): Promise<boolean | null> {
  for (let question = 1; question <= MAX_QUESTIONS; question++) {
    try {
      return await store.transaction(async (db) => {
        await raiseRevision(db);
        return await isWritten(db, auditId);
      });
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      if (question < MAX_QUESTIONS) await wait(ASK_AGAIN_MS);
    }
  }
  return null;
}

/**
 * Takes a change back, if it was made, as soon as the database answers: whoever asked for it could not be told.
 * @param undo does so, with a line in the audit log
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
      await wait(UNDO_AGAIN_MS);
    }
  }
}

async function isWritten(db: Database, auditId: string): Promise<boolean> {
  const found = await db.select({ id: auditLog.id }).from(auditLog).where(eq(auditLog.id, auditId));
  return found.length > 0;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => SYSTEM_TIMERS.after(ms, resolve));
}
