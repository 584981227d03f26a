import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { createGateway, type GatewayParts } from '../gateway/gateway.ts';
import { countryFinder } from '../gateway/pipeline/country.ts';
import type { RateLimiter } from '../gateway/limits/rate-limiter.ts';
import { stopping } from '../gateway/server/stopping.ts';
import { openCountryDatabase } from '../platform/firewall/country.ts';
import type { TrafficLog } from '../platform/traffic/traffic-log.ts';
import type { Metrics } from '../common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import type { Tracing } from '../common/ports/tracing.ts';
import type { RunningProduct } from '../products/product.ts';
import type { Network } from './network.ts';
import type { StartContext } from './opening.ts';
import type { State } from './state.ts';
import { tlsOf } from './tls.ts';

/** What the front door opens to. */
export interface GatewayDependencies {
  readonly parts: GatewayParts['parts'];
  readonly network: Pick<Network, 'place'>;
  readonly limiter: RateLimiter;
  readonly log: TrafficLog;
  readonly products: readonly RunningProduct[];
  /** Null: requests are not traced. */
  readonly tracing: Tracing | null;
  readonly metrics: Metrics;
  /** What the documentation's forms are filled in with, but for the taker. */
  readonly firstSwap: GatewayParts['examples'];
}

/** The public front door, ready to listen. When it is closed, it first lets end what it has begun. */
export async function openGateway(
  { config, logger, toClose }: StartContext,
  { platform }: State,
  { parts, network, limiter, log, products, tracing, metrics, firstSwap }: GatewayDependencies,
): Promise<FastifyInstance> {
  const leaving = stopping({
    delayMs: config.stopDelayMs,
    longestMs: config.stopTimeoutMs,
    settled: async () => {
      await Promise.all(products.map(({ drain }) => drain()));
    },
    timers: SYSTEM_TIMERS,
  });
  const gateway = await createGateway({
    logger,
    parts,
    metrics,
    tracing,
    pipeline: {
      findKey: (key, now) => platform.keys.find(key, now),
      limiter,
      countryOf: countryOf(config),
      corsOrigins: config.transport.corsOrigins,
      record: (entry) => log.record(entry),
      now: Date.now,
      overload: {
        most: config.maxRequests,
        mostWaiting: config.maxWaitingRequests,
        after: SYSTEM_TIMERS.after,
        metrics,
      },
    },
    isStopping: leaving.hasBegun,
    trustedProxies: config.trustedProxies,
    bounds: config.transport.bounds,
    tls: tlsOf(config.transport.tls, logger),
    examples: {
      ...firstSwap,
      ...(network.place.kind === 'embedded' ? { taker: network.place.wallet } : {}),
    },
    products,
  });
  toClose(() => leaving.stop(gateway));
  return gateway;
}

function countryOf({ countryHeader, countryDatabase, trustedProxies }: Config) {
  const database = countryDatabase === null ? null : openCountryDatabase(countryDatabase);
  return countryFinder({ header: countryHeader, database, trustedProxies });
}
