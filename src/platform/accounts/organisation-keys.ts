import { and, eq, gt, or } from 'drizzle-orm';
import { toResult, type Result } from '../../common/refusal.ts';
import { createPage, getPageLimit, type Page, type PageQuery, parseCursor } from '../requests/paging.ts';
import { apiKeys, teams } from '../tables/account-tables.ts';
import { type KeyDependencies, type KeyRecord, toKeyRecord } from './keys.ts';
import { findOrganisation } from './organisations.ts';

/** A key with the slug of its team. */
export interface OrganisationKey extends KeyRecord {
  readonly team: string;
}

/** Returns a page of the keys of all teams, by team and name; a refusal when there is no such organisation. */
export function listOrganisationKeys(
  { store, keys }: Pick<KeyDependencies, 'store' | 'keys'>,
  organisation: string,
  query: PageQuery = {},
): Promise<Result<Page<OrganisationKey>>> {
  return toResult(async () => {
    const { id } = await findOrganisation(store.db, organisation);
    const after = parseCursor<[string]>(query, ['']);
    const rows = await store.db
      .select({ key: apiKeys, team: teams.slug })
      .from(apiKeys)
      .innerJoin(teams, eq(teams.id, apiKeys.teamId))
      .where(and(eq(teams.organisationId, id), after === null ? undefined : isAfter(after[0])))
      .orderBy(teams.slug, apiKeys.name)
      .limit(getPageLimit(query) + 1);
    const items = rows.map(({ key, team }) => {
      const record = toKeyRecord(key);
      return { ...record, lastUsedAt: keys.usedAt(key.id) ?? record.lastUsedAt, team };
    });
    return createPage(items, query, ({ team, name }) => [`${team}/${name}`]);
  });
}

/** The slug of a team has no slash, so the first one ends it. */
function isAfter(place: string) {
  const end = place.indexOf('/');
  const [team, name] = end === -1 ? [place, ''] : [place.slice(0, end), place.slice(end + 1)];
  return or(gt(teams.slug, team), and(eq(teams.slug, team), gt(apiKeys.name, name)));
}
