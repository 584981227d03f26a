import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { listAudit, listAuditOf } from '../../platform/audit/audit-log.ts';
import { INCLUDED_CREDITS } from '../../platform/plans/credits.ts';
import { changeKey, createKey, deleteKey, listKeys } from '../../platform/accounts/keys.ts';
import {
  changePlan,
  createOrganisation,
  deleteOrganisation,
  getOrganisation,
  listOrganisations,
  type Organisation,
} from '../../platform/accounts/organisations.ts';
import { pageByName } from '../../platform/paging.ts';
import type { PlatformDependencies } from '../../platform/dependencies.ts';
import { type Bucket, PLAN_NAMES, PLANS } from '../../platform/plans/plans.ts';
import { createTeam, deleteTeam, listTeams } from '../../platform/accounts/teams.ts';
import type { TrafficLog } from '../../platform/traffic/traffic-log.ts';
import { creditsOfMonth, monthOf } from '../../platform/traffic/usage.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { actorOf } from './access.ts';
import * as shape from './platform-schema.ts';
import { granted } from './granted.ts';

export interface PlatformControls {
  readonly parts: PlatformDependencies;
  readonly limiter: RateLimiter;
  /** Default: nothing is logged or counted. */
  readonly traffic?: TrafficLog;
}

export const ORGANISATIONS = '/admin/v1/organisations';
export const TEAMS = `${ORGANISATIONS}/:organisation/teams`;
const KEYS = `${TEAMS}/:team/keys`;

/** Organisations, plans, teams, keys and the audit log. */
export function registerPlatform(root: FastifyInstance, controls: PlatformControls): void {
  const { parts } = controls;
  registerOrganisations(root, controls);
  registerTeams(root, parts);
  registerKeys(root, parts);
  registerAudit(root, parts);
}

function registerAudit(root: FastifyInstance, parts: PlatformDependencies): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const querystring = shape.AuditQuery;
  const response = { 200: shape.AuditAnswer };
  app.get(
    '/admin/v1/audit',
    { schema: routeSchema('The changes, the newest first', { querystring, response }) },
    async ({ query }) => {
      const { items, next } = granted(await listAudit(parts, query));
      return { entries: [...items], next };
    },
  );
  app.get(
    `${ORGANISATIONS}/:organisation/audit`,
    {
      config: { right: 'audit.read' },
      schema: routeSchema('The changes in an organisation, the newest first', {
        params: shape.OrganisationParams,
        querystring,
        response,
      }),
    },
    async ({ params, query }) => {
      const { items, next } = granted(
        await listAuditOf(parts, granted(await getOrganisation(parts.store.db, params.organisation)), query),
      );
      return { entries: [...items], next };
    },
  );
}

export function routeSchema<S extends object>(summary: string, schema: S) {
  return { tags: ['platform'], summary, ...schema };
}

function registerOrganisations(root: FastifyInstance, controls: PlatformControls): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const { parts } = controls;
  const params = shape.OrganisationParams;
  const response = { 200: shape.OrganisationJson };
  app.get(
    '/admin/v1/plans',
    {
      config: { right: 'account.read' },
      schema: routeSchema('The plans and their limits', { response: { 200: shape.PlansAnswer } }),
    },
    async () => ({
      plans: PLAN_NAMES.map((name) => ({ name, ...PLANS[name], includedCredits: INCLUDED_CREDITS[name] })),
    }),
  );
  app.get(
    ORGANISATIONS,
    {
      config: { right: 'organisation.write' },
      schema: routeSchema('The organisations', {
        querystring: shape.PageQuery,
        response: { 200: shape.OrganisationsAnswer },
      }),
    },
    async ({ query }) => {
      const { items, next } = granted(await listOrganisations(parts, query));
      return { organisations: [...items], next };
    },
  );
  app.post(
    ORGANISATIONS,
    {
      config: { right: 'organisation.write' },
      schema: routeSchema('Make an organisation', { body: shape.OrganisationBody, response }),
    },
    async (request) =>
      shownOrganisation(controls, granted(await createOrganisation(parts, actorOf(request), request.body))),
  );
  app.get(
    `${ORGANISATIONS}/:organisation`,
    {
      config: { right: 'organisation.read' },
      schema: routeSchema('An organisation and what it uses of its plan', { params, response }),
    },
    async (request) =>
      shownOrganisation(
        controls,
        granted(await getOrganisation(parts.store.db, request.params.organisation)),
      ),
  );
  app.patch(
    `${ORGANISATIONS}/:organisation`,
    {
      config: { right: 'organisation.write' },
      schema: routeSchema('Change the plan', { params, body: shape.PlanBody, response }),
    },
    async (request) => {
      const { params: of, body } = request;
      return shownOrganisation(
        controls,
        granted(await changePlan(parts, actorOf(request), of.organisation, body.plan)),
      );
    },
  );
  app.delete(
    `${ORGANISATIONS}/:organisation`,
    {
      config: { right: 'organisation.delete' },
      schema: routeSchema('Delete an organisation with its teams and keys', {
        params,
        response: { 204: shape.Deleted },
      }),
    },
    async (request, reply) => {
      granted(await deleteOrganisation(parts, actorOf(request), request.params.organisation));
      return reply.code(204).send(null);
    },
  );
}

