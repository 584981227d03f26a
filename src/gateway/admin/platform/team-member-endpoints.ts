import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { addTeamMember, listTeamMembers, removeTeamMember } from '../../../platform/accounts/team-members.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { createPageByName } from '../../../platform/requests/paging.ts';
import { actorOf, requirePrincipal } from '../access/access.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { TeamMemberParams, TeamMembersAnswer } from './member-schema.ts';
import { PageQuery, TeamParams } from './platform-schema.ts';
import { registerDeletion, createPlatformSchema, TEAMS } from './resource-paths.ts';

const MEMBERS = `${TEAMS}/:team/members`;

/** Registers who belongs to a team. */
export function registerTeamMembers(root: FastifyInstance, platform: PlatformDependencies): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  app.get(
    MEMBERS,
    {
      config: { right: 'organisation.read' },
      schema: createPlatformSchema('The members of a team', {
        params: TeamParams,
        querystring: PageQuery,
        response: { 200: TeamMembersAnswer },
      }),
    },
    async ({ params, query }) => {
      const all = unwrapResult(await listTeamMembers(platform, params));
      const { items, next } = unwrapResult(await createPageByName(all, query, ({ name }) => name));
      return { members: [...items], next };
    },
  );
  app.put(
    `${MEMBERS}/:member`,
    {
      config: { right: 'team.write' },
      schema: createPlatformSchema('Add a member of the organisation to a team', {
        params: TeamMemberParams,
        response: { 204: Type.Null({ description: 'Added.' }) },
      }),
    },
    async (request, reply) => {
      unwrapResult(
        await addTeamMember(platform, actorOf(request), requirePrincipal(request), request.params),
      );
      return reply.code(204).send(null);
    },
  );
  // Members may always leave a team. `removeTeamMember` checks who is removed.
  registerDeletion(
    root,
    `${MEMBERS}/:member`,
    {
      right: 'organisation.read',
      summary: 'Remove a member from a team, or leave it',
      params: TeamMemberParams,
    },
    (request, deleted) => removeTeamMember(platform, actorOf(request), requirePrincipal(request), deleted),
  );
}
