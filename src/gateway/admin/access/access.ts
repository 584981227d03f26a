import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, LetIn } from '../../../platform/audit/audit.ts';
import { findByToken, noteTokenUse } from '../../../platform/accounts/member-tokens.ts';
import type { ChangingParty } from '../../../platform/accounts/members.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { type AdminAction, may } from '../../../platform/accounts/roles.ts';
import { sendGatewayError } from '../../http/errors.ts';
import { isLocalRequest } from '../../http/local-request.ts';

/** The authenticated sender of a request to the admin interface. */
export interface Principal extends ChangingParty {
  /** The name in the audit log: `operator`, or `acme/ann` for a member. */
  readonly who: string;
  /** The slug of the member's organisation; null: the operator, who may access all. */
  readonly organisation: string | null;
  /** How the member was authenticated, which changes check again in their transaction; null: the operator. */
  readonly letIn: LetIn | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on open routes, and always on the public server. */
    principal: Principal | null;
  }
}

export interface AccessOptions {
  readonly platform: PlatformDependencies;
  readonly isOperatorToken: (token: string) => boolean;
  /** Whether the server listens on other addresses than loopback. */
  readonly exposed: boolean;
}

/** The right that a route needs if it states none. */
export const DEFAULT_RIGHT: AdminAction = 'instance.write';

const OPERATOR: Principal = {
  who: 'operator',
  standing: 'operator',
  memberId: null,
  organisation: null,
  letIn: null,
};
/** The routes of the network's controls, which other machines may never call. */
const LOCAL_ONLY = /^\/admin\/v1\/network(\/|$)/;

/** Authenticates and authorises each request before its body is read. Answers 401 or 403 if it fails. */
export function addAccess(app: FastifyInstance, { platform, isOperatorToken, exposed }: AccessOptions): void {
  app.decorateRequest('principal', null);
  app.addHook('onRequest', async (request, reply) => {
    const path = request.routeOptions.url ?? request.url;
    if ((!exposed || LOCAL_ONLY.test(path)) && !isLocalRequest(request.raw)) {
      return sendGatewayError(
        reply,
        403,
        'The admin interface answers requests from this machine to a loopback address only',
      );
    }
    const { config } = request.routeOptions;
    const right = config.right ?? DEFAULT_RIGHT;
    if (request.is404 || config.free === true || right === 'open') return undefined;
    const principal = await findPrincipal(request, platform, isOperatorToken);
    if (principal === null) return sendUnauthorized(request, reply);
    request.principal = principal;
    return may(principal.standing, right) && isWithin(principal, right, request)
      ? undefined
      : sendGatewayError(reply, 403, describeMissingRight(principal, right));
  });
}

/** Returns who sends the request, as the audit log records it. */
export function actorOf({ principal, ip }: Pick<FastifyRequest, 'principal' | 'ip'>): Actor {
  const letIn = principal?.letIn ?? null;
  return { who: principal?.who ?? 'nobody', from: ip, ...(letIn === null ? {} : { letIn }) };
}

/** Returns the authenticated sender. @throws Error on an open route, whose sender is unknown */
export function requirePrincipal({ principal }: Pick<FastifyRequest, 'principal'>): Principal {
  if (principal === null) throw new Error('the route is open, so nobody is known');
  return principal;
}

async function findPrincipal(
  { headers }: FastifyRequest,
  platform: PlatformDependencies,
  isOperatorToken: (token: string) => boolean,
): Promise<Principal | null> {
  const token = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) return null;
  if (isOperatorToken(token)) return OPERATOR;
  const found = await findByToken(platform, token);
  if (found === null) return null;
  const { member, organisation, tokenHash } = found;
  await noteTokenUse(platform, member);
  const { id: memberId, role } = member;
  return {
    who: `${organisation}/${member.name}`,
    standing: role,
    memberId,
    organisation,
    letIn: { memberId, role, tokenHash },
  };
}

/** Whether the route concerns the member's own organisation, or no organisation. */
function isWithin({ organisation }: Principal, right: AdminAction, { params }: FastifyRequest): boolean {
  if (organisation === null || right === 'account.read') return true;
  return (params as { readonly organisation?: string }).organisation === organisation;
}

function describeMissingRight({ standing, organisation }: Principal, right: AdminAction): string {
  return may(standing, right)
    ? `This token is for the organisation ${organisation} only`
    : `The role ${standing} does not have the right ${right}`;
}

function sendUnauthorized(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.log.warn({ ip: request.ip }, 'the admin interface was called with an unknown credential');
  reply.header('www-authenticate', 'Bearer');
  return sendGatewayError(
    reply,
    401,
    'The admin interface needs authorization: Bearer with the operator’s credential or a member’s token',
  );
}

/** Creates a comparison with a secret whose time does not depend on how much of the secret matches. */
export function createSecretComparison(secret: string): (text: string) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(secret);
  return (text) => timingSafeEqual(digest(text), expected);
}
