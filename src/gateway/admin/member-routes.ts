import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  acceptInvitation,
  invite,
  listInvitations,
  revokeInvitation,
} from '../../platform/accounts/invitations.ts';
import { renewToken } from '../../platform/accounts/member-tokens.ts';
import { changeRole, listMembers, removeMember } from '../../platform/accounts/members.ts';
import { pageByName } from '../../platform/paging.ts';
import type { PlatformDependencies } from '../../platform/dependencies.ts';
import { ACTIONS, may } from '../../platform/accounts/roles.ts';
import { actorOf, partyOf } from './access.ts';
import * as shape from './member-schema.ts';
import { ORGANISATIONS, routeSchema } from './platform-routes.ts';
import { Deleted, OrganisationParams, PageQuery } from './platform-schema.ts';
import { granted } from './granted.ts';

const MEMBERS = `${ORGANISATIONS}/:organisation/members`;
const INVITATIONS = `${ORGANISATIONS}/:organisation/invitations`;

/** Members, invitations, and who one is. */
export function registerMembers(root: FastifyInstance, parts: PlatformDependencies): void {
  root.withTypeProvider<TypeBoxTypeProvider>().get(
    '/admin/v1/me',
    {
      config: { right: 'account.read' },
      schema: routeSchema('Who calls, and what they may do', { response: { 200: shape.MeAnswer } }),
    },
    async (request) => {
      const { who, standing } = partyOf(request);
      return { who, standing, rights: ACTIONS.filter((action) => may(standing, action)) };
    },
  );
  registerMemberRoutes(root, parts);
  registerInvitations(root, parts);
}

function registerMemberRoutes(root: FastifyInstance, parts: PlatformDependencies): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const params = shape.MemberParams;
  app.get(
    MEMBERS,
    {
      config: { right: 'organisation.read' },
      schema: routeSchema('The members of an organisation', {
        params: OrganisationParams,
        querystring: PageQuery,
        response: { 200: shape.MembersAnswer },
      }),
    },
    async ({ params: { organisation }, query }) => {
      const { items, next } = granted(
        await pageByName(granted(await listMembers(parts, organisation)), query, ({ name }) => name),
      );
      return { members: [...items], next };
    },
  );
  app.patch(
    `${MEMBERS}/:member`,
    {
      config: { right: 'member.write' },
      schema: routeSchema('Change a member’s role', {
        params,
        body: shape.RoleBody,
        response: { 200: shape.MemberJson },
      }),
    },
    async (request) =>
      granted(await changeRole(parts, actorOf(request), partyOf(request), request.params, request.body.role)),
  );
  // Everybody may leave, and renew the own token: whose it is, is looked at where the member is.
  app.delete(
    `${MEMBERS}/:member`,
    {
      config: { right: 'organisation.read' },
      schema: routeSchema('Remove a member, or leave', { params, response: { 204: Deleted } }),
    },
    async (request, reply) => {
      granted(await removeMember(parts, actorOf(request), partyOf(request), request.params));
      return reply.code(204).send(null);
    },
  );
  app.post(
    `${MEMBERS}/:member/token`,
    {
      config: { right: 'organisation.read' },
      schema: routeSchema('Make a member’s token anew, which ends the one before', {
        params,
        body: shape.TokenBody,
        response: { 200: shape.TokenAnswer },
      }),
    },
    async (request) =>
      granted(
        await renewToken(parts, actorOf(request), partyOf(request), request.params, request.body.expiresAt),
      ),
  );
}

function registerInvitations(root: FastifyInstance, parts: PlatformDependencies): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const config = { right: 'member.write' } as const;
  app.get(
    INVITATIONS,
    {
      config,
      schema: routeSchema('The invitations that can be accepted', {
        params: OrganisationParams,
        querystring: PageQuery,
        response: { 200: shape.InvitationsAnswer },
      }),
    },
    async ({ params, query }) => {
      const pending = granted(await listInvitations(parts, params.organisation));
      const { items, next } = granted(await pageByName(pending, query, ({ name }) => name));
      return { invitations: [...items], next };
    },
  );
  app.post(
    INVITATIONS,
    {
      config,
      schema: routeSchema('Invite somebody; the answer shows the token this once', {
        params: OrganisationParams,
        body: shape.InvitationBody,
        response: { 200: shape.NewInvitationAnswer },
      }),
    },
    async (request) =>
      granted(
        await invite(parts, actorOf(request), partyOf(request), { ...request.params, ...request.body }),
      ),
  );
  app.delete(
    `${INVITATIONS}/:name`,
    {
      config,
      schema: routeSchema('Revoke an invitation', {
        params: shape.InvitationParams,
        response: { 204: Deleted },
      }),
    },
    async (request, reply) => {
      granted(await revokeInvitation(parts, actorOf(request), partyOf(request), request.params));
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/admin/v1/invitations/accept',
    {
      config: { right: 'open' },
      schema: routeSchema('Become a member by an invitation’s token, once', {
        body: shape.AcceptBody,
        response: { 200: shape.AcceptAnswer },
      }),
    },
    async ({ body, ip }) => {
      const { organisation, member, token } = granted(
        await acceptInvitation(parts, ip, body.token, body.expiresAt),
      );
      const { name, role, tokenExpiresAt } = member;
      return { organisation, name, role, token, tokenExpiresAt };
    },
  );
}
