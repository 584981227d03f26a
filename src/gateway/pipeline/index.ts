import type { FastifyInstance } from 'fastify';
import { answerCors } from './cors.ts';
import { addCaller, type FindKey } from './caller.ts';
import type { CountryOf } from './country.ts';
import { addFirewall } from './firewall.ts';
import { addOverload, type Overload } from './overload.ts';
import { addPermission } from './permission.ts';
import { addRateLimit } from './rate-limit.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { addRecord, type RecordRequest } from './record.ts';

export interface PipelineParts {
  readonly findKey: FindKey;
  readonly limiter: RateLimiter;
  readonly countryOf: CountryOf;
  /** Sites whose pages may call; default, or null: every site's. */
  readonly corsOrigins?: readonly string[] | null;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Default: nobody keeps a log. */
  readonly record?: RecordRequest;
  /** Default: as many at once as come. */
  readonly overload?: Overload;
}

/**
 * The steps that every public request passes before its handler, in this order; the request's id comes before all, and
 * a place is taken last, when the request has come whole.
 */
export function addPipeline(app: FastifyInstance, parts: PipelineParts): void {
  const { findKey, limiter, countryOf, now } = parts;
  app.addHook('onRequest', (request, reply, done) => {
    if (!answerCors(request, reply, parts.corsOrigins)) done();
  });
  addCaller(app, findKey, now);
  addPermission(app);
  addFirewall(app, { limiter, countryOf, now });
  addRateLimit(app, limiter, now);
  if (parts.overload !== undefined) addOverload(app, parts.overload);
  if (parts.record !== undefined) addRecord(app, parts.record, now);
}
