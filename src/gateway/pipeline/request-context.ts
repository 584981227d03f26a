import type { FastifyRequest } from 'fastify';
import type { Caller } from './caller.ts';
import type { FirewallRecord } from './firewall.ts';
import type { Verdict } from '../limits/sliding-log.ts';
import { type Route, routeOf } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the first call of `requestContextOf`. */
    requestContext: RequestContext | null;
  }
}

/** What the steps of the gateway find out about one request, for the steps that come later. */
export class RequestContext {
  readonly route: Route;
  /** The client's address. Empty if its connection was gone before the address was read. */
  readonly ip: string;
  /** Null before `addCaller` has run, and always on the admin server. */
  caller: Caller | null = null;
  /** Null if no rule matched. */
  firewall: FirewallRecord | null = null;
  /** Null if the request is not counted. */
  verdict: Verdict | null = null;
  /** Milliseconds after which the handler began, and after which it answered. Negative: not yet. */
  passedAfter = -1;
  answeredAfter = -1;
  /** Gives back what the request holds; called when it is answered or its client has left. Null: it holds nothing. */
  release: (() => void) | null = null;
  /** Whether the handler of a request whose work goes on without its client has begun, and has not ended. */
  isWorking = false;
  /** Whether the request keeps what it holds until that work has ended, also when its client leaves; null: it does not. */
  isKeptByWork: (() => boolean) | null = null;
  /** Whether the request's finished listeners were called. */
  hasFinished = false;

  constructor(route: Route, ip: string) {
    this.route = route;
    this.ip = ip;
  }
}

/**
 * Returns the context of a request, which the first step creates. Fastify then decorates a request with one property
 * rather than one for each step, and the address is read while the connection is still open.
 */
export function requestContextOf(request: FastifyRequest): RequestContext {
  request.requestContext ??= new RequestContext(routeOf(request), request.ip ?? '');
  return request.requestContext;
}

/** Gives back what the request holds when its client has gone, unless its work goes on and nobody else holds it. */
export function releaseUnlessWorking(context: RequestContext): void {
  if (!(context.isWorking && context.isKeptByWork?.() === true)) release(context);
}

/** Gives back what the request holds. A second call finds nothing held and does nothing. */
export function release(context: RequestContext): void {
  context.release?.();
  context.release = null;
}
