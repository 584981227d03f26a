import type { FastifyRequest } from 'fastify';
import type { Bucket } from '../../platform/plans/plans.ts';
import type { RepeatKey } from '../../products/endpoint.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for health and documentation, which are open to every key and are not counted. */
    readonly free?: true;
    /** Which limit a request counts towards, and which places it takes. Default: `main`. */
    readonly bucket?: Bucket;
    /** What a request that was answered costs. Default: 1. */
    readonly credits?: number;
    /** What repeats of one request have in common, by the body, which is not validated yet; null: they have nothing. */
    readonly repeatKey?: RepeatKey;
  }
}

/** What the steps need to know about the route that answers. */
export interface Route {
  /** The path as it was registered; null if no route matched. */
  readonly url: string | null;
  /** Open to every key, and not counted. */
  readonly isFree: boolean;
  readonly bucket: Bucket;
  readonly credits: number;
  /** Milliseconds that replace the server's time limit. Null: the server's limit applies. */
  readonly ownTimeLimitMs: number | null;
  /** Repeats of one request share what they hold of the service; null: each request counts by itself. */
  readonly repeatKey: RepeatKey | null;
}

/** Of routes that no product states. */
const DEFAULT_CREDITS = 1;

const routes = new WeakMap<object, Route>();

/** Returns the same value for every request of a route. Fastify builds a new options object on each access. */
export function routeOf({ routeOptions }: FastifyRequest): Route {
  const { config, url, handlerTimeout = 0 } = routeOptions;
  const known = routes.get(config);
  if (known !== undefined) return known;
  const route: Route = {
    url: url ?? null,
    isFree: config.free === true,
    bucket: config.bucket ?? 'main',
    credits: config.credits ?? DEFAULT_CREDITS,
    ownTimeLimitMs: handlerTimeout > 0 ? handlerTimeout : null,
    repeatKey: config.repeatKey ?? null,
  };
  routes.set(config, route);
  return route;
}
