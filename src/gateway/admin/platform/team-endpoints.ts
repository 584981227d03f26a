import { countTeamContents } from '../../../platform/accounts/contents.ts';
import { getOrganisation } from '../../../platform/accounts/organisations.ts';
import { createTeam, deleteTeam, listTeams } from '../../../platform/accounts/teams.ts';
import { createPageByName } from '../../../platform/requests/paging.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { defineDeletion } from './deletion.ts';
import * as shape from './platform-schema.ts';
import type { PlatformServices } from './platform-services.ts';
import { TEAMS } from './resource-paths.ts';

const list = defineAdminEndpoint({
  method: 'GET',
  path: TEAMS,
  right: 'organisation.read',
  summary: 'The teams of an organisation, and how much each holds',
  params: shape.OrganisationParams,
  query: shape.PageQuery,
  responses: { 200: shape.TeamsAnswer },
  handle: async ({ platform }: PlatformServices, { params, query }) => {
    const all = unwrapResult(await listTeams(platform, params.organisation));
    const { items, next } = unwrapResult(await createPageByName(all, query, ({ slug }) => slug));
    const { db } = platform.store;
    const { id } = unwrapResult(await getOrganisation(db, params.organisation));
    const countsOf = await countTeamContents(db, id);
    return { teams: items.map((team) => ({ ...team, ...countsOf(team.id) })), next };
  },
});

const create = defineAdminEndpoint({
  method: 'POST',
  path: TEAMS,
  right: 'team.write',
  summary: 'Create a team',
  params: shape.OrganisationParams,
  body: shape.TeamBody,
  responses: { 200: shape.TeamAnswer },
  handle: async ({ platform }: PlatformServices, { params, body, actor }) =>
    unwrapResult(await createTeam(platform, actor, { ...params, team: body.slug })),
});

const remove = defineDeletion({
  path: `${TEAMS}/:team`,
  right: 'team.write',
  summary: 'Delete a team with its keys',
  params: shape.TeamParams,
  remove: ({ platform }, params, { actor }) => deleteTeam(platform, actor, params),
});

/** The teams of an organisation. */
export const TEAM_ENDPOINTS = [list, create, remove];
