import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../../common/ports/metrics.ts';
import type { Tracing } from '../../common/ports/tracing.ts';
import type { ProductDescription } from '../../products/product.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { addRequestMetrics } from '../metrics/requests.ts';
import { addAnswerLog } from '../pipeline/answer-log.ts';
import { KEYLESS_LIMITS } from '../../platform/plans/plans.ts';
import { addCaller, type FindKey, type KeylessLimits } from '../pipeline/request/caller.ts';
import { addCors } from '../pipeline/cors.ts';
import type { AsnOf, CountryOf } from '../pipeline/request/country.ts';
import { addFirewall } from '../pipeline/firewall.ts';
import { addInFlightRequests, type TimeLimit } from '../pipeline/in-flight-requests.ts';
import { addOverload, type Overload } from '../pipeline/overload.ts';
import { addRequestFaults, type RequestFaults } from '../pipeline/request-faults.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { addPermission } from '../pipeline/request/permission.ts';
import { addRateLimit } from '../pipeline/rate-limit.ts';
import { addRecord, type RecordRequest } from '../pipeline/record.ts';
import { getRequestContext } from '../pipeline/request/request-context.ts';
import { addRequestHead } from '../pipeline/request-head.ts';
import { addRequestTracing } from '../tracing/requests.ts';

// This file alone states the order of the gateway's steps. `docs/lifecycle.md` draws it, with what each step may refuse.
// Every request passes the common steps first. On the public server it then passes the public ones.

export interface CommonSteps {
  readonly timeLimit: TimeLimit;
  /** Whether a line is logged for every answer. */
  readonly logsAnswers: boolean;
}

/** Adds the steps of every server, the admin server included. */
export function addCommonSteps(app: FastifyInstance, { timeLimit, logsAnswers }: CommonSteps): void {
  addInFlightRequests(app, timeLimit);
  addRequestHead(app);
  if (logsAnswers) addAnswerLog(app);
}

export interface PublicStepsOptions {
  readonly findKey: FindKey;
  /** Default: `KEYLESS_LIMITS` for everybody. */
  readonly keyless?: KeylessLimits;
  readonly limiter: RateLimiter;
  readonly countryOf: CountryOf;
  /** Default: the autonomous system of no address is known. */
  readonly asnOf?: AsnOf;
  /** Origins whose pages may call the gateway; null: all origins. Default: null. */
  readonly corsOrigins?: readonly string[] | null;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Default: requests are not recorded. */
  readonly record?: RecordRequest;
  /** Default: the number of requests in flight has no bound. */
  readonly overload?: Overload;
  /** Strike requests for tests of clients. Default: there are none. */
  readonly faults?: { readonly requests: RequestFaults; readonly timers: Timers };
}

export interface PublicSteps {
  /** Null: requests are not traced. */
  readonly tracing: Tracing | null;
  readonly metrics: Metrics;
  readonly pipeline: PublicStepsOptions;
  /** The registered products, by which the allow-lists of keys are read. */
  readonly products: readonly ProductDescription[];
}

/**
 * Adds the steps of the public server. The place in the gate is taken late, in `addOverload`, once the whole request has
 * arrived; `addRecord` comes last, so that the time after it is the handler's.
 */
export function addPublicSteps(
  app: FastifyInstance,
  { tracing, metrics, pipeline, products }: PublicSteps,
): void {
  const {
    findKey,
    keyless = () => KEYLESS_LIMITS,
    limiter,
    countryOf,
    asnOf = () => null,
    corsOrigins = null,
    now,
    record,
    overload,
    faults,
  } = pipeline;
  app.decorateRequest('findCountry', {
    getter(this: FastifyRequest) {
      return () => countryOf(this, getRequestContext(this).ip);
    },
  });
  if (tracing !== null) addRequestTracing(app, tracing);
  addRequestMetrics(app, metrics);
  addCors(app, corsOrigins);
  addCaller(app, findKey, keyless, now);
  addPermission(app, products);
  addFirewall(app, { limiter, countryOf, now });
  addRateLimit(app, limiter, now);
  if (faults !== undefined) addRequestFaults(app, faults.requests, faults.timers);
  if (overload !== undefined) addOverload(app, overload);
  if (record !== undefined) addRecord(app, { record, now, countryOf, asnOf });
}
