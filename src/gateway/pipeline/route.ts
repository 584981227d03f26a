import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Health and documentation: open to every key, and not counted. */
    readonly free?: true;
    /** What repeats of one request have in common, by the body, which is not validated yet; null: they have nothing. */
    readonly repeatKey?: RepeatKey;
  }
}

export type RepeatKey = (body: unknown) => string | null;

/** The route that answers, as every step asks for it. */
export interface Route {
  /** As it was registered; null where there is none. */
  readonly url: string | null;
  /** Open to every key, and not counted. */
  readonly isFree: boolean;
  /** Milliseconds, in place of those that all others have; null: it has none of its own. */
  readonly ownTimeLimitMs: number | null;
  /** Repeats of one request share what they hold of the service; null: each request counts by itself. */
  readonly repeatKey: RepeatKey | null;
}

const routes = new WeakMap<object, Route>();

/** For the request's context: Fastify makes the options of a route anew for everybody who looks at them. */
export function routeOf({ routeOptions }: FastifyRequest): Route {
  const { config, url, handlerTimeout = 0 } = routeOptions;
  const known = routes.get(config);
  if (known !== undefined) return known;
  const route: Route = {
    url: url ?? null,
    isFree: config.free === true,
    ownTimeLimitMs: handlerTimeout > 0 ? handlerTimeout : null,
    repeatKey: config.repeatKey ?? null,
  };
  routes.set(config, route);
  return route;
}
