import { toResult } from '../../../common/refusal.ts';
import { getOrganisation } from '../../../platform/accounts/organisations.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { createPage, getPageLimit, parseCursor } from '../../../platform/requests/paging.ts';
import { readOwnerNames } from '../../../platform/traffic/names.ts';
import type { LandingReport } from '../../../transactions/reports/landing-report.ts';
import type { LandingReports } from '../../../transactions/reports/landing-reports.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { ORGANISATIONS } from '../platform/resource-paths.ts';
import { resolveTimeRange } from '../traffic/time-range.ts';
import * as shape from './landing-schema.ts';

interface LandingReportServices {
  readonly platform: PlatformDependencies;
  readonly reports: Pick<LandingReports, 'find' | 'list' | 'lost'>;
}

/** As long as reports are kept. */
const LISTED_DAYS = 7;

const listed = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/landings',
  summary: 'The transactions that clients submitted for landing, newest first',
  query: shape.LandingListQuery,
  responses: { 200: shape.LandingListAnswer },
  handle: async ({ platform, reports }: LandingReportServices, { query }) => {
    const place = unwrapResult(await toResult(async () => parseCursor<[number, string]>(query, [0, ''])));
    const [signature = '', owner = ''] = place?.[1].split(':') ?? [];
    const { organisation, outcome } = query;
    const rows = await reports.list({
      // The range includes what is accepted in this millisecond; one row more shows whether there is a next page.
      ...resolveTimeRange(query, platform.now() + 1, LISTED_DAYS),
      after: place === null ? null : { at: place[0], signature, owner },
      limit: getPageLimit(query) + 1,
      ...(outcome === undefined ? {} : { outcome }),
      ...(organisation === undefined
        ? {}
        : { owner: unwrapResult(await getOrganisation(platform.store.db, organisation)).id }),
    });
    const { items, next } = createPage(rows, query, (row) => [
      row.acceptedAt,
      `${row.signature}:${row.organisationId ?? ''}`,
    ]);
    return { ...(await toAnswer(platform, items)), next, lost: reports.lost };
  },
});

const ofAll = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/landings/:name',
  summary: 'What became of a submitted transaction, for everyone who submitted it',
  params: shape.LandingParams,
  responses: { 200: shape.LandingsAnswer },
  handle: async ({ platform, reports }: LandingReportServices, { params: { name } }) =>
    toAnswer(platform, await reports.find(name)),
});

const ofOrganisation = defineAdminEndpoint({
  method: 'GET',
  path: `${ORGANISATIONS}/:organisation/landings/:name`,
  right: 'organisation.read',
  summary: 'What became of a transaction that an organisation submitted',
  params: shape.OrganisationLandingParams,
  responses: { 200: shape.LandingsAnswer },
  handle: async ({ platform, reports }: LandingReportServices, { params: { organisation, name } }) => {
    const { id } = unwrapResult(await getOrganisation(platform.store.db, organisation));
    return toAnswer(platform, await reports.find(name, id));
  },
});

/** The reports about landed transactions: those of one organisation for its members, all for the operator. */
export const LANDING_ENDPOINTS = [listed, ofAll, ofOrganisation];

async function toAnswer({ store }: PlatformDependencies, found: readonly LandingReport[]) {
  const names = await readOwnerNames(store.db, {
    organisations: found.flatMap(({ organisationId }) => organisationId ?? []),
    teams: [],
    keys: [],
  });
  const landings = found.map(({ organisationId, slot, ...rest }) => ({
    ...rest,
    organisation: organisationId === null ? null : names.organisation(organisationId),
    slot: slot === null ? null : slot.toString(),
  }));
  return { landings };
}
