import { and, eq, isNull, lt, or } from 'drizzle-orm';
import { members, organisations } from '../../store/schema.ts';
import { newAdminToken } from '../credentials/admin-token.ts';
import type { HashKey } from '../credentials/api-key.ts';
import { type Actor, change, type ChangeDependencies } from '../audit/audit.ts';
import { Refused, resultOf, type Result } from '../refusal.ts';
import { findMember, type Member, type MemberPath, memberOf, type Party, subjectOf } from './members.ts';

/** What changes of members' tokens need. */
export interface TokenDependencies extends ChangeDependencies {
  readonly hashKey: HashKey;
  /** Milliseconds for which a member's token works; null: it never ends. */
  readonly memberTokenMs: number | null;
}

/** A token as it is given out; it is shown this once and kept nowhere. */
export interface NewToken {
  readonly token: string;
  /** Unix milliseconds; null: it never ends. */
  readonly tokenExpiresAt: number | null;
}

/** Every request of a member's would be a write otherwise. */
const USE_NOTED_MS = 60_000;

/** Whose token it is; null when it is nobody's, or its time is over. */
export async function findByToken(
  { store, hashKey, now }: Pick<TokenDependencies, 'store' | 'hashKey' | 'now'>,
  token: string,
): Promise<{ readonly member: Member; readonly organisation: string; readonly tokenHash: string } | null> {
  const tokenHash = hashKey(token);
  const [row] = await store.db.select().from(members).where(eq(members.tokenHash, tokenHash));
  if (row === undefined || (row.tokenExpiresAt !== null && now() >= row.tokenExpiresAt)) return null;
  const [organisation] = await store.db
    .select()
    .from(organisations)
    .where(eq(organisations.id, row.organisationId));
  return organisation === undefined
    ? null
    : { member: memberOf(row), organisation: organisation.slug, tokenHash };
}

/** Notes that the member's token was used, unless that was noted within the last minute. */
export async function noteTokenUse(
  { store, now }: Pick<ChangeDependencies, 'store' | 'now'>,
  { id, tokenLastUsedAt }: Member,
): Promise<void> {
  const at = now();
  const before = at - USE_NOTED_MS;
  if (tokenLastUsedAt !== null && tokenLastUsedAt > before) return;
  await store.db
    .update(members)
    .set({ tokenLastUsedAt: at })
    .where(and(eq(members.id, id), or(isNull(members.tokenLastUsedAt), lt(members.tokenLastUsedAt, at))));
}

/**
 * A new token for a member, which ends the one before. Nobody but the member and the operator may: a token is who one is.
 * @param expiresAt Unix milliseconds; absent: as late as is allowed
 */
export function renewToken(
  parts: TokenDependencies,
  actor: Actor,
  by: Party,
  path: MemberPath,
  expiresAt?: number,
): Promise<Result<NewToken>> {
  return resultOf(async () => {
    const { token, tokenExpiresAt } = newMemberToken(parts, expiresAt);
    return change(parts, actor, async (db) => {
      const { member } = await findMember(db, path);
      if (by.memberId !== null && by.memberId !== member.id) {
        throw new Refused('not-permitted', `${by.standing} may not make a token for somebody else`);
      }
      await db
        .update(members)
        .set({ tokenHash: parts.hashKey(token), tokenExpiresAt, tokenLastUsedAt: null })
        .where(eq(members.id, member.id));
      return {
        result: { token, tokenExpiresAt },
        action: 'member.token',
        subject: subjectOf(path),
        before: { tokenExpiresAt: member.tokenExpiresAt },
        after: { tokenExpiresAt },
      };
    });
  });
}

/**
 * @param expiresAt Unix milliseconds; absent: as late as is allowed
 * @throws Refused when that is over already, or later than is allowed
 */
export function newMemberToken(
  { memberTokenMs, now }: Pick<TokenDependencies, 'memberTokenMs' | 'now'>,
  expiresAt?: number,
): NewToken {
  const latest = memberTokenMs === null ? null : now() + memberTokenMs;
  if (expiresAt !== undefined && (expiresAt <= now() || (latest !== null && expiresAt > latest))) {
    const until = latest === null ? '' : ` and at most ${latest}, as member-token-days says`;
    throw new Refused(
      'invalid-value',
      `expiresAt must be later than now, which is ${now()} in Unix milliseconds${until}, got ${expiresAt}`,
    );
  }
  return { token: newAdminToken('member'), tokenExpiresAt: expiresAt ?? latest };
}
