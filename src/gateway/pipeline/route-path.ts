import type { FastifyRequest } from 'fastify';
import { requestContextOf } from './request-context.ts';

/**
 * The path of the route that answers, as it was registered: however a client spells it, encoded or not, it is the one
 * that the router chose. Where there is no route, the path as it was sent.
 */
export function routePath(request: FastifyRequest): string {
  return requestContextOf(request).route.url ?? request.url.split('?', 1)[0] ?? '';
}

const PARAMETER = /:(\w+)|\*/g;

/**
 * The path that was asked for, decoded as the router decoded it: what the route has for parameters is filled in. Where
 * there is no route, the path as it was sent.
 */
export function decodedPath(request: FastifyRequest): string {
  const { url } = requestContextOf(request).route;
  if (url === null) return routePath(request);
  if (!url.includes(':') && !url.includes('*')) return url;
  const params = request.params as Readonly<Record<string, string | undefined>>;
  return url.replace(PARAMETER, (_, name: string | undefined) => params[name ?? '*'] ?? '');
}
