import { count, eq } from 'drizzle-orm';
import type { Database } from '../../store/index.ts';
import {
  apiKeys,
  firewallRules,
  invitations,
  members,
  teamMembers,
  teams,
} from '../tables/account-tables.ts';

/** What is deleted with a team, by sorted names, as the audit log shows it. */
export interface TeamContents {
  readonly keys: readonly string[];
  readonly rules: readonly string[];
}

/** Returns the names of the team's keys and rules. */
export async function readTeamContents(db: Database, teamId: string): Promise<TeamContents> {
  const keys = await db.select({ name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.teamId, teamId));
  const rules = await db
    .select({ name: firewallRules.name })
    .from(firewallRules)
    .where(eq(firewallRules.teamId, teamId));
  return { keys: namesIn(keys), rules: namesIn(rules) };
}

/** How much a team holds. */
export interface TeamCounts {
  readonly keys: number;
  readonly members: number;
  readonly rules: number;
}

/** Returns how much the teams of an organisation hold, by the id of the team. */
export async function countTeamContents(
  db: Database,
  organisationId: string,
): Promise<(teamId: string) => TeamCounts> {
  const [keys, members, rules] = [
    await countByTeam(db, organisationId, apiKeys),
    await countByTeam(db, organisationId, teamMembers),
    await countByTeam(db, organisationId, firewallRules),
  ];
  return (teamId) => ({
    keys: keys.get(teamId) ?? 0,
    members: members.get(teamId) ?? 0,
    rules: rules.get(teamId) ?? 0,
  });
}

async function countByTeam(
  db: Database,
  organisationId: string,
  table: typeof apiKeys | typeof teamMembers | typeof firewallRules,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ teamId: table.teamId, held: count() })
    .from(table)
    .innerJoin(teams, eq(teams.id, table.teamId))
    .where(eq(teams.organisationId, organisationId))
    .groupBy(table.teamId);
  return new Map(rows.map(({ teamId, held }) => [teamId, Number(held)]));
}

/** Returns what is deleted with an organisation: its teams and their contents, and the roles of its members and invitations. */
export async function readOrganisationContents(db: Database, organisationId: string): Promise<object> {
  const all = await db.select().from(teams).where(eq(teams.organisationId, organisationId));
  const contents: Record<string, TeamContents> = {};
  for (const { id, slug } of all) contents[slug] = await readTeamContents(db, id);
  const columns = { name: members.name, role: members.role };
  const people = await db.select(columns).from(members).where(eq(members.organisationId, organisationId));
  const invited = await db
    .select({ name: invitations.name, role: invitations.role })
    .from(invitations)
    .where(eq(invitations.organisationId, organisationId));
  return { teams: contents, members: toRolesByName(people), invitations: toRolesByName(invited) };
}

function toRolesByName(rows: readonly { readonly name: string; readonly role: string }[]) {
  return Object.fromEntries(rows.map(({ name, role }) => [name, role]));
}

function namesIn(rows: readonly { readonly name: string }[]): readonly string[] {
  return rows.map(({ name }) => name).sort();
}
