import { getOrganisation } from '../../../platform/accounts/organisations.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { readOwnerNames } from '../../../platform/traffic/names.ts';
import type { LandingReport } from '../../../transactions/reports/landing-report.ts';
import type { LandingReports } from '../../../transactions/reports/landing-reports.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { ORGANISATIONS } from '../platform/resource-paths.ts';
import * as shape from './landing-schema.ts';

interface LandingReportServices {
  readonly platform: PlatformDependencies;
  readonly reports: Pick<LandingReports, 'find'>;
}

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
export const LANDING_ENDPOINTS = [ofAll, ofOrganisation];

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
