import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { createGateway } from '../gateway/gateway.ts';
import type { ExtraPorts } from '../gateway/http/extra-ports.ts';
import { createKeylessLimits } from '../gateway/pipeline/request/caller.ts';
import { createAsnFinder, createCountryFinder } from '../gateway/pipeline/request/country.ts';
import type { PortalOptions } from '../gateway/portal/portal.ts';
import type { RateLimiter } from '../gateway/limits/rate-limiter.ts';
import type { RequestFaults } from '../gateway/pipeline/request-faults.ts';
import { createStopping } from '../gateway/server/stopping.ts';
import type { KnownKey } from '../platform/callers/key-cache.ts';
import type { Limits } from '../platform/plans/plans.ts';
import { openCountryDatabase, openNetworkDatabase } from '../platform/firewall/address-databases.ts';
import type { TrafficLog } from '../platform/traffic/log/traffic-log.ts';
import type { Metrics } from '../common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import type { Tracing } from '../common/ports/tracing.ts';
import type { ReadinessCheck, RunningProduct } from '../products/product.ts';
import { collectFormValues } from '../products/example-requests.ts';
import { findDemoWallet, type OpenedNetwork } from './state/network.ts';
import type { StartContext } from './state/start-context.ts';
import type { AppState } from './state/state.ts';
import { createTlsOptions } from '../gateway/http/tls.ts';

export interface GatewayDependencies {
  readonly readiness: readonly ReadinessCheck[];
  readonly network: Pick<OpenedNetwork, 'place'>;
  /** Null if the portal is turned off. */
  readonly portal: PortalOptions | null;
  readonly limiter: RateLimiter;
  readonly log: TrafficLog;
  /** Finds the maker that a key was issued to; null if there is none. */
  readonly findMaker: (key: string) => { readonly id: string } | null;
  readonly products: readonly RunningProduct[];
  /** Null when requests are not traced. */
  readonly tracing: Tracing | null;
  readonly metrics: Metrics;
  readonly extraPorts: ExtraPorts;
  /** Null in production and over an outside RPC. */
  readonly requestFaults: RequestFaults | null;
}

/** Returns the public server, ready to listen. Closing it first waits for requests and executions in flight. */
export async function openGateway(
  { config, logger, toClose }: StartContext,
  { platform }: AppState,
  {
    readiness,
    network,
    portal,
    limiter,
    log,
    findMaker,
    products,
    tracing,
    metrics,
    extraPorts,
    requestFaults,
  }: GatewayDependencies,
): Promise<FastifyInstance> {
  const shutdown = createStopping({
    delayMs: config.stopDelayMs,
    graceMs: config.stopTimeoutMs,
    settled: async () => {
      await Promise.all(products.map(({ drain }) => drain()));
    },
    timers: SYSTEM_TIMERS,
  });
  const demoWallet = findDemoWallet(network.place);
  const gateway = await createGateway({
    logger,
    readiness,
    metrics,
    tracing,
    pipeline: {
      findKey: (key, now) => platform.keys.find(key, now) ?? findMakerKey(findMaker(key), products),
      keyless: createKeylessLimits(
        { main: config.keylessLimit, local: config.keylessLocalLimit },
        () => platform.keys.planLimits,
      ),
      limiter,
      countryOf: openCountryFinder(config),
      asnOf: openAsnFinder(config),
      corsOrigins: config.transport.corsOrigins,
      record: (entry) => log.record(entry),
      now: Date.now,
      overload: {
        maxInside: config.maxRequests,
        maxWaiting: config.maxWaitingRequests,
        after: SYSTEM_TIMERS.after,
        metrics,
      },
      ...(requestFaults === null ? {} : { faults: { requests: requestFaults, timers: SYSTEM_TIMERS } }),
    },
    streams: { maxStreams: config.maxEventStreams },
    isStopping: shutdown.hasBegun,
    trustedProxies: config.trustedProxies,
    bounds: config.transport.bounds,
    tls: createTlsOptions(config.transport.tls, logger),
    extraPorts,
    examples: { values: collectFormValues(products, demoWallet), wallet: demoWallet },
    products,
    portal,
    namesUnknownParameters: !config.production,
  });
  toClose(() => shutdown.stop(gateway));
  return gateway;
}

/** A maker reads its own trades now and then, and one question may read many rows. */
const MAKER_LIMITS: Limits = { main: 60, execute: 1, submit: 1 };

/**
 * Returns a maker's key in the form of a caller's key, which opens only the products for makers. No organisation has such an
 * id.
 */
function findMakerKey(
  maker: { readonly id: string } | null,
  products: readonly RunningProduct[],
): KnownKey | null {
  if (maker === null) return null;
  const id = `maker:${maker.id}`;
  return {
    id,
    name: maker.id,
    teamId: '',
    organisationId: id,
    rules: null,
    limits: MAKER_LIMITS,
    products: products.filter(({ isForMakers }) => isForMakers === true).map(({ name }) => name),
    expiresAt: null,
  };
}

function openCountryFinder({ countryHeader, countryDatabase, trustedProxies }: Config) {
  const database = countryDatabase === null ? null : openCountryDatabase(countryDatabase);
  return createCountryFinder({ header: countryHeader, database, trustedProxies });
}

function openAsnFinder({ networkDatabase }: Config) {
  return createAsnFinder(networkDatabase === null ? null : openNetworkDatabase(networkDatabase));
}
