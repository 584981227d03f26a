import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
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
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { ACTIONS, may } from '../../../platform/accounts/roles.ts';
import { actorOf, requirePrincipal } from '../access/access.ts';
import * as shape from './member-schema.ts';
import { ORGANISATIONS, registerDeletion, createPlatformSchema } from './resource-paths.ts';
import { OrganisationParams, PageQuery } from './platform-schema.ts';
import { unwrapResult } from '../access/unwrap-result.ts';

const MEMBERS = `${ORGANISATIONS}/:organisation/members`;
const INVITATIONS = `${ORGANISATIONS}/:organisation/invitations`;

/** Registers members, invitations, and `/admin/v1/me`. */
export function registerMembers(root: FastifyInstance, platform: PlatformDependencies): void {
  root.withTypeProvider<TypeBoxTypeProvider>().get(
    '/admin/v1/me',
    {
      config: { right: 'account.read' },
      schema: createPlatformSchema('Who the caller is, and what they may do', {
        response: { 200: shape.MeAnswer },
      }),
    },
    async (request) => {
      const { who, standing } = requirePrincipal(request);
      return { who, standing, rights: ACTIONS.filter((action) => may(standing, action)) };
    },
  );
  registerMemberRoutes(root, platform);
  registerInvitations(root, platform);
}

function registerMemberRoutes(root: FastifyInstance, platform: PlatformDependencies): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const params = shape.MemberParams;
  app.get(
    MEMBERS,
    {
      config: { right: 'organisation.read' },
      schema: createPlatformSchema('The members of an organisation', {
        params: OrganisationParams,
        querystring: PageQuery,
        response: { 200: shape.MembersAnswer },
      }),
    },
    async ({ params: { organisation }, query }) => {
      const { items, next } = unwrapResult(
        await createPageByName(
          unwrapResult(await listMembersWithTeams(platform, organisation)),
          query,
          ({ name }) => name,
        ),
      );
      return { members: items.map((member) => ({ ...member, teams: [...member.teams] })), next };
    },
  );
  app.patch(
    `${MEMBERS}/:member`,
    {
      config: { right: 'member.write' },
      schema: createPlatformSchema('Change a member’s role', {
        params,
        body: shape.RoleBody,
        response: { 200: shape.RoleAnswer },
      }),
    },
    async (request) =>
      unwrapResult(
        await changeRole(
          platform,
          actorOf(request),
          requirePrincipal(request),
          request.params,
          request.body.role,
        ),
      ),
  );
  // Members may always leave, and renew their own tokens. `removeMember` and `renewToken` check whose membership it is.
  registerDeletion(
    root,
    `${MEMBERS}/:member`,
    { right: 'organisation.read', summary: 'Remove a member, or leave', params },
    (request, deleted) => removeMember(platform, actorOf(request), requirePrincipal(request), deleted),
  );
  app.post(
    `${MEMBERS}/:member/token`,
    {
      config: { right: 'organisation.read' },
      schema: createPlatformSchema('Replace a member’s token; the previous one is refused from now on', {
        params,
        body: shape.TokenBody,
        response: { 200: shape.TokenAnswer },
      }),
    },
    async (request) =>
      unwrapResult(
        await renewToken(
          platform,
          actorOf(request),
          requirePrincipal(request),
          request.params,
          request.body.expiresAt,
        ),
      ),
  );
}

function registerInvitations(root: FastifyInstance, platform: PlatformDependencies): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const config = { right: 'member.write' } as const;
  app.get(
    INVITATIONS,
    {
      config,
      schema: createPlatformSchema('The pending invitations', {
        params: OrganisationParams,
        querystring: PageQuery,
        response: { 200: shape.InvitationsAnswer },
      }),
    },
    async ({ params, query }) => {
      const pending = unwrapResult(await listInvitations(platform, params.organisation));
      const { items, next } = unwrapResult(await createPageByName(pending, query, ({ name }) => name));
      return { invitations: [...items], next };
    },
  );
  app.post(
    INVITATIONS,
    {
      config,
      schema: createPlatformSchema('Invite somebody; the answer shows the token once', {
        params: OrganisationParams,
        body: shape.InvitationBody,
        response: { 200: shape.NewInvitationAnswer },
      }),
    },
    async (request) =>
      unwrapResult(
        await invite(platform, actorOf(request), requirePrincipal(request), {
          ...request.params,
          ...request.body,
        }),
      ),
  );
  registerDeletion(
    root,
    `${INVITATIONS}/:name`,
    { right: 'member.write', summary: 'Revoke an invitation', params: shape.InvitationParams },
    (request, deleted) => revokeInvitation(platform, actorOf(request), requirePrincipal(request), deleted),
  );
  app.post(
    '/admin/v1/invitations/accept',
    {
      config: { right: 'open' },
      schema: createPlatformSchema('Accept an invitation by its token, and become a member', {
        body: shape.AcceptBody,
        response: { 200: shape.AcceptAnswer },
      }),
    },
    async ({ body, ip }) => {
      const { organisation, member, token } = unwrapResult(
        await acceptInvitation(platform, ip, body.token, body.expiresAt),
      );
      const { name, role, tokenExpiresAt } = member;
      return { organisation, name, role, token, tokenExpiresAt };
    },
  );
}
