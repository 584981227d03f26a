import type { FastifyRequest } from 'fastify';
import type { Caller } from './pipeline/caller.ts';
import type { FirewallRecord } from './pipeline/firewall.ts';
import type { Verdict } from './pipeline/sliding-log.ts';
import { type Route, routeOf } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until somebody asks by `passageOf`. */
    passage: Passage | null;
  }
}

/** What the steps of the gateway find out about one request, each for those after it. */
export class Passage {
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
  leave: (() => void) | null = null;
  /** Whether those who ask for its end were told. */
  hasEnded = false;

  constructor(route: Route, ip: string) {
    this.route = route;
    this.ip = ip;
  }
}

/**
 * Made once for a request, when it comes: one thing that Fastify has to put on it, in place of one for each step. Later
 * its connection may be closed, and has no address then.
 */
export function passageOf(request: FastifyRequest): Passage {
  request.passage ??= new Passage(routeOf(request), request.ip ?? '');
  return request.passage;
}

/** Gives back what the request holds, once: whoever calls it later finds nothing held. */
export function leave(passage: Passage): void {
  passage.leave?.();
  passage.leave = null;
}
