import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Health and documentation: open to every key, and not counted. */
    readonly free?: true;
  }
  interface FastifyRequest {
    /** Null until somebody asks by `routeOf`. */
    route: Route | null;
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

/** Looked up once for a request, because Fastify makes the options of a route anew for everybody who looks at them. */
export function routeOf(request: FastifyRequest): Route {
  request.route ??= routeWith(request.routeOptions);
  return request.route;
}

function routeWith({ config, url, handlerTimeout = 0 }: FastifyRequest['routeOptions']): Route {
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
