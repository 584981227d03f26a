import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendGatewayError } from '../http/errors.ts';
import { getRequestContext } from './request/request-context.ts';
import { addStep, waitUntil } from './request/step.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { RateLimitVerdict } from '../limits/sliding-log.ts';

export const RATE_LIMIT_HEADERS = [
  'x-ratelimit-remaining',
  'x-ratelimit-current',
  'x-ratelimit-reset',
] as const;

const TOO_MANY_REQUESTS = 429;

/**
 * Counts each request towards its caller's bucket, and answers 429 beyond the limit. Free routes are not counted. Every 429,
 * of whichever step or handler, says when to try again.
 */
export function addRateLimit(app: FastifyInstance, limiter: RateLimiter, now: () => number): void {
  addStep(app, 'onRequest', (request, reply) => {
    const { caller, route } = getRequestContext(request);
    if (caller === null || route.isFree) return true;
    const { bucket } = route;
    const verdict = limiter.hit(caller.subject, bucket, caller.limits[bucket], now());
    if (!(verdict instanceof Promise)) return apply(verdict, limiter, request, reply);
    return waitUntil(verdict, (later) => apply(later, limiter, request, reply));
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const { verdict } = getRequestContext(request);
    const { statusCode } = reply;
    if (verdict !== null && (statusCode === 200 || statusCode === TOO_MANY_REQUESTS))
      addHeaders(verdict, reply);
    if (statusCode === TOO_MANY_REQUESTS && !reply.hasHeader('retry-after'))
      reply.header('retry-after', computeRetryAfter(verdict, now()));
    done(null, payload);
  });
}

/** Returns whether the request is admitted. */
function apply(
  verdict: RateLimitVerdict,
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const context = getRequestContext(request);
  context.verdict = verdict;
  if (verdict.admitted) return true;
  // Otherwise requests that the plan refuses, of which a caller can send any number, would fill the windows of rules.
  if (context.countedByRule !== null) limiter.takeBack(context.countedByRule, 'rule');
  sendGatewayError(reply, TOO_MANY_REQUESTS, '[API Gateway] Too many requests');
  return false;
}

/** Returns the whole seconds until the window has a place again; one if another limit than that of a window refused. */
function computeRetryAfter(verdict: RateLimitVerdict | null, now: number): number {
  if (verdict === null || verdict.admitted) return 1;
  return Math.max(1, Math.ceil((verdict.freesAt - now) / 1_000));
}

function addHeaders({ current, limit, freesAt }: RateLimitVerdict, reply: FastifyReply): void {
  reply.header('x-ratelimit-remaining', limit - current);
  reply.header('x-ratelimit-current', current);
  reply.header('x-ratelimit-reset', Math.ceil(freesAt / 1_000));
}
