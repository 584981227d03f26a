import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Bucket } from '../../platform/plans/plans.ts';
import { sendGatewayError } from '../http/errors.ts';
import { requestContextOf } from './request-context.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { routePath } from './route-path.ts';
import type { Verdict } from '../limits/sliding-log.ts';

export const RATE_LIMIT_HEADERS = [
  'x-ratelimit-remaining',
  'x-ratelimit-current',
  'x-ratelimit-reset',
] as const;

const EXECUTE_PATH = '/swap/v2/execute';

/** What a request counts towards. */
export function bucketOf(request: FastifyRequest): Bucket {
  return routePath(request) === EXECUTE_PATH ? 'execute' : 'main';
}

/** Counts every request that comes this far, and refuses what is beyond the limit of the caller's bucket. */
export function addRateLimit(app: FastifyInstance, limiter: RateLimiter, now: () => number): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { caller, route } = requestContextOf(request);
    if (caller === null || route.isFree) {
      done();
      return;
    }
    const bucket = bucketOf(request);
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
