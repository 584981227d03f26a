import type { FastifyRequest } from 'fastify';
import type { Caller } from './caller.ts';
import type { FirewallRecord } from './firewall.ts';
import type { Verdict } from '../limits/sliding-log.ts';
import { type Route, routeOf } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until somebody asks by `requestContextOf`. */
    requestContext: RequestContext | null;
  }
}

/** What the steps of the gateway find out about one request, each for those after it. */
export class RequestContext {
  readonly route: Route;
  /** The client's address; empty where its connection was gone before anybody asked. */
  readonly ip: string;
  /** Null until the step that looks at the key, and on the admin server always. */
  caller: Caller | null = null;
  /** Null where no rule matched. */
  firewall: FirewallRecord | null = null;
  /** Null where nothing is counted. */
  verdict: Verdict | null = null;
  /** Milliseconds after which the handler began, and after which it answered; negative: not yet. */
  passedAfter = -1;
  answeredAfter = -1;
  /** Gives back what the request holds, once it is answered or its client has left; null while it holds nothing. */
  release: (() => void) | null = null;
  /** Whether the handler of a request whose work goes on without its client has begun, and has not ended. */
  isWorking = false;
  /** Whether the request keeps what it holds until that work has ended, also when its client leaves; null: it does not. */
  isKeptByWork: (() => boolean) | null = null;
  /** Whether those who ask for its end were told. */
  hasFinished = false;

  constructor(route: Route, ip: string) {
    this.route = route;
    this.ip = ip;
  }
}

/**
 * Made once for a request, when it comes: one thing that Fastify has to put on it, in place of one for each step. Later
 * its connection may be closed, and has no address then.
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
