import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  changePlan,
  createOrganisation,
  deleteOrganisation,
  getOrganisation,
  listOrganisations,
  type Organisation,
} from '../../../platform/accounts/organisations.ts';
import { listTeams } from '../../../platform/accounts/teams.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { getPlanLimits } from '../../../platform/plans/plan-limits.ts';
import type { Bucket } from '../../../platform/plans/plans.ts';
import type { TrafficLog } from '../../../platform/traffic/log/traffic-log.ts';
import { readMonthCredits, getMonth } from '../../../platform/traffic/usage.ts';
import type { RateLimiter } from '../../limits/rate-limiter.ts';
import { actorOf } from '../access/access.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import * as shape from './platform-schema.ts';
import { ORGANISATIONS, registerDeletion, createPlatformSchema } from './resource-paths.ts';

/** Where the usage of an organisation is read. */
interface OrganisationUse {
  readonly platform: PlatformDependencies;
  readonly limiter: RateLimiter;
  /** The request log; null: the answers leave credits out. */
  readonly traffic: TrafficLog | null;
}

/**
 * Registers the organisations.
 * @param limiter - Counts the requests of an organisation in the last 60 seconds.
 * @param traffic - Counts the credits it used; null: the answers leave credits out.
 */
export function registerOrganisations(
  root: FastifyInstance,
  platform: PlatformDependencies,
  limiter: RateLimiter,
  traffic: TrafficLog | null,
): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const toJson = (organisation: Organisation) =>
    toOrganisationJson({ platform, limiter, traffic }, organisation);
  const params = shape.OrganisationParams;
  const response = { 200: shape.OrganisationJson };
  app.get(
    ORGANISATIONS,
    {
      config: { right: 'organisation.write' },
      schema: createPlatformSchema('The organisations', {
        querystring: shape.PageQuery,
        response: { 200: shape.OrganisationsAnswer },
      }),
    },
    async ({ query }) => {
      const { items, next } = unwrapResult(await listOrganisations(platform, query));
      return { organisations: [...items], next };
    },
  );
  app.post(
    ORGANISATIONS,
    {
      config: { right: 'organisation.write' },
      schema: createPlatformSchema('Create an organisation', { body: shape.OrganisationBody, response }),
    },
    async (request) =>
      toJson(unwrapResult(await createOrganisation(platform, actorOf(request), request.body))),
  );
  app.get(
    `${ORGANISATIONS}/:organisation`,
    {
      config: { right: 'organisation.read' },
      schema: createPlatformSchema('An organisation and its use of the plan', { params, response }),
    },
    async (request) =>
      toJson(unwrapResult(await getOrganisation(platform.store.db, request.params.organisation))),
  );
  app.patch(
    `${ORGANISATIONS}/:organisation`,
    {
      config: { right: 'plan.write' },
      schema: createPlatformSchema('Change an organisation’s plan', {
        params,
        body: shape.PlanBody,
        response,
      }),
    },
    async (request) => {
      const { params: of, body } = request;
      return toJson(unwrapResult(await changePlan(platform, actorOf(request), of.organisation, body.plan)));
    },
  );
  registerDeletion(
    root,
    `${ORGANISATIONS}/:organisation`,
    { right: 'organisation.delete', summary: 'Delete an organisation with its teams and keys', params },
    (request, deleted) => deleteOrganisation(platform, actorOf(request), deleted.organisation),
  );
}

async function toOrganisationJson(
  { platform, limiter, traffic }: OrganisationUse,
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
