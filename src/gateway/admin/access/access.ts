import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, LetIn } from '../../../platform/audit/audit.ts';
import { findByToken, noteTokenUse } from '../../../platform/accounts/member-tokens.ts';
import type { ChangingParty } from '../../../platform/accounts/members.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { type AdminAction, may } from '../../../platform/accounts/roles.ts';
import { type SessionHolder, toActorName, toLetIn } from '../../../platform/sessions/session-holder.ts';
import { type AdminSession, findSession } from '../../../platform/sessions/sessions.ts';
import { sendGatewayError } from '../../http/errors.ts';
import { isFromForeignPage } from '../../http/foreign-page.ts';
import { isLocalRequest } from '../../http/local-request.ts';
import { readSessionHalves } from './session-cookie.ts';

/** The authenticated sender of a request to the admin interface. */
export interface Principal extends ChangingParty {
  /** The name in the audit log: `operator`, `operator (ann)` in a session that was begun under a name, or `acme/ann` for a member. */
  readonly who: string;
  /** The slug of the member's organisation; null: the operator, who may access all. */
  readonly organisation: string | null;
  /** How the member was authenticated, which changes check again in their transaction; null: the operator. */
  readonly letIn: LetIn | null;
  /** The session that the request belongs to, which changes check again, too; null: it has a credential of its own. */
  readonly session: AdminSession | null;
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
  /** The hash of the operator's credential. */
  readonly operatorHash: string;
  /** Whether the server listens on other addresses than loopback. */
  readonly exposed: boolean;
}

/** The right that a route needs if it states none. */
export const DEFAULT_RIGHT: AdminAction = 'instance.write';

/** The routes of the interface. Documentation, health and the portal's pages are shown to everybody who follows a link. */
const INTERFACE = /^\/admin\/v1(\/|$)/;
/** The routes of the network's controls, which other machines may never call. */
const LOCAL_ONLY = /^\/admin\/v1\/network(\/|$)/;

/** Authenticates and authorises each request before its body is read. Answers 401 or 403 if it fails. */
export function addAccess(app: FastifyInstance, options: AccessOptions): void {
  app.decorateRequest('principal', null);
  app.addHook('onRequest', async (request, reply) => {
    const path = request.routeOptions.url ?? request.url;
    const isInterface = INTERFACE.test(path);
    // Answers hold secrets that are shown once, and what the next user of the browser may not see.
    if (isInterface) reply.header('cache-control', 'no-store');
    if ((!options.exposed || LOCAL_ONLY.test(path)) && !isLocalRequest(request.raw)) {
      return sendGatewayError(
        reply,
        403,
        'The admin interface answers requests from this machine to a loopback address only',
      );
    }
    if (isInterface && isFromForeignPage(request.raw)) {
      return sendGatewayError(
        reply,
        403,
        'The admin interface answers its own pages and programs; a page of another origin sent this request',
      );
    }
    const { config } = request.routeOptions;
    const right = config.right ?? DEFAULT_RIGHT;
    if (request.is404 || config.free === true || right === 'open') return undefined;
    const principal = await findPrincipal(request, options);
    if (principal === null) return sendUnauthorized(request, reply);
    request.principal = principal;
    return may(principal.standing, right) && isWithin(principal, right, request)
      ? undefined
      : sendGatewayError(reply, 403, describeMissingRight(principal, right));
  });
}

/** Returns who sends the request, as the audit log records it. */
export function actorOf({ principal, ip }: Pick<FastifyRequest, 'principal' | 'ip'>): Actor {
  const { who = 'nobody', letIn = null, session = null } = principal ?? {};
  return {
    who,
    from: ip,
    ...(letIn === null ? {} : { letIn }),
    ...(session === null ? {} : { session: session.id }),
  };
}

/** Returns the authenticated sender. @throws Error on an open route, whose sender is unknown */
export function requirePrincipal({ principal }: Pick<FastifyRequest, 'principal'>): Principal {
  if (principal === null) throw new Error('the route is open, so nobody is known');
  return principal;
}

/** A credential in the request comes first. A session is asked for only without one. */
async function findPrincipal(request: FastifyRequest, options: AccessOptions): Promise<Principal | null> {
  const { authorization } = request.headers;
  if (authorization !== undefined) return findBearer(authorization, options);
  const { platform, operatorHash } = options;
  const session = await findSession(platform, readSessionHalves(request.raw), operatorHash);
  return session === null ? null : admit(platform, session.holder, session);
}

async function findBearer(
  authorization: string,
  { platform, isOperatorToken, operatorHash }: AccessOptions,
): Promise<Principal | null> {
  const token = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(authorization)?.[1];
  if (token === undefined) return null;
  if (isOperatorToken(token)) {
    return toPrincipal({ kind: 'operator', name: null, credentialHash: operatorHash }, null);
  }
  const found = await findByToken(platform, token);
  return found === null ? null : admit(platform, { kind: 'member', ...found }, null);
}

async function admit(
  platform: PlatformDependencies,
  holder: SessionHolder,
  session: AdminSession | null,
): Promise<Principal> {
  if (holder.kind === 'member') await noteTokenUse(platform, holder.member);
  return toPrincipal(holder, session);
}

/** Returns the sender of a request with a credential, or of a session. */
export function toPrincipal(holder: SessionHolder, session: AdminSession | null): Principal {
  const letIn = toLetIn(holder);
  const who = toActorName(holder);
  if (holder.kind === 'operator') {
    return { who, standing: 'operator', memberId: null, organisation: null, letIn, session };
  }
  const { member, organisation } = holder;
  return { who, standing: member.role, memberId: member.id, organisation, letIn, session };
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
