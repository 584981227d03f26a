import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Health and documentation: open to every key, and not counted. */
    readonly free?: true;
  }
}

/** The route that answers, as every step asks for it. */
export interface Route {
  /** As it was registered; null where there is none. */
  readonly url: string | null;
  /** Open to every key, and not counted. */
  readonly isFree: boolean;
  /** Whether it was registered with one in place of that which all others have. */
  readonly hasOwnTimeLimit: boolean;
}

const routes = new WeakMap<object, Route>();

/** For the request's passage: Fastify makes the options of a route anew for everybody who looks at them. */
export function routeOf({ routeOptions }: FastifyRequest): Route {
  const { config, url, handlerTimeout = 0 } = routeOptions;
  const known = routes.get(config);
  if (known !== undefined) return known;
  const route: Route = {
    url: url ?? null,
    isFree: config.free === true,
    hasOwnTimeLimit: handlerTimeout > 0,
  };
  routes.set(config, route);
  return route;
}
