import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { teams } from '../tables/account-tables.ts';
import type { Database } from '../../store/index.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { type Actor, change, type ChangeDependencies } from '../audit/audit.ts';
import { readTeamContents } from './contents.ts';
import { Refused, toResult, type Result } from '../../common/refusal.ts';
import { checkSlug } from './names.ts';
import { findOrganisation } from './organisations.ts';

export type Team = typeof teams.$inferSelect;

/** An organisation and one of its teams, by their slugs. */
export interface TeamPath {
  readonly organisation: string;
  readonly team: string;
}

const MAX_TEAMS = 100;

/** Returns the new team; a refusal when the slug is invalid or taken, or the organisation has too many teams. */
export function createTeam(
  platform: ChangeDependencies,
  actor: Actor,
  path: TeamPath,
): Promise<Result<Team>> {
  return toResult(async () => {
    const { organisation, team: slug } = path;
    checkSlug('team', slug);
    return change(platform, actor, async (db) => {
      const { id: organisationId } = await findOrganisation(db, organisation);
      const others = await loadTeams(db, organisationId);
      if (others.some((other) => other.slug === slug)) {
        throw new Refused('already-exists', `${organisation} has a team ${slug} already`);
      }
      if (others.length >= MAX_TEAMS) {
        throw new Refused(
          'limit-reached',
          `${organisation} has ${MAX_TEAMS} teams, and more are not allowed`,
        );
      }
      const team = { id: randomUUID(), organisationId, slug, createdAt: platform.now() };
      await db.insert(teams).values(team);
      return { result: team, action: 'team.created', subject: subjectOf(path), before: null, after: {} };
    });
  });
}

/** Returns the teams of an organisation, by slug; a refusal when there is no such organisation. */
export function listTeams(
  { store }: Pick<ChangeDependencies, 'store'>,
  organisation: string,
): Promise<Result<readonly Team[]>> {
  return toResult(async () => {
    const { id } = await findOrganisation(store.db, organisation);
    return loadTeams(store.db, id);
  });
}

/** @throws Refused when there is no such organisation or team */
export async function findTeam(db: Database, { organisation, team: slug }: TeamPath): Promise<Team> {
  const { id } = await findOrganisation(db, organisation);
  const [team] = await db
    .select()
    .from(teams)
    .where(and(eq(teams.organisationId, id), eq(teams.slug, slug)));
  if (team === undefined)
    throw new Refused('not-found', `${organisation} has no team ${formatForError(slug)}`);
  return team;
}

/** Returns the team; a refusal when it does not exist. */
export function getTeam(db: Database, path: TeamPath): Promise<Result<Team>> {
  return toResult(() => findTeam(db, path));
}

/**
 * Deletes a team with its keys and rules.
 * Returns a refusal when there is no such team.
 */
export function deleteTeam(
  platform: ChangeDependencies,
  actor: Actor,
  path: TeamPath,
): Promise<Result<void>> {
  return toResult(async () => {
    return change(platform, actor, async (db) => {
      const { id } = await findTeam(db, path);
      const before = await readTeamContents(db, id);
      await db.delete(teams).where(eq(teams.id, id));
      return { result: undefined, action: 'team.deleted', subject: subjectOf(path), before, after: null };
    });
  });
}

function loadTeams(db: Database, organisationId: string): Promise<Team[]> {
  return db.select().from(teams).where(eq(teams.organisationId, organisationId)).orderBy(teams.slug);
}

function subjectOf({ organisation, team }: TeamPath): string {
  return `${organisation}/${team}`;
}
