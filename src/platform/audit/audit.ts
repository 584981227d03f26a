import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { auditLog } from '../tables/audit-table.ts';
import { adminSessions, members } from '../tables/account-tables.ts';
import type { Database, Store } from '../../store/index.ts';
import { takeAdvisoryLock } from '../../store/advisory-lock.ts';
import { Unavailable, waitUnlessUnavailable } from '../../common/unavailable.ts';
import { undoLater, isChangeCommitted } from './doubtful-change.ts';
import { Refused } from '../../common/refusal.ts';
import { raiseRevision, REVISION } from './revision.ts';
import { isSessionAlive } from './session-life.ts';

/** A member's rights at the time their request was authenticated. */
export interface LetIn {
  readonly memberId: string;
  readonly role: string;
  /** Hash of the token that the request was authenticated with. */
  readonly tokenHash: string;
}

/** Who changes something, and from where. */
export interface Actor {
  readonly who: string;
  /** An IP address, or the process itself. */
  readonly from: string;
  /** Absent when the actor is not a member, such as the operator. */
  readonly letIn?: LetIn;
  /** The id of the session that the request belongs to. Absent without one. */
  readonly session?: string;
}

export interface ChangeDependencies {
  readonly store: Store;
  /** The keys that this process knows; they are read again after each change. */
  readonly keys: { readonly refresh: () => Promise<void> };
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** One entry of the audit log, without its time and actor. Nothing in it may be secret. */
export interface ChangeEntry {
  readonly action: string;
  /** What was changed, such as `acme/web/ci`. */
  readonly subject: string;
  readonly before: object | null;
  readonly after: object | null;
}

/** What a change did, and its entry of the audit log. */
export interface AuditedWork<T> extends ChangeEntry {
  readonly result: T;
  /** Entries of the other things that the same change did. */
  readonly further?: readonly ChangeEntry[];
  /** Undoes the change when its outcome is unknown and the result, such as a new key, could not be returned. */
  readonly undo?: { readonly action: string; readonly work: (db: Database) => Promise<unknown> };
}

/**
 * Makes one change and writes its entries of the audit log, all in one transaction. When the promise resolves, this
 * process already acts on the change, or will at the next refresh; other instances act on it at their next refresh.
 * @throws Refused when the member's role or token was changed, or the session ended, after the request was authenticated
 * @throws Unavailable when the database does not answer; a change with `undo` is then undone if it was made
 */
export async function change<T>(
  platform: ChangeDependencies,
  actor: Actor,
  work: (db: Database) => Promise<AuditedWork<T>>,
): Promise<T> {
  const result = await makeChange(platform, actor, raiseRevision, work);
  // The change is committed, so failing to read it back now must not be reported as a failure.
  await waitUnlessUnavailable(platform.keys.refresh());
  return result;
}

/**
 * Makes a change as `change` does, of what every request reads from the database, such as sessions. The revision stays as it is,
 * so that no process reads its keys again.
 * @throws Refused as `change` does
 * @throws Unavailable as `change` does
 */
export function changeUncached<T>(
  platform: Omit<ChangeDependencies, 'keys'>,
  actor: Actor,
  work: (db: Database) => Promise<AuditedWork<T>>,
): Promise<T> {
  return makeChange(platform, actor, (db) => takeAdvisoryLock(db, REVISION), work);
}

/** @param begin - Lets no other change begin before this one ends. */
async function makeChange<T>(
  { store, now }: Omit<ChangeDependencies, 'keys'>,
  actor: Actor,
  begin: (db: Database) => Promise<void>,
  work: (db: Database) => Promise<AuditedWork<T>>,
): Promise<T> {
  const auditId = randomUUID();
  const log = (db: Database, id: string, { action, subject, before, after }: ChangeEntry) =>
    db.insert(auditLog).values({
      id,
      at: now(),
      actor: actor.who,
      origin: actor.from,
      action,
      subject,
      before: toAuditText(before),
      after: toAuditText(after),
    });
  let worked: AuditedWork<T> | null = null;
  const transaction = store.transaction(async (db) => {
    await begin(db);
    await checkStillStands(db, actor, now());
    const done = await work(db);
    worked = done;
    await log(db, auditId, done);
    for (const entry of done.further ?? []) await log(db, randomUUID(), entry);
    return done;
  });
  const { result } = await transaction.catch(async (error: unknown) => {
    if (!(error instanceof Unavailable) || worked === null) throw error;
    const done: AuditedWork<T> = worked;
    const made = await isChangeCommitted(store, auditId);
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
  return result;
}

/**
 * Returns a function that makes changes in the name of `actor`, as `change` does. A lower room takes it for changes of its
 * own tables.
 */
export function makeChangesAs(platform: ChangeDependencies, actor: Actor) {
  return <T>(work: (db: Database) => Promise<AuditedWork<T>>): Promise<T> => change(platform, actor, work);
}

/**
 * Writes an entry about a change that no caller made, but the market, such as the suspension of a maker.
 *
 * @param db - The database of the change's transaction.
 */
export async function recordMarketChange(
  db: Database,
  change: ChangeEntry & { readonly at: number },
): Promise<void> {
  await recordEntry(db, { who: 'market', from: 'this process' }, change);
}

/**
 * Writes an entry about what the operator did with a command that uses the database itself.
 *
 * @param db - The database of the change's transaction.
 */
export async function recordCommand(
  db: Database,
  change: ChangeEntry & { readonly at: number },
): Promise<void> {
  await recordEntry(db, { who: 'operator', from: 'the command line' }, change);
}

/**
 * Writes an entry about what somebody did that changed nothing which other instances have to read again, such as a backup.
 *
 * @throws Unavailable when the database does not answer
 */
export async function recordAction(
  { store, now }: Pick<ChangeDependencies, 'store' | 'now'>,
  actor: Actor,
  entry: ChangeEntry,
): Promise<void> {
  await store.transaction((db) => recordEntry(db, actor, { ...entry, at: now() }));
}

async function recordEntry(
  db: Database,
  { who, from }: Actor,
  { at, action, subject, before, after }: ChangeEntry & { readonly at: number },
): Promise<void> {
  await db.insert(auditLog).values({
    id: randomUUID(),
    at,
    actor: who,
    origin: from,
    action,
    subject,
    before: toAuditText(before),
    after: toAuditText(after),
  });
}

/** What a request was authenticated by. Null or absent: not by that. */
export interface Authentication {
  readonly letIn?: LetIn | null;
  readonly session?: string | null;
}

/**
 * Whether what a request was authenticated by still holds: the member's role and token, and the session. Whoever sends an
 * answer for long asks again while it is sent. Asking is no use of the session.
 *
 * @param now - Unix milliseconds.
 */
export async function isStillLetIn(
  db: Database,
  { letIn, session }: Authentication,
  now: number,
): Promise<boolean> {
  return (await isStillMember(db, letIn ?? null, now)) && (await isStillSignedIn(db, session ?? null, now));
}

async function isStillMember(db: Database, letIn: LetIn | null, now: number): Promise<boolean> {
  if (letIn === null) return true;
  const [member] = await db.select().from(members).where(eq(members.id, letIn.memberId));
  if (member === undefined || (member.tokenExpiresAt !== null && now >= member.tokenExpiresAt)) return false;
  return member.role === letIn.role && member.tokenHash === letIn.tokenHash;
}

async function isStillSignedIn(db: Database, session: string | null, now: number): Promise<boolean> {
  if (session === null) return true;
  const [row] = await db.select().from(adminSessions).where(eq(adminSessions.id, session));
  return row !== undefined && isSessionAlive(row, now);
}

/** Changes run one after another, so the caller's rights may have changed by the time this one runs. */
async function checkStillStands(db: Database, actor: Actor, now: number): Promise<void> {
  if (await isStillLetIn(db, actor, now)) return;
  throw new Refused(
    'rights-changed',
    'the member’s role or token was changed, or the session ended, meanwhile, and nothing was done',
  );
}

function toAuditText(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
