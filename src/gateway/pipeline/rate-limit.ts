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

/** Counts each request towards its caller's bucket, and answers 429 beyond the limit. Free routes are not counted. */
export function addRateLimit(app: FastifyInstance, limiter: RateLimiter, now: () => number): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { caller, route } = requestContextOf(request);
    if (caller === null || route.isFree) {
      done();
      return;
    }
    const { bucket } = route;
    const verdict = limiter.hit(caller.subject, bucket, caller.limits[bucket], now());
    if (!(verdict instanceof Promise)) apply(verdict, limiter, request, reply, done);
    else verdict.then((later) => apply(later, limiter, request, reply, done), done);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const { verdict } = requestContextOf(request);
    if (verdict !== null && (reply.statusCode === 200 || reply.statusCode === 429))
      addHeaders(verdict, reply);
    done(null, payload);
  });
}

function apply(
  verdict: Verdict,
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  const context = requestContextOf(request);
  context.verdict = verdict;
  if (verdict.admitted) {
    done();
    return;
  }
  // Otherwise requests that the plan refuses, of which a caller can send any number, would fill the windows of rules.
  if (context.countedByRule !== null) limiter.takeBack(context.countedByRule, 'rule');
  sendGatewayError(reply, 429, '[API Gateway] Too many requests');
}

function addHeaders({ current, limit, freesAt }: Verdict, reply: FastifyReply): void {
  reply.header('x-ratelimit-remaining', limit - current);
  reply.header('x-ratelimit-current', current);
  reply.header('x-ratelimit-reset', Math.ceil(freesAt / 1_000));
}
