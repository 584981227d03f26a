import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { connectionOf } from '../../common/collections/connections.ts';
import { onResponseFinished } from '../../common/on-response-finished.ts';
import { sendGatewayError } from '../http/errors.ts';
import { release, releaseUnlessWorking, requestContextOf } from './request-context.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Called once for every request, in this order: when its answer is out, or its client has gone before. */
    readonly requestFinishedListeners: RequestFinishedListener[];
  }
}

/** `status` is that of the answer, or `CLIENT_CLOSED_REQUEST` if the client left before it had one. */
export type RequestFinishedListener = (request: FastifyRequest, reply: FastifyReply, status: number) => void;

/** The status that proxies log for a client that closed its connection before it had an answer. */
export const CLIENT_CLOSED_REQUEST = 499;

export interface TimeLimit {
  /** Milliseconds that an answer may take, counted from the first byte of its request. */
  readonly limitMs: number;
  /**
   * Calls `work` at an interval, by which an answer may be late beyond the limit.
   * @returns a function that stops the calls
   */
  readonly every: (work: () => void) => () => void;
}

/** One request in flight, linked to the request that came before it and to the one that came after it. */
interface InFlightRequest {
  readonly reply: FastifyReply | null;
  before: InFlightRequest;
  after: InFlightRequest;
}

/**
 * Knows the requests under way. Their handlers are answered for with 503 when they take too long; a route may have a
 * limit of its own, which Fastify keeps. One look serves all of them: a timer and a signal for each cost as much as
 * several of the other steps. When one is answered, or its client has gone, it leaves what it held, and those who
 * asked are told.
 */
export function addInFlightRequests(app: FastifyInstance, { limitMs, every }: TimeLimit): void {
  const ring = newRing();
  const requestFinishedListeners: RequestFinishedListener[] = [];
  app.decorate('requestFinishedListeners', requestFinishedListeners);
  app.addHook('onRequest', (request, reply, done) => {
    // An earlier request ended the connection, so nobody waits for the answer and nothing is begun.
    if (request.raw.httpVersionMajor === 1 && request.raw.socket.destroyed) return;
    const context = requestContextOf(request);
    const { ownTimeLimitMs } = context.route;
    const connection = connectionOf(request.raw.socket);
    connection.requests++;
    const entry = ownTimeLimitMs === null ? addLast(ring, reply) : null;
    if (ownTimeLimitMs !== null) bearSilence(request, ownTimeLimitMs + limitMs);
    onRequestFinished(request, reply, () => {
      if (entry !== null) remove(entry);
      releaseUnlessWorking(context);
      if (context.hasFinished) return;
      context.hasFinished = true;
      connection.requests--;
      const status = reply.raw.writableEnded ? reply.statusCode : CLIENT_CLOSED_REQUEST;
      for (const tell of requestFinishedListeners) tell(request, reply, status);
    });
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const context = requestContextOf(request);
    context.answeredAfter = reply.elapsedTime;
    // The work is done. The client may take any time to read the answer, so nothing is held until it has.
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

/** Calls `ended` when the answer is out or the client has gone. It may be called twice. */
export function onRequestFinished({ raw }: FastifyRequest, reply: FastifyReply, ended: () => void): void {
  if (raw.httpVersionMajor === 1) onResponseFinished(reply.raw, raw.socket, ended);
  else reply.raw.on('close', ended);
}

/**
 * A connection on which nothing comes or goes is cut off, however long a route may take otherwise. Where a request is
 * injected there is none.
 */
function bearSilence({ raw }: FastifyRequest, milliseconds: number): void {
  if ('setTimeout' in raw) raw.setTimeout(milliseconds);
}

/** Returns an empty ring: one entry without a reply, between the newest and the oldest request. */
function newRing(): InFlightRequest {
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

/** Answers with 503, or closes the connection if an answer has begun: it cannot become another. */
function endLate(reply: FastifyReply): void {
  if (reply.raw.headersSent) reply.raw.destroy();
  else sendGatewayError(reply, 503, 'The request took too long');
}
