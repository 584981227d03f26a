import { randomBytes } from 'node:crypto';
import { and, asc, eq, inArray, lt, or, type SQL } from 'drizzle-orm';
import { type ChangingParty, toMember } from '../accounts/members.ts';
import { type Actor, type ChangeEntry, changeUncached } from '../audit/audit.ts';
import { CLOCK_MS, IDLE_MS, isSessionAlive } from '../audit/session-life.ts';
import type { TokenDependencies } from '../accounts/member-tokens.ts';
import { toResult, type Result } from '../../common/refusal.ts';
import type { Database, Store } from '../../store/index.ts';
import { adminSessions, members, organisations } from '../tables/account-tables.ts';
import {
  findSessionSubject,
  isOfMember,
  type SessionHolder,
  toActorName,
  toLetIn,
  toSessionSubject,
} from './session-holder.ts';

/** A session ends at the latest after this time, or with the token that it stands for. */
export const SESSION_MS = 12 * 60 * 60 * 1_000;
/** The time of last use is written at most this often, so that not every request causes a write. */
const WRITE_USE_EVERY_MS = 60 * 1_000;
/** How many sessions a member, or all who use the operator's credential, may have. The oldest make room. */
export const MAX_SESSIONS = { member: 20, operator: 100 } as const;
const SECRET_BYTES = 32;

type SessionDependencies = Pick<TokenDependencies, 'store' | 'hashKey' | 'now'>;

/** The two halves of a session, as a request presents them. Both are needed. */
export interface SessionHalves {
  /** The values of the session's cookie: a browser sends several if another server of the host has set one, too. */
  readonly cookies: readonly string[];
  /** What the page keeps; null: the request has none. */
  readonly pageToken: string | null;
}

export interface AdminSession {
  readonly id: string;
  readonly holder: SessionHolder;
  /** Unix milliseconds at which it ends however much it is used. */
  readonly expiresAt: number;
}

/** A session with its two halves, which are shown once and not stored. */
export interface BegunSession extends AdminSession {
  readonly cookie: string;
  readonly pageToken: string;
}

/**
 * Begins a session. Its secrets are new, whatever the browser has sent; a session that the browser had is ended.
 *
 * @param from - The address of the browser.
 * @param previous - The halves that the browser sent.
 * @returns a refusal when the member's token or role was changed meanwhile
 */
export function beginSession(
  platform: SessionDependencies,
  holder: SessionHolder,
  from: string,
  previous: SessionHalves,
): Promise<Result<BegunSession>> {
  return toResult(async () => {
    const letIn = toLetIn(holder);
    const actor: Actor = { who: toActorName(holder), from, ...(letIn === null ? {} : { letIn }) };
    const [cookie, pageToken] = [createSecret(), createSecret()];
    const now = platform.now();
    const latest = holder.kind === 'member' ? holder.member.tokenExpiresAt : null;
    const row = {
      id: platform.hashKey(cookie),
      pageHash: platform.hashKey(pageToken),
      memberId: letIn?.memberId ?? null,
      role: letIn?.role ?? 'operator',
      credentialHash: holder.kind === 'member' ? holder.tokenHash : holder.credentialHash,
      name: holder.kind === 'operator' ? holder.name : null,
      createdAt: now,
      usedAt: now,
      expiresAt: Math.min(now + SESSION_MS, latest ?? Number.POSITIVE_INFINITY),
    };
    return changeUncached(platform, actor, async (db) => {
      const further = await endPreviousSessions(platform, db, holder, previous);
      await db.insert(adminSessions).values(row);
      return {
        result: { id: row.id, holder, expiresAt: row.expiresAt, cookie, pageToken },
        action: 'session.begun',
        subject: toSessionSubject(holder),
        before: null,
        after: { expiresAt: row.expiresAt },
        further,
        // Nobody has its secrets.
        undo: {
          action: 'session.ended',
          work: (later) => later.delete(adminSessions).where(eq(adminSessions.id, row.id)),
        },
      };
    });
  });
}

/**
 * Finds the session that a request presents, and notes that it was used.
 *
 * @param operatorHash - The hash of the operator's credential.
 * @returns null when a half is missing or wrong, or the session has ended
 */
export async function findSession(
  platform: SessionDependencies,
  halves: SessionHalves,
  operatorHash: string,
): Promise<AdminSession | null> {
  if (halves.pageToken === null || halves.cookies.length === 0) return null;
  const { db } = platform.store;
  const [session] = await db.select().from(adminSessions).where(matchesHalves(platform, halves));
  const now = platform.now();
  if (session === undefined || !isSessionAlive(session, now)) return null;
  const holder = await findHolder(db, session, { operatorHash, now });
  if (holder === null) return null;
  await noteSessionUse(platform, session);
  return { id: session.id, holder, expiresAt: session.expiresAt };
}

/** Ends a session, if it has not ended already. */
export async function endSession(
  platform: SessionDependencies,
  actor: Actor,
  { id, holder, expiresAt }: AdminSession,
): Promise<Result<void>> {
  return toResult(() =>
    changeUncached(platform, actor, async (db) => {
      await db.delete(adminSessions).where(eq(adminSessions.id, id));
      return { result: undefined, ...toEndEntry(toSessionSubject(holder), expiresAt, 'signed out') };
    }),
  );
}

