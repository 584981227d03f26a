import {
  acceptInvitation,
  invite,
  listInvitations,
  revokeInvitation,
} from '../../../platform/accounts/invitations.ts';
import { renewToken } from '../../../platform/accounts/member-tokens.ts';
import { changeRole, removeMember } from '../../../platform/accounts/members.ts';
import { listMembersWithTeams } from '../../../platform/accounts/team-members.ts';
import { createPageByName } from '../../../platform/requests/paging.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { defineDeletion } from './deletion.ts';
import { describeCaller } from './describe-caller.ts';
import * as shape from './member-schema.ts';
import { OrganisationParams, PageQuery } from './platform-schema.ts';
import type { PlatformServices } from './platform-services.ts';
import { ORGANISATIONS } from './resource-paths.ts';

const MEMBERS = `${ORGANISATIONS}/:organisation/members`;
const INVITATIONS = `${ORGANISATIONS}/:organisation/invitations`;

const me = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/me',
  right: 'account.read',
  summary: 'Who the caller is, and what they may do',
  responses: { 200: shape.MeAnswer },
  handle: ({ platform }: PlatformServices, { requirePrincipal }) =>
    describeCaller(platform, requirePrincipal()),
});

const list = defineAdminEndpoint({
  method: 'GET',
  path: MEMBERS,
  right: 'organisation.read',
  summary: 'The members of an organisation',
  params: OrganisationParams,
  query: PageQuery,
  responses: { 200: shape.MembersAnswer },
  handle: async ({ platform }: PlatformServices, { params, query }) => {
    const all = unwrapResult(await listMembersWithTeams(platform, params.organisation));
    const { items, next } = unwrapResult(await createPageByName(all, query, ({ name }) => name));
    return { members: items.map((member) => ({ ...member, teams: [...member.teams] })), next };
  },
});

const changeMemberRole = defineAdminEndpoint({
  method: 'PATCH',
  path: `${MEMBERS}/:member`,
  right: 'member.write',
  summary: 'Change a member’s role',
  params: shape.MemberParams,
  body: shape.RoleBody,
  responses: { 200: shape.RoleAnswer },
  handle: async ({ platform }: PlatformServices, { params, body, actor, requirePrincipal }) =>
    unwrapResult(await changeRole(platform, actor, requirePrincipal(), params, body.role)),
});

// Members may always leave, and renew their own tokens. `removeMember` and `renewToken` check whose membership it is.
const remove = defineDeletion({
  path: `${MEMBERS}/:member`,
  right: 'organisation.read',
  summary: 'Remove a member, or leave',
  params: shape.MemberParams,
  remove: ({ platform }, params, { actor, requirePrincipal }) =>
    removeMember(platform, actor, requirePrincipal(), params),
});

const replaceToken = defineAdminEndpoint({
  method: 'POST',
  path: `${MEMBERS}/:member/token`,
  right: 'organisation.read',
  summary: 'Replace a member’s token; the previous one is refused from now on',
  params: shape.MemberParams,
  body: shape.TokenBody,
  responses: { 200: shape.TokenAnswer },
  handle: async ({ platform }: PlatformServices, { params, body, actor, requirePrincipal }) =>
    unwrapResult(await renewToken(platform, actor, requirePrincipal(), params, body.expiresAt)),
});

const listPendingInvitations = defineAdminEndpoint({
  method: 'GET',
  path: INVITATIONS,
  right: 'member.write',
  summary: 'The pending invitations',
  params: OrganisationParams,
  query: PageQuery,
  responses: { 200: shape.InvitationsAnswer },
  handle: async ({ platform }: PlatformServices, { params, query }) => {
    const pending = unwrapResult(await listInvitations(platform, params.organisation));
    const { items, next } = unwrapResult(await createPageByName(pending, query, ({ name }) => name));
    return { invitations: [...items], next };
  },
});

const inviteMember = defineAdminEndpoint({
  method: 'POST',
  path: INVITATIONS,
  right: 'member.write',
  summary: 'Invite somebody; the answer shows the token once',
  params: OrganisationParams,
  body: shape.InvitationBody,
  responses: { 200: shape.NewInvitationAnswer },
  handle: async ({ platform }: PlatformServices, { params, body, actor, requirePrincipal }) =>
    unwrapResult(await invite(platform, actor, requirePrincipal(), { ...params, ...body })),
});

const revoke = defineDeletion({
  path: `${INVITATIONS}/:name`,
  right: 'member.write',
  summary: 'Revoke an invitation',
  params: shape.InvitationParams,
  remove: ({ platform }, params, { actor, requirePrincipal }) =>
    revokeInvitation(platform, actor, requirePrincipal(), params),
});

const accept = defineAdminEndpoint({
  method: 'POST',
  path: '/admin/v1/invitations/accept',
  right: 'open',
  summary: 'Accept an invitation by its token, and become a member',
  body: shape.AcceptBody,
  responses: { 200: shape.AcceptAnswer },
  handle: async ({ platform }: PlatformServices, { body, actor }) => {
    const { organisation, member, token } = unwrapResult(
      await acceptInvitation(platform, actor.from, body.token, body.expiresAt),
    );
    const { name, role, tokenExpiresAt } = member;
    return { organisation, name, role, token, tokenExpiresAt };
  },
});

/** Who the caller is, and the members and invitations of an organisation. */
export const MEMBER_ENDPOINTS = [
  me,
  list,
  changeMemberRole,
  remove,
  replaceToken,
  listPendingInvitations,
  inviteMember,
  revoke,
  accept,
];
