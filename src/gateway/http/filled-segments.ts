import type { FastifyInstance, RouteOptions } from 'fastify';
import { parseSentPath } from '../../platform/firewall/requested-path.ts';

/** The constraint of routes with parameters: each segment of the path must have a value. */
const FILLED_SEGMENTS = 'filledSegments';

/**
 * Keeps the router from matching a path such as `/positions/` with the route `/positions/:address` and an empty address.
 * There is no such path, so it is answered with 404 like any other, and not with 400 about a parameter that the client did
 * not mean to give. Call this before the first route is registered.
 */
export function requireFilledSegments(app: FastifyInstance): void {
  app.addConstraintStrategy({
    name: FILLED_SEGMENTS,
    storage: () => {
      const handlers = new Map<unknown, unknown>();
      return {
        get: (key) => (handlers.get(key) ?? null) as never,
        set: (key, handler) => void handlers.set(key, handler),
      };
    },
    deriveConstraint: ({ url }) => hasFilledSegments(url ?? '/'),
  });
  app.addHook('onRoute', (route: RouteOptions) => {
    if (!route.url.includes(':')) return;
    route.constraints = { ...route.constraints, [FILLED_SEGMENTS]: true };
  });
}

/** The suffix that routes have behind a parameter. */
const SUFFIX = '.json';

/** Whether no segment of the path of a target is empty, or has nothing before the suffix. */
function hasFilledSegments(url: string): boolean {
  const path = parseSentPath(url);
  return !path.endsWith('/') && !path.includes('//') && !path.endsWith(`/${SUFFIX}`);
}
