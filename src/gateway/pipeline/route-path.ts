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
