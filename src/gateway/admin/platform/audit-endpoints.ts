import { listAudit, listOrganisationAudit } from '../../../platform/audit/audit-log.ts';
import { getOrganisation } from '../../../platform/accounts/organisations.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import * as shape from './platform-schema.ts';
import type { PlatformServices } from './platform-services.ts';
import { ORGANISATIONS } from './resource-paths.ts';

const auditOfAll = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/audit',
  summary: 'The audit log, newest first',
  query: shape.AuditQuery,
  responses: { 200: shape.AuditAnswer },
  handle: async ({ platform }: PlatformServices, { query }) => {
    const { items, next } = unwrapResult(await listAudit(platform, query));
    return { entries: [...items], next };
  },
});

const auditOfOrganisation = defineAdminEndpoint({
  method: 'GET',
  path: `${ORGANISATIONS}/:organisation/audit`,
  right: 'audit.read',
  summary: 'The audit log of an organisation, newest first',
  params: shape.OrganisationParams,
  query: shape.AuditQuery,
  responses: { 200: shape.AuditAnswer },
  handle: async ({ platform }: PlatformServices, { params, query }) => {
    const organisation = unwrapResult(await getOrganisation(platform.store.db, params.organisation));
    const { items, next } = unwrapResult(await listOrganisationAudit(platform, organisation, query));
    return { entries: [...items], next };
  },
});

/** The audit log: of everything for the operator, of one organisation for its members. */
export const AUDIT_ENDPOINTS = [auditOfAll, auditOfOrganisation];
