import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { createTeam, deleteTeam, listTeams } from '../../../platform/accounts/teams.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { createPageByName } from '../../../platform/requests/paging.ts';
import { actorOf } from '../access/access.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import * as shape from './platform-schema.ts';
import { registerDeletion, createPlatformSchema, TEAMS } from './resource-paths.ts';

/** Registers the routes that list, create and delete the teams of an organisation. */
export function registerTeams(root: FastifyInstance, platform: PlatformDependencies): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  app.get(
    TEAMS,
    {
      config: { right: 'organisation.read' },
      schema: createPlatformSchema('The teams of an organisation', {
        params: shape.OrganisationParams,
        querystring: shape.PageQuery,
        response: { 200: shape.TeamsAnswer },
      }),
    },
    async ({ params, query }) => {
      const all = unwrapResult(await listTeams(platform, params.organisation));
      const { items, next } = unwrapResult(await createPageByName(all, query, ({ slug }) => slug));
      return { teams: [...items], next };
    },
  );
  app.post(
    TEAMS,
    {
      config: { right: 'team.write' },
      schema: createPlatformSchema('Create a team', {
        params: shape.OrganisationParams,
        body: shape.TeamBody,
        response: { 200: shape.TeamAnswer },
      }),
    },
    async (request) =>
      unwrapResult(
        await createTeam(platform, actorOf(request), { ...request.params, team: request.body.slug }),
      ),
  );
  registerDeletion(
    root,
    `${TEAMS}/:team`,
    { right: 'team.write', summary: 'Delete a team with its keys', params: shape.TeamParams },
    (request, deleted) => deleteTeam(platform, actorOf(request), deleted),
  );
}
