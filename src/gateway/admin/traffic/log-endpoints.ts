import type { Static } from 'typebox';
import { getKey } from '../../../platform/accounts/keys.ts';
import { getOrganisation } from '../../../platform/accounts/organisations.ts';
import type { Result } from '../../../common/refusal.ts';
import { getTeam } from '../../../platform/accounts/teams.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import type { LogFilter } from '../../../platform/traffic/log/log-filter.ts';
import { queryLog } from '../../../platform/traffic/log/log-query.ts';
import { type OwnerNames, readOwnerNames } from '../../../platform/traffic/names.ts';
import type { RequestEntry } from '../../../platform/traffic/log/request-entry.ts';
import type { TrafficLog } from '../../../platform/traffic/log/traffic-log.ts';
import { RequestInvalid } from '../../http/validation.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { ORGANISATIONS } from '../platform/resource-paths.ts';
import { OrganisationParams } from '../platform/platform-schema.ts';
import * as shape from './traffic-schema.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { resolveTimeRange } from './time-range.ts';
import type { TrafficServices } from './traffic-services.ts';

const LOG_DAYS = 7;

const logOfAll = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/log',
  summary: 'The request log of all organisations, newest first',
  query: shape.LogQuery,
  responses: { 200: shape.LogAnswer },
  handle: async ({ platform, log }: TrafficServices, { query }) =>
    answerLog(platform, log, query, await resolveInstanceFilter(platform, query)),
});

const logOfOrganisation = defineAdminEndpoint({
  method: 'GET',
  path: `${ORGANISATIONS}/:organisation/log`,
  right: 'organisation.read',
  summary: 'The request log of an organisation, newest first',
  params: OrganisationParams,
  query: shape.OrganisationLogQuery,
  responses: { 200: shape.LogAnswer },
  handle: async ({ platform, log }: TrafficServices, { params: { organisation }, query }) =>
    answerLog(platform, log, query, await resolveOrganisationFilter(platform, organisation, query)),
});

/** The request log: of one organisation for its members, of all for the operator. */
export const LOG_ENDPOINTS = [logOfAll, logOfOrganisation];

type FilterQuery = Omit<Static<typeof shape.OrganisationLiveLogQuery>, 'team' | 'key'>;
type TeamQuery = FilterQuery & { readonly team?: string; readonly key?: string };

/** The ids that the log has; a deleted organisation, team or key is asked for by its own. */
const OWNER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the filters of a query that are given. */
function toLogFilter(query: FilterQuery): LogFilter {
  const { requestId, status, method, path, group, decision, rule, matched, outcome, client, order } = query;
  const country = query.country === 'unknown' ? '' : query.country;
  const endpoint = query.endpoint === 'none' ? '' : query.endpoint;
  const same = { requestId, status, method, path, group, decision, rule, matched, outcome, client, order };
  const given = Object.entries({ ...same, country, endpoint });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as LogFilter;
}

/**
 * Returns the filters of a query about the requests of all organisations.
 * @throws RequestInvalid for a team without an organisation, or a key without a team
 * @throws RequestInvalid also when one of them does not exist
 */
export async function resolveInstanceFilter(
  platform: PlatformDependencies,
  { organisation, team, key, ...query }: Static<typeof shape.LiveLogQuery>,
): Promise<LogFilter> {
  if (organisation !== undefined)
    return resolveOwnerFilter(platform, organisation, {
      ...query,
      ...(team === undefined ? {} : { team }),
      ...(key === undefined ? {} : { key }),
    });
  if (team !== undefined) {
    throw new RequestInvalid(
      'query parameter team needs organisation, because teams have their names in one',
    );
  }
  if (key === undefined) return toLogFilter(query);
  if (key === 'none') return { ...toLogFilter(query), organisationId: '' };
  throw new RequestInvalid('query parameter key needs organisation and team, or must be none');
}

/**
 * @param organisation - Its slug.
 * @returns the filters of a query, and that for the organisation, its team and the key
 * @throws RequestInvalid for a key without a team
 * @throws RequestInvalid also when one of them does not exist
 */
export async function resolveOrganisationFilter(
  platform: PlatformDependencies,
  organisation: string,
  query: TeamQuery,
): Promise<LogFilter & { readonly organisationId: string }> {
  unwrapResult(await getOrganisation(platform.store.db, organisation));
  return resolveOwnerFilter(platform, organisation, query);
}

async function resolveOwnerFilter(
  { store: { db } }: PlatformDependencies,
  organisation: string,
  query: TeamQuery,
): Promise<LogFilter & { readonly organisationId: string }> {
  const { team, key } = query;
  if (key !== undefined && team === undefined) {
    throw new RequestInvalid('query parameter key needs team, because keys have their names in a team');
  }
  return {
    ...toLogFilter(query),
    organisationId: toOwnerId(organisation, await getOrganisation(db, organisation)),
    ...(team === undefined ? {} : { teamId: toOwnerId(team, await getTeam(db, { organisation, team })) }),
    ...(team === undefined || key === undefined
      ? {}
      : { keyId: toOwnerId(key, await getKey(db, { organisation, team, key })) }),
  };
}

/** Returns the id of something that exists, or of something deleted, for which its id is given as its name. */
function toOwnerId(name: string, found: Result<{ readonly id: string }>): string {
  if (!found.ok && found.error.code === 'not-found' && OWNER_ID.test(name)) return name;
  return unwrapResult(found).id;
}

async function answerLog(
  { store, now }: PlatformDependencies,
  log: TrafficLog,
  query: Static<typeof shape.LogQuery>,
  filter: LogFilter,
) {
  // The range includes what is answered in this millisecond.
  const { since, until } = resolveTimeRange(query, now() + 1, LOG_DAYS);
  const { items, next } = unwrapResult(await queryLog(log, { filter, since, until }, query));
  const names = await readOwnerNames(store.db, collectOwnerIds(items));
  return { entries: items.map((entry) => toEntryJson(entry, names)), next, dropped: log.dropped };
}

/** Returns the ids whose names the entries are shown with. */
export function collectOwnerIds(entries: readonly RequestEntry[]): Parameters<typeof readOwnerNames>[1] {
  const owners = entries.flatMap(({ owner }) => owner ?? []);
  return {
    organisations: owners.map(({ organisationId }) => organisationId),
    teams: owners.map(({ teamId }) => teamId),
    keys: owners.map(({ keyId }) => keyId),
  };
}

/** Returns an entry as the admin interface shows it. */
export function toEntryJson(
  { owner, firewall, gatewayUs, handlerUs, sendUs, ...rest }: RequestEntry,
  names: OwnerNames,
): Static<typeof shape.LogEntry> {
  return {
    ...rest,
    organisation: owner === null ? null : names.organisation(owner.organisationId),
    team: owner === null ? null : names.team(owner.teamId),
    key: owner === null ? null : names.key(owner.keyId),
    firewall: firewall === null ? null : { ...firewall, matched: [...firewall.matched] },
    latency: {
      total: gatewayUs + handlerUs + sendUs,
      gateway: gatewayUs,
      handler: handlerUs,
      send: sendUs,
    },
  };
}
