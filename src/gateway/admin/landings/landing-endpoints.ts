import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { getOrganisation } from '../../../platform/accounts/organisations.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { readOwnerNames } from '../../../platform/traffic/names.ts';
import type { LandingReport } from '../../../transactions/reports/landing-report.ts';
import type { LandingReports } from '../../../transactions/reports/landing-reports.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { ORGANISATIONS } from '../platform/resource-paths.ts';
import * as shape from './landing-schema.ts';

/** Registers the reports about landed transactions: those of one organisation for its members, all for the operator. */
export function registerLanding(
  root: FastifyInstance,
  platform: PlatformDependencies,
  reports: Pick<LandingReports, 'find'>,
): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const response = { 200: shape.LandingsAnswer };
  const tags = ['landings'];
  app.get(
    '/admin/v1/landings/:name',
    {
      schema: {
        tags,
        summary: 'What became of a submitted transaction, for everyone who submitted it',
        params: shape.LandingParams,
        response,
      },
    },
    async ({ params: { name } }) => toAnswer(platform, await reports.find(name)),
  );
  app.get(
    `${ORGANISATIONS}/:organisation/landings/:name`,
    {
      config: { right: 'organisation.read' },
      schema: {
        tags,
        summary: 'What became of a transaction that an organisation submitted',
        params: shape.OrganisationLandingParams,
        response,
      },
    },
    async ({ params: { organisation, name } }) => {
      const { id } = unwrapResult(await getOrganisation(platform.store.db, organisation));
      return toAnswer(platform, await reports.find(name, id));
    },
  );
}

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
