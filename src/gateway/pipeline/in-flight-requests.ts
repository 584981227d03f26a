import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getConnection, isFlooded } from '../../common/collections/connections.ts';
import { onResponseFinished } from '../../common/on-response-finished.ts';
import { sendGatewayError } from '../http/errors.ts';
import { release, releaseUnlessWorking, getRequestContext } from './request/request-context.ts';
import { addStep } from './request/step.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Called in this order, once for every request: when its answer is sent, or when its client leaves before that. */
    readonly requestFinishedListeners: RequestFinishedListener[];
  }
}

/** `status` is the status of the answer, or `CLIENT_CLOSED_REQUEST` if the client left before it was sent. */
export type RequestFinishedListener = (request: FastifyRequest, reply: FastifyReply, status: number) => void;

/** The status that proxies log if a client closes its connection before it has an answer. */
export const CLIENT_CLOSED_REQUEST = 499;

export interface TimeLimit {
  /** Milliseconds that an answer may take, counted from the first byte of its request. */
  readonly limitMs: number;
  /**
   * Calls `work` at an interval. An answer may exceed the limit by that interval.
   * Returns a function that stops the calls.
   */
  readonly every: (work: () => void) => () => void;
}

/** A request in flight, linked to the request before it and to the one after it. */
interface InFlightRequest {
  readonly reply: FastifyReply | null;
  before: InFlightRequest;
  after: InFlightRequest;
}

/**
 * Tracks the requests in flight. A request that takes too long is answered with 503. When a request is answered or its
 * client leaves, what it holds is released and `requestFinishedListeners` are called.
 * One interval checks all requests, oldest first: a timer and an abort signal for each would cost as much as several of
 * the other steps. Fastify enforces the time limit of a route that has its own.
 */
export function addInFlightRequests(app: FastifyInstance, { limitMs, every }: TimeLimit): void {
  const ring = createRing();
  const requestFinishedListeners: RequestFinishedListener[] = [];
  app.decorate('requestFinishedListeners', requestFinishedListeners);
  addStep(app, 'onRequest', (request, reply) => {
    const { socket, httpVersionMajor } = request.raw;
    const connection = getConnection(socket);
    if (httpVersionMajor === 1) {
      if (isFlooded(connection)) socket.destroy();
      // An earlier request on this connection may have closed it, too. There is nobody to answer.
      if (socket.destroyed) return false;
    }
    const context = getRequestContext(request);
    const { ownTimeLimitMs } = context.route;
    connection.requests++;
    const entry = ownTimeLimitMs === null ? addLast(ring, reply) : null;
    if (ownTimeLimitMs !== null) extendSilenceLimit(request, ownTimeLimitMs + limitMs);
    onRequestFinished(request, reply, () => {
      if (entry !== null) remove(entry);
      releaseUnlessWorking(context);
      if (context.hasFinished) return;
      context.hasFinished = true;
      connection.requests--;
      const status = reply.raw.writableEnded ? reply.statusCode : CLIENT_CLOSED_REQUEST;
      for (const tell of requestFinishedListeners) tell(request, reply, status);
    });
    return true;
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const context = getRequestContext(request);
    context.answeredAfter = reply.elapsedTime;
    // The work is done. The client may take any time to read the answer, so nothing is held while it does.
    release(context);
    done(null, payload);
  });
  const stop = every(() => {
    for (let oldest = ring.after; oldest.reply !== null; oldest = ring.after) {
      const { reply } = oldest;
      if (reply.elapsedTime < limitMs) return;
      remove(oldest);
      if (!reply.sent) endLate(reply);
    }
  });
  app.addHook('onClose', async () => stop());
}

/** Calls `ended` when the answer is sent or the client has left. `ended` may be called twice. */
export function onRequestFinished({ raw }: FastifyRequest, reply: FastifyReply, ended: () => void): void {
  if (raw.httpVersionMajor === 1) onResponseFinished(reply.raw, raw.socket, ended);
  else reply.raw.on('close', ended);
}

/**
 * Raises the time after which a silent connection is closed, for a route that may take longer than the server's limit.
 * An injected request has no connection.
 */
function extendSilenceLimit({ raw }: FastifyRequest, milliseconds: number): void {
  if ('setTimeout' in raw) raw.setTimeout(milliseconds);
}

/** Returns an empty ring: one entry without a reply, between the newest and the oldest request. */
function createRing(): InFlightRequest {
  const ring = { reply: null } as InFlightRequest;
  ring.before = ring;
  ring.after = ring;
  return ring;
}

function addLast(ring: InFlightRequest, reply: FastifyReply): InFlightRequest {
  const newest = ring.before;
  const entry: InFlightRequest = { reply, before: newest, after: ring };
  newest.after = entry;
  ring.before = entry;
  return entry;
}

/** Links a removed entry to itself, so that removing it again changes nothing. */
function remove(entry: InFlightRequest): void {
  entry.before.after = entry.after;
  entry.after.before = entry.before;
  entry.before = entry;
  entry.after = entry;
}

/** Answers with 503. If the answer has begun already, it cannot be replaced, so the connection is closed. */
function endLate(reply: FastifyReply): void {
  if (reply.raw.headersSent) reply.raw.destroy();
  else sendGatewayError(reply, 503, 'The request took too long');
}
