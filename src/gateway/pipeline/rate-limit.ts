import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendGatewayError } from '../http/errors.ts';
import { requestContextOf } from './request-context.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Verdict } from '../limits/sliding-log.ts';

export const RATE_LIMIT_HEADERS = [
  'x-ratelimit-remaining',
  'x-ratelimit-current',
  'x-ratelimit-reset',
] as const;

/** Counts every request that comes this far, and refuses what is beyond the limit of the caller's bucket. */
export function addRateLimit(app: FastifyInstance, limiter: RateLimiter, now: () => number): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { caller, route } = requestContextOf(request);
    if (caller === null || route.isFree) {
      done();
      return;
    }
    const { bucket } = route;
    const verdict = limiter.hit(caller.subject, bucket, caller.limits[bucket], now());
    if (!(verdict instanceof Promise)) apply(verdict, request, reply, done);
    else verdict.then((later) => apply(later, request, reply, done), done);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const { verdict } = requestContextOf(request);
    if (verdict !== null && (reply.statusCode === 200 || reply.statusCode === 429))
      addHeaders(verdict, reply);
    done(null, payload);
  });
}

function apply(verdict: Verdict, request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  requestContextOf(request).verdict = verdict;
  if (verdict.admitted) done();
  else sendGatewayError(reply, 429, '[API Gateway] Too many requests');
}

function addHeaders({ current, limit, freesAt }: Verdict, reply: FastifyReply): void {
  reply.header('x-ratelimit-remaining', limit - current);
  reply.header('x-ratelimit-current', current);
  reply.header('x-ratelimit-reset', Math.ceil(freesAt / 1_000));
}
