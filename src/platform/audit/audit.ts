import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { auditLog, members } from '../../store/schema.ts';
import type { Database, Store } from '../../store/index.ts';
import { Unavailable, unlessUnavailable } from '../../common/unavailable.ts';
import { undoLater, wasMade } from './doubtful-change.ts';
import { Refused } from '../refusal.ts';
import { raiseRevision } from './revision.ts';

/** A member's rights at the time their request was authenticated. */
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

/** What every change of the platform needs. */
export interface ChangeDependencies {
  readonly store: Store;
  /** The keys that this process knows; they are read again after each change. */
  readonly keys: { readonly refresh: () => Promise<void> };
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** What a change did, for the audit log. Nothing in it may be secret. */
export interface Done<T> {
  readonly result: T;
  readonly action: string;
  /** What was changed, as `acme/web/ci`. */
  readonly subject: string;
  readonly before: object | null;
  readonly after: object | null;
  /** For what is of no use unless whoever asked for it is told, such as a key: takes it back when they were not. */
  readonly undo?: { readonly action: string; readonly work: (db: Database) => Promise<unknown> };
}

/**
 * Makes one change and writes its entry of the audit log, both in one transaction. When the promise resolves, this
 * process already acts on the change, or will at the next refresh; other instances act on it at their next refresh.
 * @throws Refused when a change before this one took from the member what they were let in by
 * @throws Unavailable when the database does not answer; what `undo` can take back is then not made, or is taken back
 */
export async function change<T>(
  { store, keys, now }: ChangeDependencies,
  actor: Actor,
  work: (db: Database) => Promise<Done<T>>,
): Promise<T> {
  const auditId = randomUUID();
  const log = (db: Database, id: string, { action, subject, before, after }: Omit<Done<T>, 'result'>) =>
    db.insert(auditLog).values({
      id,
      at: now(),
      actor: actor.who,
      origin: actor.from,
      action,
      subject,
      before: textOf(before),
      after: textOf(after),
    });
  let worked: Done<T> | null = null;
  const transaction = store.transaction(async (db) => {
    await raiseRevision(db);
    if (actor.letIn !== undefined) await checkStillStands(db, actor.letIn);
    const done = await work(db);
    worked = done;
    await log(db, auditId, done);
    return done;
  });
  const { result } = await transaction.catch(async (error: unknown) => {
    if (!(error instanceof Unavailable) || worked === null) throw error;
    const done: Done<T> = worked;
    const made = await wasMade(store, auditId);
    if (made === true) return done;
    const { undo } = done;
    if (made === null && undo !== undefined) {
      // If the database does not come back either, the change stays as the audit log has it.
      undoLater(store, auditId, async (db) => {
        await log(db, randomUUID(), { ...undo, subject: done.subject, before: done.after, after: null });
        await undo.work(db);
      }).catch(() => undefined);
    }
    throw error;
  });
  // The change is committed, so failing to read it back now must not be reported as a failure.
  await unlessUnavailable(keys.refresh());
  return result;
}

/** Changes run one after another, so the caller's rights may have changed by the time this one runs. */
async function checkStillStands(db: Database, { memberId, role, tokenHash }: LetIn): Promise<void> {
  const [now] = await db.select().from(members).where(eq(members.id, memberId));
  if (now?.role === role && now.tokenHash === tokenHash) return;
  throw new Refused(
    'rights-changed',
    'the member’s role or token was changed meanwhile, and nothing was done',
  );
}

function textOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
