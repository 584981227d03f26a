import { eq } from 'drizzle-orm';
import type { Database } from '../../store/index.ts';
import { apiKeys, firewallRules, invitations, members, teams } from '../tables/account-tables.ts';

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
