import { eq, inArray } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { apiKeys, organisations, teams } from '../tables/account-tables.ts';
import type { Database } from '../../store/index.ts';

/** Names by id. The id of something deleted stands for itself. */
export interface OwnerNames {
  readonly organisation: (id: string) => string;
  readonly team: (id: string) => string;
  readonly key: (id: string) => string;
}

/** Looks up the current names of the ids in the log and the counts. */
export async function readOwnerNames(
  db: Database,
  ids: {
    readonly organisations: readonly string[];
    readonly teams: readonly string[];
    readonly keys: readonly string[];
  },
): Promise<OwnerNames> {
  return {
    organisation: await namesIn(db, organisations, organisations.id, organisations.slug, ids.organisations),
    team: await namesIn(db, teams, teams.id, teams.slug, ids.teams),
    key: await namesIn(db, apiKeys, apiKeys.id, apiKeys.name, ids.keys),
  };
}

/** Looks up the teams of keys by the ids of the keys. A key that was deleted has none. */
export async function readTeamsOfKeys(
  db: Database,
  keyIds: readonly string[],
): Promise<(keyId: string) => string | null> {
  const rows =
    keyIds.length === 0
      ? []
      : await db
          .select({ id: apiKeys.id, team: teams.slug })
          .from(apiKeys)
          .innerJoin(teams, eq(teams.id, apiKeys.teamId))
          .where(inArray(apiKeys.id, [...keyIds]));
  const found = new Map(rows.map(({ id, team }) => [id, team]));
  return (keyId) => found.get(keyId) ?? null;
}

async function namesIn(
  db: Database,
  table: PgTable,
  id: PgColumn,
  name: PgColumn,
  ids: readonly string[],
): Promise<(id: string) => string> {
  const wanted = [...new Set(ids)].filter((one) => one !== '');
  const rows =
    wanted.length === 0 ? [] : await db.select({ id, name }).from(table).where(inArray(id, wanted));
  const names = new Map(rows.map((row) => [String(row.id), String(row.name)]));
  return (one) => names.get(one) ?? one;
}
