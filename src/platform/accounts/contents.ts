import { eq } from 'drizzle-orm';
import type { Database } from '../../store/index.ts';
import { apiKeys, firewallRules, invitations, members, teams } from '../../store/schema.ts';

/** What goes with a team when it is deleted, by names in order, as the audit log shows it. */
export interface TeamContents {
  readonly keys: readonly string[];
  readonly rules: readonly string[];
}

export async function contentsOfTeam(db: Database, teamId: string): Promise<TeamContents> {
  const keys = await db.select({ name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.teamId, teamId));
  const rules = await db
    .select({ name: firewallRules.name })
    .from(firewallRules)
    .where(eq(firewallRules.teamId, teamId));
  return { keys: namesIn(keys), rules: namesIn(rules) };
}

/** What goes with an organisation: its teams with what they have, and the roles of its members and of those invited. */
export async function contentsOfOrganisation(db: Database, organisationId: string): Promise<object> {
  const all = await db.select().from(teams).where(eq(teams.organisationId, organisationId));
  const contents: Record<string, TeamContents> = {};
  for (const { id, slug } of all) contents[slug] = await contentsOfTeam(db, id);
  const ofIt = { name: members.name, role: members.role };
  const people = await db.select(ofIt).from(members).where(eq(members.organisationId, organisationId));
  const invited = await db
    .select({ name: invitations.name, role: invitations.role })
    .from(invitations)
    .where(eq(invitations.organisationId, organisationId));
  return { teams: contents, members: rolesOf(people), invitations: rolesOf(invited) };
}

function rolesOf(rows: readonly { readonly name: string; readonly role: string }[]) {
  return Object.fromEntries(rows.map(({ name, role }) => [name, role]));
}

function namesIn(rows: readonly { readonly name: string }[]): readonly string[] {
  return rows.map(({ name }) => name).sort();
}
