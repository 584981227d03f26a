import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { auditLog, members } from '../store/schema.ts';
import type { Database } from '../store/index.ts';
import { PlatformRefused } from './errors.ts';
import type { PlatformParts } from './parts.ts';
import { raiseRevision } from './revision.ts';

/** A member as they were when their request was let in. */
export interface LetIn {
  readonly memberId: string;
  readonly role: string;
  /** Of the token that they came with. */
  readonly tokenHash: string;
}

/** Who changes something, and from where. */
export interface Actor {
  readonly who: string;
  /** An IP address, or the process itself. */
  readonly from: string;
  /** Absent: whoever is no member, as the operator. */
  readonly letIn?: LetIn;
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
 * @throws PlatformRefused when a change before this one took from the member what they were let in by
 */
export async function change<T>(
  { store, keys, now }: PlatformParts,
  actor: Actor,
  work: (db: Database) => Promise<Done<T>>,
): Promise<T> {
  const { result } = await store.transaction(async (db) => {
    await raiseRevision(db);
    if (actor.letIn !== undefined) await checkStillStands(db, actor.letIn);
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

/** Changes wait for each other, so what a request may do can be another matter when its turn comes. */
async function checkStillStands(db: Database, { memberId, role, tokenHash }: LetIn): Promise<void> {
  const [now] = await db.select().from(members).where(eq(members.id, memberId));
  if (now?.role === role && now.tokenHash === tokenHash) return;
  throw new PlatformRefused(403, 'the member’s role or token was changed meanwhile, and nothing was done');
}

function textOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
