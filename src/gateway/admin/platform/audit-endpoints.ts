import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { listAudit, listOrganisationAudit } from '../../../platform/audit/audit-log.ts';
import { getOrganisation } from '../../../platform/accounts/organisations.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import * as shape from './platform-schema.ts';
import { ORGANISATIONS, createPlatformSchema } from './resource-paths.ts';

/** Registers the audit log: of everything for the operator, of one organisation for its members. */
export function registerAudit(root: FastifyInstance, platform: PlatformDependencies): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const querystring = shape.AuditQuery;
  const response = { 200: shape.AuditAnswer };
  app.get(
    '/admin/v1/audit',
    { schema: createPlatformSchema('The audit log, newest first', { querystring, response }) },
    async ({ query }) => {
      const { items, next } = unwrapResult(await listAudit(platform, query));
      return { entries: [...items], next };
    },
  );
  app.get(
    `${ORGANISATIONS}/:organisation/audit`,
    {
      config: { right: 'audit.read' },
      schema: createPlatformSchema('The audit log of an organisation, newest first', {
        params: shape.OrganisationParams,
        querystring,
        response,
      }),
    },
    async ({ params, query }) => {
      const { items, next } = unwrapResult(
        await listOrganisationAudit(
          platform,
          unwrapResult(await getOrganisation(platform.store.db, params.organisation)),
          query,
        ),
      );
      return { entries: [...items], next };
    },
  );
}
