import { and, eq } from 'drizzle-orm';
import { adminSessions, invitations, members } from '../tables/account-tables.ts';
import type { Database } from '../../store/index.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { type Actor, change, type ChangeDependencies } from '../audit/audit.ts';
import { Refused, toResult, type Result } from '../../common/refusal.ts';
import { findOrganisation } from './organisations.ts';
import { type MemberRole, ROLES, requireRight, parseRole, type Standing } from './roles.ts';

/**
 * A member of one organisation. Names are unique only within an organisation, because e-mail addresses are not verified: the
 * same name in two organisations is two members, with a token each.
 */
export interface Member {
  readonly id: string;
  readonly name: string;
  readonly role: MemberRole;
  readonly createdAt: number;
  /** Unix milliseconds when the token expires; null: never. */
  readonly tokenExpiresAt: number | null;
  /** Unix milliseconds of the last use of the token, to the minute; null: never used. */
  readonly tokenLastUsedAt: number | null;
}

export interface MemberPath {
  readonly organisation: string;
  readonly member: string;
}

/** Who changes members or invitations. */
export interface ChangingParty {
  readonly standing: Standing;
  /** Null: the operator. */
  readonly memberId: string | null;
}

export const MAX_MEMBERS = 1_000;

/** Returns the members of an organisation; a refusal when there is no such organisation. */
export function listMembers(
  { store }: Pick<ChangeDependencies, 'store'>,
  organisation: string,
): Promise<Result<readonly Member[]>> {
  return toResult(async () => {
    const { id } = await findOrganisation(store.db, organisation);
    return loadMembers(store.db, id);
  });
}

/**
 * Changes the role of a member. It ends the member's sessions. A lesser role also withdraws the
 * invitations that the member made.
 * @param name - The name of the new role.
 * @returns a refusal when the caller lacks the right, or the organisation would be left without an owner
 */
export function changeRole(
  platform: ChangeDependencies,
  actor: Actor,
  by: ChangingParty,
  path: MemberPath,
  name: string,
): Promise<Result<Member>> {
  return toResult(async () => {
    const role = parseRole(name);
    return change(platform, actor, async (db) => {
      const { organisationId, member } = await findMember(db, path);
      requireRightOver(by.standing, [member.role, role]);
      if (role !== 'owner') await checkOtherOwner(db, organisationId, path, member);
      await db.update(members).set({ role }).where(eq(members.id, member.id));
      // They do not return with the former role.
      if (role !== member.role) await db.delete(adminSessions).where(eq(adminSessions.memberId, member.id));
      const isLess = ROLES.indexOf(role) > ROLES.indexOf(member.role);
      const withdrawn = isLess ? await withdrawInvitations(db, member.id) : {};
      const result = { ...member, role };
      const before = { role: member.role, ...withdrawn };
      return { result, action: 'member.role_changed', subject: subjectOf(path), before, after: { role } };
    });
  });
}

/** Removes a member and withdraws the invitations they made. Members may remove themselves. */
export function removeMember(
  platform: ChangeDependencies,
  actor: Actor,
  by: ChangingParty,
  path: MemberPath,
): Promise<Result<void>> {
  return toResult(async () => {
    return change(platform, actor, async (db) => {
      const { organisationId, member } = await findMember(db, path);
      if (member.id !== by.memberId) requireRightOver(by.standing, [member.role]);
      await checkOtherOwner(db, organisationId, path, member);
      const withdrawn = await withdrawInvitations(db, member.id);
      await db.delete(members).where(eq(members.id, member.id));
      const before = { role: member.role, ...withdrawn };
      const action = member.id === by.memberId ? 'member.left' : 'member.removed';
      return { result: undefined, action, subject: subjectOf(path), before, after: null };
    });
  });
}

/** Only owners may make or unmake owners; owners and admins may change everybody else. @throws Refused otherwise */
export function requireRightOver(standing: Standing, roles: readonly MemberRole[]): void {
  if (roles.includes('owner')) requireRight(standing, 'owner.write', 'change who is an owner');
  else requireRight(standing, 'member.write', 'change who is a member');
}

export async function loadMembers(db: Database, organisationId: string): Promise<readonly Member[]> {
  const rows = await db.select().from(members).where(eq(members.organisationId, organisationId));
  return rows.map(toMember);
}

/**
 * Withdraws the invitations of a member who lost a right, so that they cannot return through one of them.
 * Returns who was invited, for the audit log.
 */
async function withdrawInvitations(
  db: Database,
  memberId: string,
): Promise<{ readonly invitations?: readonly string[] }> {
  const withdrawn = await db
    .delete(invitations)
    .where(eq(invitations.invitedBy, memberId))
    .returning({ name: invitations.name });
  return withdrawn.length === 0 ? {} : { invitations: withdrawn.map(({ name }) => name).sort() };
}

/** Changes run one after another, so two owners cannot both leave because each still sees the other. */
async function checkOtherOwner(db: Database, organisationId: string, path: MemberPath, member: Member) {
  if (member.role !== 'owner') return;
  const owners = (await loadMembers(db, organisationId)).filter(({ role }) => role === 'owner');
  if (owners.length > 1) return;
  throw new Refused(
    'last-owner',
    `${member.name} is the last owner of ${path.organisation}; make somebody else an owner first`,
  );
}

/** @throws Refused when there is no such organisation or member */
export async function findMember(db: Database, path: MemberPath) {
  const { id: organisationId } = await findOrganisation(db, path.organisation);
  const [row] = await db
    .select()
    .from(members)
    .where(and(eq(members.organisationId, organisationId), eq(members.name, path.member)));
  if (row !== undefined) return { organisationId, member: toMember(row) };
  throw new Refused('not-found', `${path.organisation} has no member ${formatForError(path.member)}`);
}

export function toMember(row: typeof members.$inferSelect): Member {
  const { id, name, role, createdAt, tokenExpiresAt, tokenLastUsedAt } = row;
  return { id, name, role: parseRole(role), createdAt, tokenExpiresAt, tokenLastUsedAt };
}

export function subjectOf({ organisation, member }: MemberPath): string {
  return `${organisation}/${member}`;
}
