import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../platform/audit.ts';
import { listAudit } from '../../platform/audit-log.ts';
import { changeKey, createKey, deleteKey, listKeys } from '../../platform/keys.ts';
import {
  changePlan,
  createOrganisation,
  deleteOrganisation,
  findOrganisation,
  listOrganisations,
  type Organisation,
} from '../../platform/organisations.ts';
import type { PlatformParts } from '../../platform/parts.ts';
import { type Bucket, PLANS } from '../../platform/plans.ts';
import { createTeam, deleteTeam, listTeams } from '../../platform/teams.ts';
import type { RateLimiter } from '../pipeline/rate-limiter.ts';
import * as shape from './platform-schema.ts';

export interface PlatformControls {
  readonly parts: PlatformParts;
  readonly limiter: RateLimiter;
}

const ORGANISATIONS = '/admin/v1/organisations';
export const TEAMS = `${ORGANISATIONS}/:organisation/teams`;
const KEYS = `${TEAMS}/:team/keys`;

/** Organisations, plans, teams, keys and the audit log. */
export function registerPlatform(root: FastifyInstance, controls: PlatformControls): void {
  const { parts } = controls;
  registerOrganisations(root, controls);
  registerTeams(root, parts);
  registerKeys(root, parts);
  root.withTypeProvider<TypeBoxTypeProvider>().get(
    '/admin/v1/audit',
    {
      schema: routeSchema('The latest changes, the newest first', {
        querystring: shape.AuditQuery,
        response: { 200: shape.AuditAnswer },
      }),
    },
    async ({ query }) => ({ entries: [...(await listAudit(parts, query)).items] }),
  );
}

export function routeSchema<S extends object>(summary: string, schema: S) {
  return { tags: ['platform'], summary, ...schema };
}

/** The admin interface has no users yet: whoever reaches it is the operator. */
export function actorOf(request: Pick<FastifyRequest, 'ip'>): Actor {
  return { who: 'admin', from: request.ip };
}

function registerOrganisations(root: FastifyInstance, controls: PlatformControls): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const { parts } = controls;
  const params = shape.OrganisationParams;
  const response = { 200: shape.OrganisationJson };
  app.get(
    '/admin/v1/plans',
    { schema: routeSchema('The plans and their limits', { response: { 200: shape.PlansAnswer } }) },
    async () => ({ plans: Object.entries(PLANS).map(([name, limits]) => ({ name, ...limits })) }),
  );
  app.get(
    ORGANISATIONS,
    { schema: routeSchema('The organisations', { response: { 200: shape.OrganisationsAnswer } }) },
    async () => ({ organisations: [...(await listOrganisations(parts)).items] }),
  );
  app.post(
    ORGANISATIONS,
    { schema: routeSchema('Make an organisation', { body: shape.OrganisationBody, response }) },
    async (request) =>
      shownOrganisation(controls, await createOrganisation(parts, actorOf(request), request.body)),
  );
  app.get(
    `${ORGANISATIONS}/:organisation`,
    { schema: routeSchema('An organisation and what it uses of its plan', { params, response }) },
    async (request) =>
      shownOrganisation(controls, await findOrganisation(parts.store.db, request.params.organisation)),
  );
  app.patch(
    `${ORGANISATIONS}/:organisation`,
    { schema: routeSchema('Change the plan', { params, body: shape.PlanBody, response }) },
    async (request) => {
      const { params: of, body } = request;
      return shownOrganisation(
        controls,
        await changePlan(parts, actorOf(request), of.organisation, body.plan),
      );
    },
  );
  app.delete(
    `${ORGANISATIONS}/:organisation`,
    {
      schema: routeSchema('Delete an organisation with its teams and keys', {
        params,
        response: { 204: shape.Deleted },
      }),
    },
    async (request, reply) => {
      await deleteOrganisation(parts, actorOf(request), request.params.organisation);
      return reply.code(204).send(null);
    },
  );
}

async function shownOrganisation({ parts, limiter }: PlatformControls, organisation: Organisation) {
  const { id, slug, plan, createdAt } = organisation;
  const use = async (bucket: Bucket) => ({
    current: await limiter.current({ kind: 'organisation', id }, bucket, parts.now()),
    limit: PLANS[plan][bucket],
  });
  const teams = (await listTeams(parts, slug)).map((team) => team.slug);
  return { slug, plan, createdAt, teams, usage: { main: await use('main'), execute: await use('execute') } };
}

function registerTeams(root: FastifyInstance, parts: PlatformParts): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  app.post(
    TEAMS,
    {
      schema: routeSchema('Make a team', {
        params: shape.OrganisationParams,
        body: shape.TeamBody,
        response: { 200: shape.TeamAnswer },
      }),
    },
    async (request) => createTeam(parts, actorOf(request), { ...request.params, team: request.body.slug }),
  );
  app.delete(
    `${TEAMS}/:team`,
    {
      schema: routeSchema('Delete a team with its keys', {
        params: shape.TeamParams,
        response: { 204: shape.Deleted },
      }),
    },
    async (request, reply) => {
      await deleteTeam(parts, actorOf(request), request.params);
      return reply.code(204).send(null);
    },
  );
}

function registerKeys(root: FastifyInstance, parts: PlatformParts): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const params = shape.TeamParams;
  app.get(
    KEYS,
    { schema: routeSchema('The keys of a team', { params, response: { 200: shape.KeysAnswer } }) },
    async (request) => ({ keys: (await listKeys(parts, request.params)).map(shownKey) }),
  );
  app.post(
    KEYS,
    {
      schema: routeSchema('Make a key; the answer shows it this once', {
        params,
        body: shape.KeyBody,
        response: { 200: shape.NewKeyAnswer },
      }),
    },
    async (request) => {
      const { name, ...terms } = request.body;
      const made = await createKey(parts, actorOf(request), { ...request.params, key: name }, terms);
      return { ...shownKey(made), key: made.key };
    },
  );
  app.patch(
    `${KEYS}/:key`,
    {
      schema: routeSchema('Change what a key opens, or its end', {
        params: shape.KeyParams,
        body: shape.KeyChangeBody,
        response: { 200: shape.KeyAnswer },
      }),
    },
    async (request) => shownKey(await changeKey(parts, actorOf(request), request.params, request.body)),
  );
  app.delete(
    `${KEYS}/:key`,
    { schema: routeSchema('Delete a key', { params: shape.KeyParams, response: { 204: shape.Deleted } }) },
    async (request, reply) => {
      await deleteKey(parts, actorOf(request), request.params);
      return reply.code(204).send(null);
    },
  );
}

function shownKey<K extends { readonly products: readonly string[] | null }>(record: K) {
  const { products, ...rest } = record;
  return { ...rest, products: products === null ? null : [...products] };
}
