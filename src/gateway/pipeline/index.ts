import type { FastifyInstance } from 'fastify';
import { answerCors } from '../cors.ts';
import { addCaller, type FindKey } from './caller.ts';
import type { CountryOf } from './country.ts';
import { addFirewall } from './firewall.ts';
import { addPermission } from './permission.ts';
import { addRateLimit } from './rate-limit.ts';
import type { RateLimiter } from './rate-limiter.ts';

export interface PipelineParts {
  readonly findKey: FindKey;
  readonly limiter: RateLimiter;
  readonly countryOf: CountryOf;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** The steps that every public request passes before its handler, in this order; the request's id comes before all. */
export function addPipeline(app: FastifyInstance, { findKey, limiter, countryOf, now }: PipelineParts): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!answerCors(request, reply)) done();
  });
  addCaller(app, findKey, now);
  addPermission(app);
  addFirewall(app, { limiter, countryOf, now });
  addRateLimit(app, limiter, now);
}