/**
 * Ends all sessions of the member, or all that were begun with the operator's credential.
 *
 * @param party - Whose sessions.
 * @returns how many there were
 */
export function endAllSessions(
  platform: SessionDependencies,
  actor: Actor,
  party: Pick<ChangingParty, 'memberId'>,
): Promise<Result<number>> {
  return toResult(() =>
    changeUncached(platform, actor, async (db) => {
      const ended = await db.delete(adminSessions).where(isOfMember(party.memberId)).returning();
      return {
        result: ended.length,
        action: 'session.ended',
        subject: await findSessionSubject(db, party.memberId),
        before: { sessions: ended.length },
        after: { reason: 'signed out everywhere' },
      };
    }),
  );
}

/** Removes the sessions that have ended by themselves, by the database's clock. */
export async function removeEndedSessions(store: Store): Promise<void> {
  const now = await store.now(store.db);
  // An instance whose clock is behind lets them end a little later.
  await store.db.delete(adminSessions).where(hasEnded(now - CLOCK_MS));
}

function hasEnded(now: number): SQL | undefined {
  return or(lt(adminSessions.expiresAt, now), lt(adminSessions.usedAt, now - IDLE_MS));
}

/** Each cookie is tried, so that a cookie which another server of the host has set signs nobody out. */
function matchesHalves(
  { hashKey }: Pick<SessionDependencies, 'hashKey'>,
  { cookies, pageToken }: SessionHalves,
): SQL | undefined {
  return and(
    inArray(adminSessions.id, cookies.map(hashKey)),
    eq(adminSessions.pageHash, hashKey(pageToken ?? '')),
  );
}

/** Returns null when the token or the credential is another one than that with which the session began, or the role is. */
async function findHolder(
  db: Database,
  { memberId, credentialHash, role, name }: typeof adminSessions.$inferSelect,
  { operatorHash, now }: { readonly operatorHash: string; readonly now: number },
): Promise<SessionHolder | null> {
  if (memberId === null) {
    return credentialHash === operatorHash ? { kind: 'operator', name, credentialHash } : null;
  }
  const [member] = await db.select().from(members).where(eq(members.id, memberId));
  if (member === undefined || member.tokenHash !== credentialHash || member.role !== role) return null;
  if (member.tokenExpiresAt !== null && now >= member.tokenExpiresAt) return null;
  const [organisation] = await db
    .select()
    .from(organisations)
    .where(eq(organisations.id, member.organisationId));
  if (organisation === undefined) return null;
  return {
    kind: 'member',
    member: toMember(member),
    organisation: organisation.slug,
    tokenHash: credentialHash,
  };
}

async function noteSessionUse(
  { store, now }: Pick<SessionDependencies, 'store' | 'now'>,
  { id, usedAt }: typeof adminSessions.$inferSelect,
): Promise<void> {
  const at = now();
  if (Math.abs(at - usedAt) < WRITE_USE_EVERY_MS) return;
  await store.db.update(adminSessions).set({ usedAt: at }).where(eq(adminSessions.id, id));
}

/**
 * Ends what a new session replaces: the one that the browser had, those that have ended by themselves, and the oldest of too
 * many.
 * Returns the entries of the audit log.
 */
async function endPreviousSessions(
  platform: SessionDependencies,
  db: Database,
  holder: SessionHolder,
  previous: SessionHalves,
): Promise<readonly ChangeEntry[]> {
  const memberId = toLetIn(holder)?.memberId ?? null;
  await db.delete(adminSessions).where(and(isOfMember(memberId), hasEnded(platform.now())));
  const ids = previous.cookies.map(platform.hashKey);
  // The cookie of somebody else, which another server of the host may have seen, ends nothing alone.
  const isReplaced = or(
    isOfMember(memberId),
    eq(adminSessions.pageHash, platform.hashKey(previous.pageToken ?? '')),
  );
  const replaced =
    ids.length === 0 ? [] : await deleteSessions(db, and(inArray(adminSessions.id, ids), isReplaced));
  const { id, expiresAt } = adminSessions;
  const kept = await db
    .select({ id, expiresAt })
    .from(adminSessions)
    .where(isOfMember(memberId))
    .orderBy(asc(adminSessions.createdAt), asc(id));
  const tooMany = kept.slice(0, Math.max(0, kept.length + 1 - MAX_SESSIONS[holder.kind]));
  const removed =
    tooMany.length === 0
      ? []
      : await deleteSessions(
          db,
          inArray(
            id,
            tooMany.map((session) => session.id),
          ),
        );
  return Promise.all([
    ...replaced.map((session) => describeRemoved(db, session, 'signed in again')),
    ...removed.map((session) => describeRemoved(db, session, 'too many sessions')),
  ]);
}

function deleteSessions(db: Database, which: SQL | undefined) {
  const { expiresAt, memberId } = adminSessions;
  return db.delete(adminSessions).where(which).returning({ expiresAt, memberId });
}

async function describeRemoved(
  db: Database,
  { expiresAt, memberId }: { readonly expiresAt: number; readonly memberId: string | null },
  reason: string,
): Promise<ChangeEntry> {
  return toEndEntry(await findSessionSubject(db, memberId), expiresAt, reason);
}

function toEndEntry(subject: string, expiresAt: number, reason: string): ChangeEntry {
  return { action: 'session.ended', subject, before: { expiresAt }, after: { reason } };
}

function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
