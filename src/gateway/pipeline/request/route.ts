import type { FastifyRequest } from 'fastify';
import type { AdminAction } from '../../../platform/accounts/roles.ts';
import type { Bucket } from '../../../platform/plans/plans.ts';
import type { EndpointError, EndpointExample, OtherAnswer, RepeatKey } from '../../../products/endpoint.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** What the documentation shows of a request. */
    readonly 'x-example'?: EndpointExample;
  }

  interface FastifyContextConfig {
    /** Set for health and documentation: open to every key, and not counted. */
    readonly free?: true;
    /** On a free route: the firewall's rules that name this path or one below it apply. Default: none does. */
    readonly firewallPath?: string;
    /** Whether keys that are confined to some products may use the route, which belongs to none. Default: they may not. */
    readonly belongsToNoProduct?: true;
    /** Whether only pages of this server may read answers. Default: pages of other origins may, too. */
    readonly ownOrigin?: true;
    /** Whether requests to a free route take places in the gate. Default: they do not. */
    readonly takesPlaces?: true;
    /** Whether pages of all origins may read answers, even if the operator names some. Default: they may not. */
    readonly anyOrigin?: true;
    /** The media types of bodies that the route reads. Default: `application/json`. */
    readonly bodyTypes?: readonly string[];
    /** The limit that a request counts towards, and the gate in which it takes a place. Default: `main`. */
    readonly bucket?: Bucket;
    /** Credits that an answered request costs. Default: 1. */
    readonly credits?: number;
    /** Whether pages may read answers to requests with cookies. Default: they may not. */
    readonly allowsCookies?: boolean;
    /** Whether integers of the body are kept as exact bigints, too. Default: all are rounded to doubles. */
    readonly exactIntegers?: boolean;
    /** Returns the text that repeats of one request share. Called with the body before it is validated. */
    readonly repeatKey?: RepeatKey;
    /** Returns the answer to a body that cannot be read. Called with a sentence. Default: the gateway's own refusal. */
    readonly onUnreadable?: (message: string) => OtherAnswer;
    /** Returns the body of a 500. Called with a sentence. Default: the gateway's own body. */
    readonly onDefect?: (message: string) => unknown;
    /** Returns the body of every error that the gateway answers with. Default: the gateway's own body. */
    readonly toErrorBody?: (error: EndpointError) => unknown;
    /** The right that an admin route needs; `open`: none, anybody may call. Default: the operator alone may call. */
    readonly right?: AdminAction | 'open';
  }
}

/** What the steps need to know about the matched route. */
export interface MatchedRoute {
  /** The path as it was registered; null if no route matched. */
  readonly url: string | null;
  /** Open to every key, and not counted. */
  readonly isFree: boolean;
  /** The path that rules of the firewall must name to apply to a free route; null: none applies. */
  readonly firewallPath: string | null;
  /** Whether it is open to keys that are confined to some products. */
  readonly belongsToNoProduct: boolean;
  /** Whether its requests take places in the gate. */
  readonly takesPlaces: boolean;
  readonly bucket: Bucket;
  readonly credits: number;
  /** The route's own time limit in milliseconds; null: the server's limit applies. */
  readonly ownTimeLimitMs: number | null;
  /** Requests with the same key share one place in the gate; null: each request takes its own. */
  readonly repeatKey: RepeatKey | null;
}

/** The cost of a route that states none. */
export const DEFAULT_CREDITS = 1;

const routes = new WeakMap<object, MatchedRoute>();

/** Returns the matched route: one value for all its requests, because Fastify builds new options on each access. */
export function getRoute({ routeOptions }: FastifyRequest): MatchedRoute {
  const { config, url, handlerTimeout = 0 } = routeOptions;
  const known = routes.get(config);
  if (known !== undefined) return known;
  const route: MatchedRoute = {
    url: url ?? null,
    isFree: config.free === true,
    firewallPath: config.firewallPath ?? null,
    belongsToNoProduct: config.belongsToNoProduct === true,
    takesPlaces: config.free !== true || config.takesPlaces === true,
    bucket: config.bucket ?? 'main',
    credits: config.credits ?? DEFAULT_CREDITS,
    ownTimeLimitMs: handlerTimeout > 0 ? handlerTimeout : null,
    repeatKey: config.repeatKey ?? null,
  };
  routes.set(config, route);
  return route;
}
