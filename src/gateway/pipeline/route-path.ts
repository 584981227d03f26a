import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Health and documentation: open to every key, and not counted. */
    readonly free?: true;
  }
}

/**
 * The path of the route that answers, as it was registered: however a client spells it, encoded or not, it is the one
 * that the router chose. Where there is no route, the path as it was sent.
 */
export function routePath(request: FastifyRequest): string {
  return request.routeOptions.url ?? request.url.split('?', 1)[0] ?? '';
}

const PARAMETER = /:(\w+)|\*/g;

/**
 * The path that was asked for, decoded as the router decoded it: what the route has for parameters is filled in. Where
 * there is no route, the path as it was sent.
 */
export function decodedPath(request: FastifyRequest): string {
  const path = routePath(request);
  if (!path.includes(':') && !path.includes('*')) return path;
  if (request.routeOptions.url === undefined) return path;
  const params = request.params as Readonly<Record<string, string | undefined>>;
  return path.replace(PARAMETER, (_, name: string | undefined) => params[name ?? '*'] ?? '');
}
