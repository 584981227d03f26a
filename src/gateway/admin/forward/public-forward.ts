import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { parseRequestedPath } from '../../../platform/firewall/requested-path.ts';
import { noteForwarded } from '../../http/forwarded-requests.ts';
import { isLocalRequest } from '../../http/local-request.ts';
import { findServedPath } from '../../http/methods.ts';
import { hasSessionCookie, SESSION_HEADER } from '../access/session-cookie.ts';
import { removeHeaders } from './remove-headers.ts';

/** The public server of the same process. */
export interface ForwardTarget {
  readonly app: FastifyInstance;
  /** Paths of products, below which an unknown path is answered by the public server, too. */
  readonly basePaths: readonly string[];
  /** Whether it listens on other addresses than loopback. */
  readonly exposed: boolean;
}

/** The admin server, on whose port the requests arrive. */
export interface ForwardSource {
  readonly app: FastifyInstance;
  readonly exposed: boolean;
  /** Whether a token authenticates an operator or a member of an organisation. */
  readonly isAdminToken: (token: string) => boolean;
}

/** Headers with which a proxy states the client. The admin server trusts no proxy. */
const OF_PROXIES: ReadonlySet<string> = new Set([
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-real-ip',
]);
const BEARER = /^Bearer +(.*)$/is;

/**
 * Hands requests for public paths from the admin server to the public server, in this process. So a page that was loaded from
 * the admin port reaches the products at its own origin. The public server answers them as those on its own port, with every
 * step, limit and log line. The admin server's own paths stay its own.
 */
export class PublicForward {
  #target: ForwardTarget | null = null;
  #ownHeaders: ReadonlySet<string> = OF_PROXIES;

  /**
   * Forwards requests from now on.
   * @param trustedHeaders - Further headers that the public server believes of a proxy, in lower case.
   */
  connect(target: ForwardTarget, trustedHeaders: readonly string[] = []): void {
    this.#target = target;
    this.#ownHeaders = new Set([...OF_PROXIES, ...trustedHeaders]);
  }

  /** Returns whether the public server has taken the request. If it has not, the admin server answers it, or refuses it. */
  takeOver(source: ForwardSource, request: IncomingMessage, response: ServerResponse): boolean {
    const target = this.#target;
    if (target === null) return false;
    const path = parseRequestedPath(request.url ?? '/');
    if (!isPublicPath(target, source, path)) return false;
    if (!isLocalRequest(request) && !(source.exposed && target.exposed)) return false;
    noteForwarded(request);
    removeHeaders(request, (name, value) => {
      if (name === 'cookie') return hasSessionCookie(value);
      if (name === SESSION_HEADER) return true;
      if (name !== 'authorization') return this.#ownHeaders.has(name);
      const token = BEARER.exec(value)?.[1];
      // Wallets sign in with tokens of their own, which products read.
      return token !== undefined && source.isAdminToken(token);
    });
    target.app.routing(request, response);
    return true;
  }
}

/** Whether a path is the public server's. One that both name is the admin server's, unless only the public one names all of it. */
function isPublicPath({ app, basePaths }: ForwardTarget, source: ForwardSource, path: string): boolean {
  const own = findServedPath(source.app, path);
  const theirs = findServedPath(app, path);
  if (own !== null) return own === 'pattern' && theirs === 'exact';
  return theirs !== null || basePaths.some((base) => path === base || path.startsWith(`${base}/`));
}
