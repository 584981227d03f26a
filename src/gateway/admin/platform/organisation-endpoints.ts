import {
  changePlan,
  createOrganisation,
  deleteOrganisation,
  getOrganisation,
  listOrganisations,
  type Organisation,
} from '../../../platform/accounts/organisations.ts';
import { listTeams } from '../../../platform/accounts/teams.ts';
import { getPlanLimits } from '../../../platform/plans/plan-limits.ts';
import type { Bucket } from '../../../platform/plans/plans.ts';
import { readMonthCredits, getMonth } from '../../../platform/traffic/usage.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { defineDeletion } from './deletion.ts';
import * as shape from './platform-schema.ts';
import type { PlatformServices } from './platform-services.ts';
import { ORGANISATIONS } from './resource-paths.ts';

const ORGANISATION = `${ORGANISATIONS}/:organisation`;

const list = defineAdminEndpoint({
  method: 'GET',
  path: ORGANISATIONS,
  right: 'organisation.write',
  summary: 'The organisations',
  query: shape.PageQuery,
  responses: { 200: shape.OrganisationsAnswer },
  handle: async ({ platform }: PlatformServices, { query }) => {
    const { items, next } = unwrapResult(await listOrganisations(platform, query));
    return { organisations: [...items], next };
  },
});

const create = defineAdminEndpoint({
  method: 'POST',
  path: ORGANISATIONS,
  right: 'organisation.write',
  summary: 'Create an organisation',
  body: shape.OrganisationBody,
  responses: { 200: shape.OrganisationJson },
  handle: async (services: PlatformServices, { body, actor }) =>
    toOrganisationJson(services, unwrapResult(await createOrganisation(services.platform, actor, body))),
});

const show = defineAdminEndpoint({
  method: 'GET',
  path: ORGANISATION,
  right: 'organisation.read',
  summary: 'An organisation and its use of the plan',
  params: shape.OrganisationParams,
  responses: { 200: shape.OrganisationJson },
  handle: async (services: PlatformServices, { params }) => {
    const { db } = services.platform.store;
    return toOrganisationJson(services, unwrapResult(await getOrganisation(db, params.organisation)));
  },
});

const changePlanOf = defineAdminEndpoint({
  method: 'PATCH',
  path: ORGANISATION,
  right: 'plan.write',
  summary: 'Change an organisation’s plan',
  params: shape.OrganisationParams,
  body: shape.PlanBody,
  responses: { 200: shape.OrganisationJson },
  handle: async (services: PlatformServices, { params, body, actor }) => {
    const changed = await changePlan(services.platform, actor, params.organisation, body.plan);
    return toOrganisationJson(services, unwrapResult(changed));
  },
});

const remove = defineDeletion({
  path: ORGANISATION,
  right: 'organisation.delete',
  summary: 'Delete an organisation with its teams and keys',
  params: shape.OrganisationParams,
  remove: ({ platform }, { organisation }, { actor }) => deleteOrganisation(platform, actor, organisation),
});

/** The organisations. */
export const ORGANISATION_ENDPOINTS = [list, create, show, changePlanOf, remove];

async function toOrganisationJson(
  { platform, limiter, traffic }: PlatformServices,
  organisation: Organisation,
) {
  const { id, slug, plan, createdAt } = organisation;
  const use = async (bucket: Bucket) => ({
    current: await limiter.current({ kind: 'organisation', id }, bucket, platform.now()),
    limit: getPlanLimits(platform.keys.planLimits, plan)[bucket],
  });
  const teams = unwrapResult(await listTeams(platform, slug)).map((team) => team.slug);
  return {
    slug,
    plan,
    createdAt,
    teams,
    usage: { main: await use('main'), execute: await use('execute'), submit: await use('submit') },
    ...(traffic === null
      ? {}
      : { credits: await readMonthCredits(traffic, id, plan, getMonth(platform.now())) }),
  };
}
