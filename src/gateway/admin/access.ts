import { createHash, timingSafeEqual } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, LetIn } from '../../platform/audit/audit.ts';
import { findByToken, noteTokenUse } from '../../platform/accounts/member-tokens.ts';
import type { Party } from '../../platform/accounts/members.ts';
import type { PlatformDependencies } from '../../platform/dependencies.ts';
import { type Action, may } from '../../platform/accounts/roles.ts';
import { sendGatewayError } from '../http/errors.ts';

/** Who sends a request to the admin interface. */
export interface Principal extends Party {
  /** As the audit log names them: `operator`, or `acme/ann`. */
  readonly who: string;
  /** The slug of the member's organisation; null: the operator, for whom all are open. */
  readonly organisation: string | null;
  /** Null: the operator. */
  readonly letIn: LetIn | null;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the caller of an admin route must be allowed to do; without it, the operator alone may call. `open`: anybody. */
    readonly right?: Action | 'open';
  }
  interface FastifyRequest {
    /** Null where anybody may call, and on the public server always. */
    principal: Principal | null;
  }
}

export interface AccessParts {
  readonly platform: PlatformDependencies;
  /** The operator's credential. */
  readonly credential: string;
  /** Whether the server listens beyond this machine. */
  readonly exposed: boolean;
}

/** What a route needs that says nothing of it. */
export const DEFAULT_RIGHT: Action = 'instance.write';

const OPERATOR: Principal = {
  who: 'operator',
  standing: 'operator',
  memberId: null,
  organisation: null,
  letIn: null,
};
/** Addresses of this machine are nobody's to point a name at; `admin-host` may be any of them. */
const LOOPBACK_NAME = /^(127(\.\d{1,3}){3}|localhost|\[::1\])(:\d{1,5})?$/;
/** The network's controls: never from another machine. */
const LOCAL_ONLY = '/admin/v1/network/';

/** Refuses who may not, before anything of a request is read. */
export function addAccess(app: FastifyInstance, { platform, credential, exposed }: AccessParts): void {
  const isOperators = equalTo(credential);
  app.decorateRequest('principal', null);
  app.addHook('onRequest', async (request, reply) => {
    const path = request.routeOptions.url ?? request.url;
    if ((!exposed || path.startsWith(LOCAL_ONLY)) && !isFromHere(request)) {
      return sendGatewayError(
        reply,
        403,
        'The admin interface answers requests from this machine to a loopback address only',
      );
    }
    const { config } = request.routeOptions;
    const right = config.right ?? DEFAULT_RIGHT;
    if (request.is404 || config.free === true || right === 'open') return undefined;
    const principal = await principalOf(request, platform, isOperators);
    if (principal === null) return sendUnauthorized(request, reply);
    request.principal = principal;
    return may(principal.standing, right) && isWithin(principal, right, request)
      ? undefined
      : sendGatewayError(reply, 403, refusal(principal, right));
  });
}

/** The audit log's words for who changes something. */
export function actorOf({ principal, ip }: Pick<FastifyRequest, 'principal' | 'ip'>): Actor {
  const letIn = principal?.letIn ?? null;
  return { who: principal?.who ?? 'nobody', from: ip, ...(letIn === null ? {} : { letIn }) };
}

/** @throws Error on a route that is open, where there is nobody to name */
export function partyOf({ principal }: Pick<FastifyRequest, 'principal'>): Principal {
  if (principal === null) throw new Error('the route is open, so nobody is known');
  return principal;
}

/**
 * A browser on this machine reaches loopback too, on behalf of any page it shows: under the page's own host name when
 * that name was pointed here, otherwise with its origin. Both are refused.
 */
function isFromHere({ headers, socket }: FastifyRequest): boolean {
  const { host = '', origin } = headers;
  const sameOrigin = origin === undefined || LOOPBACK_NAME.test(origin.replace(/^https?:\/\//, ''));
  return (
    LOOPBACK_NAME.test(String(headers[':authority'] ?? host)) &&
    sameOrigin &&
    isLoopback(socket.remoteAddress)
  );
}

/** Without a socket the request was injected by this process. */
function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return true;
  const v4 = isIPv6(address) ? /^::ffff:(.*)$/i.exec(address)?.[1] : address;
  return address === '::1' || (v4?.startsWith('127.') ?? false);
}

async function principalOf(
  { headers }: FastifyRequest,
  platform: PlatformDependencies,
  isOperators: (token: string) => boolean,
): Promise<Principal | null> {
  const token = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) return null;
  if (isOperators(token)) return OPERATOR;
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

/** Whatever route a member calls, it is one of the own organisation, or one that concerns none. */
function isWithin({ organisation }: Principal, right: Action, { params }: FastifyRequest): boolean {
  if (organisation === null || right === 'account.read') return true;
  return (params as { readonly organisation?: string }).organisation === organisation;
}

function refusal({ standing, organisation }: Principal, right: Action): string {
  return may(standing, right)
    ? `This token is for the organisation ${organisation} only`
    : `The role ${standing} does not have the right ${right}`;
}

function sendUnauthorized(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.log.warn({ ip: request.ip }, 'the admin interface was called without a credential that it knows');
  reply.header('www-authenticate', 'Bearer');
  return sendGatewayError(
    reply,
    401,
    'The admin interface needs authorization: Bearer with the operator’s credential or a member’s token',
  );
}

/** Comparing takes the same time whatever is the same. */
function equalTo(secret: string): (text: string) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(secret);
  return (text) => timingSafeEqual(digest(text), expected);
}
