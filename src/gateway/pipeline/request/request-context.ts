import type { FastifyRequest } from 'fastify';
import type { Party } from '../../../common/party.ts';
import { createUnaccountedWork, type Work } from '../../../common/work/work.ts';
import { toClientNetwork } from './client-network.ts';
import type { EntryOrder, FIREWALL_OUTCOMES } from '../../../platform/traffic/log/request-entry.ts';
import type { Caller } from './caller.ts';
import type { RateLimitSubject } from '../../limits/rate-limiter.ts';
import type { RequestWork } from '../../limits/work-shares.ts';
import type { RateLimitVerdict } from '../../limits/sliding-log.ts';
import { type MatchedRoute, getRoute } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the first call of `getRequestContext`. */
    requestContext: RequestContext | null;
    /** Who sent the request, as endpoints see it. */
    readonly caller: Party;
    /** The work that the handler does for the request. */
    readonly work: Work;
    /** Notes the order that the request gives out or executes, for the request log. */
    readonly noteOrder: (order: EntryOrder) => void;
    /** Begins work of its own for each event of a stream. */
    readonly beginWork: () => Work;
  }
}

/** The firewall's decision on a request: `allow` means that it was within a rule's rate limit, `limit` that it exceeded it. */
export type FirewallOutcome = (typeof FIREWALL_OUTCOMES)[number];

/** The firewall's decision, as the request log records it. */
export interface FirewallRecord {
  readonly outcome: FirewallOutcome;
  /** The name of the rule that decided. */
  readonly rule: string;
  /** The names of all rules that matched, including that one. */
  readonly matched: readonly string[];
}

/** What the steps of the gateway find out about a request, for later steps. */
export class RequestContext {
  readonly route: MatchedRoute;
  /** The client's address. Empty if its connection was gone before the address was read. */
  readonly ip: string;
  /** Null before `addCaller` has run, and always on the admin server. */
  caller: Caller | null = null;
  /** Null if no rule matched. */
  firewall: FirewallRecord | null = null;
  /** What a rate limit of the firewall counted the request towards; null if none did. */
  countedByRule: RateLimitSubject | null = null;
  /** Null if the request is not counted. */
  verdict: RateLimitVerdict | null = null;
  /** Milliseconds from the start of the request until its handler began. Negative: it has not begun. */
  passedAfter = -1;
  /** Milliseconds from the start of the request until it was answered. Negative: it has not been answered. */
  answeredAfter = -1;
  /** Bytes of the JSON body that was read; 0 without one, or if the request was refused before its body was read. */
  bytesReceived = 0;
  /** The body with exact integers; undefined unless its route asks for them. */
  exactBody: unknown = undefined;
  /** Releases what the request holds. Called when it is answered or its client has left. Null: it holds nothing. */
  release: (() => void) | null = null;
  /** Whether a handler that continues without its client is running. */
  isWorking = false;
  /** Returns whether the request keeps what it holds until that handler ends, after its client left. Null: it does not. */
  isKeptByWork: (() => boolean) | null = null;
  /** Begins the work of the request. Default: nobody accounts for it. */
  beginWork: (() => RequestWork) | null = null;
  /** Null until the handler asks for it. */
  work: RequestWork | null = null;
  /** The order that the request gave out or executed; null if it is about none. */
  order: EntryOrder | null = null;
  /** Whether the request's finished listeners were called. */
  hasFinished = false;

  constructor(route: MatchedRoute, ip: string) {
    this.route = route;
    this.ip = ip;
  }
}

/**
 * Returns the context of a request, and creates it on the first call. The first step makes that call, while the
 * connection is open and the client's address can be read.
 */
export function getRequestContext(request: FastifyRequest): RequestContext {
  request.requestContext ??= new RequestContext(getRoute(request), request.ip ?? '');
  return request.requestContext;
}

/**
 * Returns who sent a request, which is whose share of places, streams, bytes and calls it counts towards. Without a key,
 * and on servers that need none, that is the client's network.
 */
export function partyOf({ caller, ip }: RequestContext): Party {
  if (caller?.key == null) return { kind: 'client', id: caller?.subject.id ?? toClientNetwork(ip) };
  return { kind: 'organisation', id: caller.key.organisationId };
}

/** `partyOf` as a property of requests. */
export function getEndpointCaller(this: FastifyRequest): Party {
  return partyOf(getRequestContext(this));
}

/** Returns what notes the order of a request. Few handlers ask for it. */
export function getOrderNoter(this: FastifyRequest): (order: EntryOrder) => void {
  const context = getRequestContext(this);
  return (order) => {
    context.order = order;
  };
}

/** Returns the work of a request. Most handlers never ask for it. */
export function getWork(this: FastifyRequest): Work {
  const context = getRequestContext(this);
  context.work ??= createRequestWork(context);
  return context.work;
}

/** What is begun last ends with the request: a stream has one event at a time. */
export function getWorkStarter(this: FastifyRequest): () => Work {
  const context = getRequestContext(this);
  return () => {
    const work = createRequestWork(context);
    if (context.hasFinished) work.end();
    context.work = work;
    return work;
  };
}

function createRequestWork({ beginWork }: RequestContext): RequestWork {
  return beginWork?.() ?? Object.assign(createUnaccountedWork(), { end: () => undefined });
}

/** Releases what the request holds when its client has left, unless its work continues and no repeat holds its place. */
export function releaseUnlessWorking(context: RequestContext): void {
  if (!(context.isWorking && context.isKeptByWork?.() === true)) release(context);
}

/** Releases what the request holds. A second call does nothing. */
export function release(context: RequestContext): void {
  context.release?.();
  context.release = null;
}
