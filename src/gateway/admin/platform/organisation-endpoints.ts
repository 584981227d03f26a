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
import {
  getMonth,
  readCreditsByOrganisation,
  readMonthCredits,
  toCreditUse,
} from '../../../platform/traffic/usage.ts';
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
  query: shape.OrganisationsQuery,
  responses: { 200: shape.OrganisationsAnswer },
  handle: async (services: PlatformServices, { query }) => {
    const { items, next } = unwrapResult(await listOrganisations(services.platform, query));
    return { organisations: query.use === true ? await addUse(services, items) : [...items], next };
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

async function toOrganisationJson(services: PlatformServices, organisation: Organisation) {
  const { platform, traffic } = services;
  const { id, slug, plan, createdAt } = organisation;
  const teams = unwrapResult(await listTeams(platform, slug)).map((team) => team.slug);
  return {
    slug,
    plan,
    createdAt,
    teams,
    usage: await readPlanUse(services, organisation),
    ...(traffic === null
      ? {}
      : { credits: await readMonthCredits(traffic, id, plan, getMonth(platform.now())) }),
  };
}

/** Adds to organisations what they use of their plans. The credits of all of them are read at once. */
async function addUse(services: PlatformServices, organisations: readonly Organisation[]) {
  const { platform, traffic } = services;
  const month = getMonth(platform.now());
  const ids = organisations.map(({ id }) => id);
  const creditsOf = traffic === null ? null : await readCreditsByOrganisation(traffic, ids, month);
  const lines = organisations.map(async (organisation) => ({
    ...organisation,
    usage: await readPlanUse(services, organisation),
    ...(creditsOf === null
      ? {}
      : { credits: toCreditUse(organisation.plan, month, creditsOf(organisation.id)) }),
  }));
  return Promise.all(lines);
}

async function readPlanUse(
  { platform, limiter }: PlatformServices,
  { id, plan }: Pick<Organisation, 'id' | 'plan'>,
) {
  const limits = getPlanLimits(platform.keys.planLimits, plan);
  const use = async (bucket: Bucket) => ({
    current: await limiter.current({ kind: 'organisation', id }, bucket, platform.now()),
    limit: limits[bucket],
  });
  return { main: await use('main'), execute: await use('execute'), submit: await use('submit') };
}
