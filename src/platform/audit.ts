import { randomUUID } from 'node:crypto';
import { auditLog } from '../store/schema.ts';
import type { Database } from '../store/index.ts';
import type { PlatformParts } from './parts.ts';
import { raiseRevision } from './revision.ts';

/** Who changes something, and from where. */
export interface Actor {
  readonly who: string;
  /** An IP address, or the process itself. */
  readonly from: string;
}

/** What a change did, for the audit log. Nothing in it may be secret. */
export interface Done<T> {
  readonly result: T;
  readonly action: string;
  /** What was changed, as `acme/web/ci`. */
  readonly subject: string;
  readonly before: object | null;
  readonly after: object | null;
}

/**
 * One change: all of it with its line in the audit log, or nothing. When the promise resolves this process acts by it;
 * other processes do so within the interval in which they look at the revision.
 */
export async function change<T>(
  { store, keys, now }: PlatformParts,
  actor: Actor,
  work: (db: Database) => Promise<Done<T>>,
): Promise<T> {
  const { result } = await store.transaction(async (db) => {
    await raiseRevision(db);
    const done = await work(db);
    await db.insert(auditLog).values({
      id: randomUUID(),
      at: now(),
      actor: actor.who,
      origin: actor.from,
      action: done.action,
      subject: done.subject,
      before: textOf(done.before),
      after: textOf(done.after),
    });
    return done;
  });
  await keys.refresh();
  return result;
}

function textOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
