import { and, eq, isNull, lt, or } from 'drizzle-orm';
import { members, organisations } from '../tables/account-tables.ts';
import { createAdminToken } from '../credentials/admin-token.ts';
import type { HashKey } from '../credentials/api-key.ts';
import { type Actor, change, type ChangeDependencies } from '../audit/audit.ts';
import { Refused, toResult, type Result } from '../../common/refusal.ts';
import {
  findMember,
  type Member,
  type MemberPath,
  toMember,
  type ChangingParty,
  subjectOf,
} from './members.ts';

export interface TokenDependencies extends ChangeDependencies {
  readonly hashKey: HashKey;
  /** Longest lifetime of a member's token, in milliseconds; null: tokens do not expire. */
  readonly memberTokenMs: number | null;
}

/** A new token, which is shown once and not stored. */
export interface NewToken {
  readonly token: string;
  /** Unix milliseconds; null: it does not expire. */
  readonly tokenExpiresAt: number | null;
}

/** The time of last use is written at most this often, so that not every request causes a write. */
const WRITE_USE_EVERY_MS = 60_000;

/** Returns the member that a token belongs to; null when it is unknown or has expired. */
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
    : { member: toMember(row), organisation: organisation.slug, tokenHash };
}

/** Writes when the member's token was last used, unless that was written within the last minute. */
export async function noteTokenUse(
  { store, now }: Pick<ChangeDependencies, 'store' | 'now'>,
  { id, tokenLastUsedAt }: Member,
): Promise<void> {
  const at = now();
  const before = at - WRITE_USE_EVERY_MS;
  if (tokenLastUsedAt !== null && tokenLastUsedAt > before) return;
  await store.db
    .update(members)
    .set({ tokenLastUsedAt: at })
    .where(and(eq(members.id, id), or(isNull(members.tokenLastUsedAt), lt(members.tokenLastUsedAt, at))));
}

/**
 * Replaces the token of a member. Only the member and the operator may do so, because the token lets its holder act as
 * the member.
 * @param expiresAt - Unix milliseconds; absent: as late as allowed.
 */
export function renewToken(
  platform: TokenDependencies,
  actor: Actor,
  by: ChangingParty,
  path: MemberPath,
  expiresAt?: number,
): Promise<Result<NewToken>> {
  return toResult(async () => {
    const { token, tokenExpiresAt } = createMemberToken(platform, expiresAt);
    return change(platform, actor, async (db) => {
      const { member } = await findMember(db, path);
      if (by.memberId !== null && by.memberId !== member.id) {
        throw new Refused('not-permitted', `${by.standing} may not make a token for somebody else`);
      }
      await db
        .update(members)
        .set({ tokenHash: platform.hashKey(token), tokenExpiresAt, tokenLastUsedAt: null })
        .where(eq(members.id, member.id));
      return {
        result: { token, tokenExpiresAt },
        action: 'member.token_renewed',
        subject: subjectOf(path),
        before: { tokenExpiresAt: member.tokenExpiresAt },
        after: { tokenExpiresAt },
      };
    });
  });
}

/**
 * @param expiresAt - Unix milliseconds; absent: as late as allowed.
 * @returns a new token, not yet stored
 * @throws Refused when `expiresAt` is in the past or later than allowed
 */
export function createMemberToken(
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
  return { token: createAdminToken('member'), tokenExpiresAt: expiresAt ?? latest };
}
