import { and, eq } from 'drizzle-orm';
import { members, teamMembers, teams } from '../tables/account-tables.ts';
import type { Database } from '../../store/index.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { type Actor, change, type ChangeDependencies } from '../audit/audit.ts';
import { Refused, toResult, type Result } from '../../common/refusal.ts';
import { findOrganisation } from './organisations.ts';
import { findMember, type Member, loadMembers, type ChangingParty } from './members.ts';
import { requireRight, parseRole } from './roles.ts';
import { findTeam, type Team, type TeamPath } from './teams.ts';

/** A team and a member of its organisation. */
export interface TeamMemberPath extends TeamPath {
  readonly member: string;
}

/** Owners and admins may change every team without belonging to it. */
export interface TeamMember {
  readonly name: string;
  readonly role: string;
  /** Unix milliseconds at which the member was added to the team. */
  readonly since: number;
}

/**
 * Adds a member of the organisation to one of its teams, whose keys and firewall the member may then change. Adding a
 * member again changes nothing.
 * Returns a refusal when the caller lacks the right, or there is no such team or member.
 */
export function addTeamMember(
  platform: ChangeDependencies,
  actor: Actor,
  by: ChangingParty,
  path: TeamMemberPath,
): Promise<Result<void>> {
  return toResult(async () => {
    requireRight(by.standing, 'team.write', 'change who belongs to a team');
    return change(platform, actor, async (db) => {
      const { id: teamId } = await findTeam(db, path);
      const { member } = await findMember(db, path);
      const row = { teamId, memberId: member.id, createdAt: platform.now() };
      await db.insert(teamMembers).values(row).onConflictDoNothing();
      const after = { member: member.name };
      return {
        result: undefined,
        action: 'team.member_added',
        subject: subjectOf(path),
        before: null,
        after,
      };
    });
  });
}

/**
 * Removes a member from a team. Every member may leave a team.
 * Returns a refusal when the caller lacks the right, or the team has no such member.
 */
export function removeTeamMember(
  platform: ChangeDependencies,
  actor: Actor,
  by: ChangingParty,
  path: TeamMemberPath,
): Promise<Result<void>> {
  return toResult(async () => {
    return change(platform, actor, async (db) => {
      const { id: teamId } = await findTeam(db, path);
      const { member } = await findMember(db, path);
      if (member.id !== by.memberId) {
        requireRight(by.standing, 'team.write', 'change who belongs to a team');
      }
      const gone = await db.delete(teamMembers).where(sameMember(teamId, member.id)).returning();
      if (gone.length === 0) {
        throw new Refused(
          'not-found',
          `${path.organisation}/${path.team} has no member ${formatForError(path.member)}`,
        );
      }
      const before = { member: member.name };
      return {
        result: undefined,
        action: 'team.member_removed',
        subject: subjectOf(path),
        before,
        after: null,
      };
    });
  });
}

/** Returns the members of a team, in no particular order; a refusal when there is no such team. */
export function listTeamMembers(
  { store }: Pick<ChangeDependencies, 'store'>,
  path: TeamPath,
): Promise<Result<readonly TeamMember[]>> {
  return toResult(async () => {
    const { id } = await findTeam(store.db, path);
    return store.db
      .select({ name: members.name, role: members.role, since: teamMembers.createdAt })
      .from(teamMembers)
      .innerJoin(members, eq(members.id, teamMembers.memberId))
      .where(eq(teamMembers.teamId, id));
  });
}

/** Returns the members of an organisation with the sorted slugs of their teams; a refusal when there is no such organisation. */
export function listMembersWithTeams(
  { store }: Pick<ChangeDependencies, 'store'>,
  organisation: string,
): Promise<Result<readonly (Member & { readonly teams: readonly string[] })[]>> {
  return toResult(async () => {
    const { id } = await findOrganisation(store.db, organisation);
    const slugs = await teamsOfMembers(store.db, id);
    return (await loadMembers(store.db, id)).map((member) => ({
      ...member,
      teams: slugs.get(member.id) ?? [],
    }));
  });
}

/** Returns the sorted slugs of the teams that a member belongs to. */
export async function listTeamsOfMember(
  { store }: Pick<ChangeDependencies, 'store'>,
  memberId: string,
): Promise<readonly string[]> {
  const rows = await store.db
    .select({ slug: teams.slug })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .where(eq(teamMembers.memberId, memberId))
    .orderBy(teams.slug);
  return rows.map(({ slug }) => slug);
}

/** Returns the sorted slugs of the teams of each member who has some, by the member's id. */
async function teamsOfMembers(
  db: Database,
  organisationId: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .select({ memberId: teamMembers.memberId, slug: teams.slug })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .where(eq(teams.organisationId, organisationId))
    .orderBy(teams.slug);
  const slugs = new Map<string, string[]>();
  for (const { memberId, slug } of rows) {
    const ofMember = slugs.get(memberId);
    if (ofMember === undefined) slugs.set(memberId, [slug]);
    else ofMember.push(slug);
  }
  return slugs;
}

/**
 * Finds a team whose keys or rules the actor is about to change. A member without another role may change those of the
 * member's own teams only.
 * @throws Refused when there is no such team, or the actor does not belong to it
 */
export async function findOwnTeam(db: Database, { who, letIn }: Actor, path: TeamPath): Promise<Team> {
  const team = await findTeam(db, path);
  if (letIn === undefined || parseRole(letIn.role) !== 'member') return team;
  const [own] = await db.select().from(teamMembers).where(sameMember(team.id, letIn.memberId));
  if (own !== undefined) return team;
  throw new Refused(
    'not-permitted',
    `${who} does not belong to the team ${path.organisation}/${path.team}; an owner or admin can add members to it`,
  );
}

function sameMember(teamId: string, memberId: string) {
  return and(eq(teamMembers.teamId, teamId), eq(teamMembers.memberId, memberId));
}

function subjectOf({ organisation, team }: TeamPath): string {
  return `${organisation}/${team}`;
}
