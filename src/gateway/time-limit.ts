import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendGatewayError } from './errors.ts';
import { routeOf } from './route.ts';

export interface TimeLimit {
  /** Milliseconds from the first byte of a request that its answer may take. */
  readonly limitMs: number;
  /** Calls `work` now and then, which is how late beyond the limit an answer may be; returns the way to stop. */
  readonly every: (work: () => void) => () => void;
}

/**
 * Answers 503 in place of a handler that takes too long; a route may have a limit of its own, which Fastify keeps. Here
 * one look serves all requests under way: a timer and a signal for each cost as much as several of the other steps.
 */
export function addTimeLimit(app: FastifyInstance, { limitMs, every }: TimeLimit): void {
  /** In the order in which they came, as maps keep it, so that the oldest is the first. */
  const underWay = new Map<ServerResponse, FastifyReply>();
  function leave(this: ServerResponse): void {
    underWay.delete(this);
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (!routeOf(request).hasOwnTimeLimit) {
      underWay.set(reply.raw, reply);
      reply.raw.on('close', leave);
    }
    done();
  });
  const stop = every(() => {
    for (const [raw, reply] of underWay) {
      if (reply.elapsedTime < limitMs) return;
      underWay.delete(raw);
      if (!reply.sent) endLate(reply);
    }
  });
  app.addHook('onClose', async () => stop());
}

/** An answer that has begun cannot become another. */
function endLate(reply: FastifyReply): void {
  if (reply.raw.headersSent) reply.raw.destroy();
  else sendGatewayError(reply, 503, 'The request took too long');
}
