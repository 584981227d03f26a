import type { FastifyRequest } from 'fastify';
import { parseRequestedPath, parseSentPath } from '../../../platform/firewall/requested-path.ts';
import { getRequestContext } from './request-context.ts';

/**
 * Returns the path of the matched route as it was registered, however the client spelled or encoded it. If no route
 * matched, returns the path as it was sent.
 */
export function getRoutePath(request: FastifyRequest): string {
  return getRequestContext(request).route.url ?? parseSentPath(request.url);
}

const PARAMETER = /:(\w+)|\*/g;

/**
 * Returns the path that was asked, as firewall rules judge it: the path of the matched route, which is the alias if an alias
 * was asked, with its parameters filled in as the router decoded them. If no route matched, it is the path as it was sent,
 * decoded.
 */
export function getDecodedPath(request: FastifyRequest): string {
  const { url } = getRequestContext(request).route;
  if (url === null) return parseRequestedPath(request.url);
  if (!url.includes(':') && !url.includes('*')) return url;
  const params = request.params as Readonly<Record<string, string | undefined>>;
  return url.replace(PARAMETER, (_, name: string | undefined) => params[name ?? '*'] ?? '');
}
