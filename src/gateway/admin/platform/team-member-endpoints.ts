import { Type } from 'typebox';
import { addTeamMember, listTeamMembers, removeTeamMember } from '../../../platform/accounts/team-members.ts';
import { createPageByName } from '../../../platform/requests/paging.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { defineDeletion } from './deletion.ts';
import { TeamMemberParams, TeamMembersAnswer } from './member-schema.ts';
import { PageQuery, TeamParams } from './platform-schema.ts';
import type { PlatformServices } from './platform-services.ts';
import { TEAMS } from './resource-paths.ts';

const MEMBERS = `${TEAMS}/:team/members`;

const list = defineAdminEndpoint({
  method: 'GET',
  path: MEMBERS,
  right: 'organisation.read',
  summary: 'The members of a team',
  params: TeamParams,
  query: PageQuery,
  responses: { 200: TeamMembersAnswer },
  handle: async ({ platform }: PlatformServices, { params, query }) => {
    const all = unwrapResult(await listTeamMembers(platform, params));
    const { items, next } = unwrapResult(await createPageByName(all, query, ({ name }) => name));
    return { members: [...items], next };
  },
});

const add = defineAdminEndpoint({
  method: 'PUT',
  path: `${MEMBERS}/:member`,
  right: 'team.write',
  summary: 'Add a member of the organisation to a team',
  params: TeamMemberParams,
  responses: { 204: Type.Null({ description: 'Added.' }) },
  handle: async ({ platform }: PlatformServices, { params, actor, requirePrincipal }) => {
    unwrapResult(await addTeamMember(platform, actor, requirePrincipal(), params));
    return null;
  },
});

// Members may always leave a team. `removeTeamMember` checks who is removed.
const remove = defineDeletion({
  path: `${MEMBERS}/:member`,
  right: 'organisation.read',
  summary: 'Remove a member from a team, or leave it',
  params: TeamMemberParams,
  remove: ({ platform }, params, { actor, requirePrincipal }) =>
    removeTeamMember(platform, actor, requirePrincipal(), params),
});

/** Who belongs to a team. */
export const TEAM_MEMBER_ENDPOINTS = [list, add, remove];
