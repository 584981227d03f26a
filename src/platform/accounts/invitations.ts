import { randomUUID } from 'node:crypto';
import { and, eq, lte } from 'drizzle-orm';
import { invitations, members, organisations } from '../tables/account-tables.ts';
import type { Database } from '../../store/index.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { createAdminToken } from '../credentials/admin-token.ts';
import { type Actor, change, type ChangeDependencies } from '../audit/audit.ts';
import { Refused, toResult, type Result } from '../../common/refusal.ts';
import { createMemberToken, type TokenDependencies } from './member-tokens.ts';
import { type Member, MAX_MEMBERS, loadMembers, type ChangingParty, requireRightOver } from './members.ts';
import { checkMemberName } from './names.ts';
import { findOrganisation } from './organisations.ts';
import { type MemberRole, parseRole } from './roles.ts';

/** An invitation can be accepted within ten days, with a token that is shown once. */
export interface Invitation {
  readonly name: string;
  readonly role: MemberRole;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export const INVITATION_MS = 10 * 24 * 60 * 60 * 1_000;
const MAX_INVITATIONS = 100;

/**
 * Invites a person to become a member. Inviting the same name again replaces the earlier invitation and invalidates its
 * token.
 * Returns the invitation with its `token`, which is not stored; a refusal when the caller lacks the right, or the name
 * is invalid or a member's.
 */
export function invite(
  platform: TokenDependencies,
  actor: Actor,
  by: ChangingParty,
  { organisation, name, role: roleName }: { organisation: string; name: string; role: string },
): Promise<Result<Invitation & { readonly token: string }>> {
  return toResult(async () => {
    checkMemberName(name);
    const role = parseRole(roleName);
    requireRightOver(by.standing, [role]);
    return change(platform, actor, async (db) => {
      const { id: organisationId } = await findOrganisation(db, organisation);
      await checkRoom(db, organisationId, { organisation, name, now: platform.now() });
      const before = await findPendingInvitation(db, organisationId, name);
      // An admin must not replace an owner's invitation by one with a lesser role.
      if (before !== undefined) requireRightOver(by.standing, [parseRole(before.role)]);
      await db.delete(invitations).where(sameName(organisationId, name));
      const token = createAdminToken('invitation');
      const row = {
        id: randomUUID(),
        organisationId,
        name,
        role,
        hash: platform.hashKey(token),
        invitedBy: by.memberId,
        createdAt: platform.now(),
        expiresAt: platform.now() + INVITATION_MS,
      };
      await db.insert(invitations).values(row);
      return {
        result: { ...toInvitation(row), token },
        action: 'member.invited',
        subject: `${organisation}/${name}`,
        before: before === undefined ? null : { role: before.role },
        after: { role, expiresAt: row.expiresAt },
      };
    });
  });
}

/** Returns the invitations that can still be accepted; a refusal when there is no such organisation. */
export function listInvitations(
  { store, now }: Pick<ChangeDependencies, 'store' | 'now'>,
  organisation: string,
): Promise<Result<readonly Invitation[]>> {
  return toResult(async () => {
    const { id } = await findOrganisation(store.db, organisation);
    const rows = await store.db.select().from(invitations).where(eq(invitations.organisationId, id));
    return rows.filter(({ expiresAt }) => expiresAt > now()).map(toInvitation);
  });
}

/**
 * Revokes an invitation.
 * Returns a refusal when the caller lacks the right, or there is no invitation of that name.
 */
export function revokeInvitation(
  platform: TokenDependencies,
  actor: Actor,
  by: ChangingParty,
  { organisation, name }: { organisation: string; name: string },
): Promise<Result<void>> {
  return toResult(async () => {
    return change(platform, actor, async (db) => {
      const { id } = await findOrganisation(db, organisation);
      const row = await findPendingInvitation(db, id, name);
      if (row === undefined) {
        throw new Refused('not-found', `${organisation} has no invitation of ${formatForError(name)}`);
      }
      requireRightOver(by.standing, [parseRole(row.role)]);
      await db.delete(invitations).where(eq(invitations.id, row.id));
      return {
        result: undefined,
        action: 'invitation.canceled',
        subject: `${organisation}/${name}`,
        before: { role: row.role },
        after: null,
      };
    });
  });
}

/**
 * Makes the holder of the token a member. A token can be used once.
 * @param expiresAt - Unix milliseconds at which the member's own token expires; absent: as late as allowed.
 * @returns the member with a token of their own, which is not stored; a refusal when the invitation does not exist, was used
 *   or revoked, or has expired
 */
export function acceptInvitation(
  platform: TokenDependencies,
  from: string,
  token: string,
  expiresAt?: number,
): Promise<Result<{ readonly organisation: string; readonly member: Member; readonly token: string }>> {
  return toResult(async () => {
    const hash = platform.hashKey(token);
    // Guessing tokens must not cause database writes.
    const [known] = await platform.store.db.select().from(invitations).where(eq(invitations.hash, hash));
    if (known === undefined) throw noSuchInvitation();
    const { token: own, tokenExpiresAt } = createMemberToken(platform, expiresAt);
    return change(platform, { who: known.name, from }, async (db) => {
      const [row] = await db.select().from(invitations).where(eq(invitations.hash, hash));
      if (row === undefined || row.expiresAt <= platform.now()) throw noSuchInvitation();
      const [organisation] = await db
        .select()
        .from(organisations)
        .where(eq(organisations.id, row.organisationId));
      if (organisation === undefined) throw noSuchInvitation();
      await db.delete(invitations).where(eq(invitations.id, row.id));
      const member = {
        id: randomUUID(),
        name: row.name,
        role: parseRole(row.role),
        createdAt: platform.now(),
        tokenExpiresAt,
        tokenLastUsedAt: null,
      };
      await db
        .insert(members)
        .values({ ...member, organisationId: row.organisationId, tokenHash: platform.hashKey(own) });
      return {
        result: { organisation: organisation.slug, member, token: own },
        action: 'member.joined',
        subject: `${organisation.slug}/${row.name}`,
        before: null,
        after: { role: row.role, tokenExpiresAt },
      };
    });
  });
}

function noSuchInvitation(): Refused {
  return new Refused(
    'not-found',
    'the invitation is not one that can be accepted: it was used or revoked, is older than 10 days, or never was',
  );
}

async function checkRoom(
  db: Database,
  organisationId: string,
  { organisation, name, now }: { organisation: string; name: string; now: number },
): Promise<void> {
  const members = await loadMembers(db, organisationId);
  if (members.some((member) => member.name === name)) {
    throw new Refused('already-exists', `${organisation} has a member ${name} already`);
  }
  await db
    .delete(invitations)
    .where(and(eq(invitations.organisationId, organisationId), lte(invitations.expiresAt, now)));
  const pending = await db.select().from(invitations).where(eq(invitations.organisationId, organisationId));
  if (pending.length >= MAX_INVITATIONS) {
    throw new Refused(
      'limit-reached',
      `${organisation} has ${MAX_INVITATIONS} invitations, and more are not allowed; revoke some`,
    );
  }
  if (members.length + pending.length >= MAX_MEMBERS) {
    throw new Refused(
      'limit-reached',
      `${organisation} has ${MAX_MEMBERS} members and invitations, and more are not allowed`,
    );
  }
}

function sameName(organisationId: string, name: string) {
  return and(eq(invitations.organisationId, organisationId), eq(invitations.name, name));
}

async function findPendingInvitation(db: Database, organisationId: string, name: string) {
  const [row] = await db.select().from(invitations).where(sameName(organisationId, name));
  return row;
}

function toInvitation({ name, role, createdAt, expiresAt }: typeof invitations.$inferSelect): Invitation {
  return { name, role: parseRole(role), createdAt, expiresAt };
}