async function shownOrganisation({ parts, limiter, traffic }: PlatformControls, organisation: Organisation) {
  const { id, slug, plan, createdAt } = organisation;
  const use = async (bucket: Bucket) => ({
    current: await limiter.current({ kind: 'organisation', id }, bucket, parts.now()),
    limit: PLANS[plan][bucket],
  });
  const teams = granted(await listTeams(parts, slug)).map((team) => team.slug);
  return {
    slug,
    plan,
    createdAt,
    teams,
    usage: { main: await use('main'), execute: await use('execute') },
    ...(traffic === undefined
      ? {}
      : { credits: await creditsOfMonth(traffic, id, plan, monthOf(parts.now())) }),
  };
}

function registerTeams(root: FastifyInstance, parts: PlatformDependencies): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  app.get(
    TEAMS,
    {
      config: { right: 'organisation.read' },
      schema: routeSchema('The teams of an organisation', {
        params: shape.OrganisationParams,
        querystring: shape.PageQuery,
        response: { 200: shape.TeamsAnswer },
      }),
    },
    async ({ params, query }) => {
      const all = granted(await listTeams(parts, params.organisation));
      const { items, next } = granted(await pageByName(all, query, ({ slug }) => slug));
      return { teams: [...items], next };
    },
  );
  app.post(
    TEAMS,
    {
      config: { right: 'team.write' },
      schema: routeSchema('Make a team', {
        params: shape.OrganisationParams,
        body: shape.TeamBody,
        response: { 200: shape.TeamAnswer },
      }),
    },
    async (request) =>
      granted(await createTeam(parts, actorOf(request), { ...request.params, team: request.body.slug })),
  );
  app.delete(
    `${TEAMS}/:team`,
    {
      config: { right: 'team.write' },
      schema: routeSchema('Delete a team with its keys', {
        params: shape.TeamParams,
        response: { 204: shape.Deleted },
      }),
    },
    async (request, reply) => {
      granted(await deleteTeam(parts, actorOf(request), request.params));
      return reply.code(204).send(null);
    },
  );
}

function registerKeys(root: FastifyInstance, parts: PlatformDependencies): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const params = shape.TeamParams;
  app.get(
    KEYS,
    {
      config: { right: 'organisation.read' },
      schema: routeSchema('The keys of a team', {
        params,
        querystring: shape.PageQuery,
        response: { 200: shape.KeysAnswer },
      }),
    },
    async ({ params: team, query }) => {
      const { items, next } = granted(
        await pageByName(granted(await listKeys(parts, team)), query, ({ name }) => name),
      );
      return { keys: items.map(shownKey), next };
    },
  );
  app.post(
    KEYS,
    {
      config: { right: 'key.write' },
      schema: routeSchema('Make a key; the answer shows it this once', {
        params,
        body: shape.KeyBody,
        response: { 200: shape.NewKeyAnswer },
      }),
    },
    async (request) => {
      const { name, ...terms } = request.body;
      const made = granted(await createKey(parts, actorOf(request), { ...request.params, key: name }, terms));
      return { ...shownKey(made), key: made.key };
    },
  );
  app.patch(
    `${KEYS}/:key`,
    {
      config: { right: 'key.write' },
      schema: routeSchema('Change what a key opens, or its end', {
        params: shape.KeyParams,
        body: shape.KeyChangeBody,
        response: { 200: shape.KeyAnswer },
      }),
    },
    async (request) =>
      shownKey(granted(await changeKey(parts, actorOf(request), request.params, request.body))),
  );
  app.delete(
    `${KEYS}/:key`,
    {
      config: { right: 'key.write' },
      schema: routeSchema('Delete a key', { params: shape.KeyParams, response: { 204: shape.Deleted } }),
    },
    async (request, reply) => {
      granted(await deleteKey(parts, actorOf(request), request.params));
      return reply.code(204).send(null);
    },
  );
}

function shownKey<K extends { readonly products: readonly string[] | null }>(record: K) {
  const { products, ...rest } = record;
  return { ...rest, products: products === null ? null : [...products] };
}
