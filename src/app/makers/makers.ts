import type { FastifyBaseLogger } from 'fastify';
import type { Chain } from '../../chain/chain.ts';
import type { MakersConfig } from '../../config/settings/groups/makers-settings.ts';
import type { MakerControls } from '../../gateway/admin/makers/maker-endpoints.ts';
import { type GrpcServer, startGrpc } from '../../gateway/grpc/server.ts';
import { keepFills } from '../../rfq/records/recorded-fills.ts';
import { toReachableHost } from '../../gateway/http/listen.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import type { Peers } from '../../rfq/cluster/peers.ts';
import { forgetOldFills } from '../../rfq/records/fill-rows.ts';
import { recordMarketChange } from '../../platform/audit/audit.ts';
import { hashPossibleKey } from '../../platform/credentials/api-key.ts';
import type { RegisteredMaker } from '../../rfq/records/maker-registry.ts';
import { MakerCache } from '../../rfq/records/maker-cache.ts';
import { noteFills } from '../../rfq/records/noted-fills.ts';
import type { OrderLedger } from '../../swaps/ledger/order-ledger.ts';
import { keepMakerStates } from '../../rfq/records/recorded-makers.ts';
import type { PlatformDependencies } from '../../platform/dependencies.ts';
import { MakerDesk } from '../../rfq/desk/maker-desk.ts';
import { openRfq, type Rfq } from '../../rfq/index.ts';
import { createMakerMeters } from '../../rfq/makers/maker-meters.ts';
import { addMakerMetrics, addMakerStreams } from '../../rfq/metrics.ts';
import { repeatEvery, SYSTEM_TIMERS, type Timers } from '../../common/ports/timers.ts';
import type { Prices } from '../../market/prices/prices.ts';
import { readStatusChanges } from './status-changes.ts';
import { type OpenWebhooks, openWebhooks } from './webhooks.ts';
import { runOneByOne } from '../../common/work/run-one-by-one.ts';
import type { HealthCheck } from '../../common/ports/health-check.ts';

export interface OpenMakersOptions {
  readonly config: MakersConfig;
  /** Whether the webhooks of makers may be at private addresses. */
  readonly allowsPrivate: boolean;
  readonly chain: Chain;
  readonly prices: Prices;
  readonly platform: PlatformDependencies;
  readonly metrics: Metrics;
  /** Notes the fills of makers. */
  readonly ledger: OrderLedger;
  readonly logger: FastifyBaseLogger;
  /** Null when there are no other instances. */
  readonly peers: Pick<Peers, 'owners' | 'requests' | 'broadcast'> | null;
  /** Measures the deadlines of makers. */
  readonly deadlines: Timers;
}

/** The room rfq, joined with the database, the gRPC server and the other instances. */
export interface OpenMakers {
  readonly rfq: Rfq;
  readonly webhooks: OpenWebhooks;
  /** Finds the maker that a key was issued to, enabled or not; null if there is none. */
  readonly findByKey: (key: string) => RegisteredMaker | null;
  /** What makers and the operator read of one maker. */
  readonly desk: MakerDesk;
  /** For the admin interface. */
  readonly controls: MakerControls;
  /**
   * Starts the gRPC server.
   * @throws OperatorError when the port or the certificate cannot be used
   */
  readonly serve: () => Promise<{ readonly url: string; readonly unhealthy: HealthCheck }>;
  readonly close: () => Promise<void>;
}

/** How often changes that were made through other instances are read. */
const REFRESH_MS = 5_000;

export async function openMakers(options: OpenMakersOptions): Promise<OpenMakers> {
  const { config, chain, prices, platform, metrics, ledger, logger, peers, deadlines } = options;
  const { store } = platform;
  const onDefect = (where: string, error: unknown) =>
    logger.error({ where, err: error }, "the makers' side failed");
  const meters = createMakerMeters(metrics);
  await forgetOldFills(store, Date.now());
  const rfq = await openRfq({
    chain,
    timers: SYSTEM_TIMERS,
    deadlines,
    breaker: config.breaker,
    dollarsPerAtom: (mint) => prices.dollarsPerAtom(mint),
    refreshMakers: () => refresh(),
    peers,
    store: keepMakerStates(store, recordMarketChange),
    records: noteFills(
      keepFills(store, Date.now, (error) => onDefect('the record of a fill', error)),
      ledger,
    ),
    unhealthy: store.unhealthy,
    metrics,
    meters,
    stopwatch: () => performance.now(),
    onDefect,
  });
  const webhooks = await openWebhooks({
    store,
    sealer: platform.sealer,
    recordChange: recordMarketChange,
    quoteMs: config.webhooks.quoteMs,
    allowsPrivate: options.allowsPrivate,
    deadlines,
    metrics,
    meters,
    trades: rfq.trades,
    ledger,
    dollarsPerAtom: (mint) => prices.dollarsPerAtom(mint),
    onDefect,
  });
  addMakerMetrics(
    metrics,
    { makers: rfq.makers, owners: rfq.owners, ownBooks: rfq.ownBooks, webhooks: webhooks.makers },
    { now: SYSTEM_TIMERS.now, windowMs: config.breaker.windowMs },
  );
  addMakerStreams(metrics, rfq);
  const desk = new MakerDesk({
    clusterMakers: rfq.clusterMakers,
    books: rfq.allBooks,
    reserved: rfq.reserved,
    liquidity: rfq.liquidity,
    webhooks: webhooks.makers,
    breaker: config.breaker,
    readChanges: (makerId, since, most) => readStatusChanges(platform, makerId, since, most),
    now: SYSTEM_TIMERS.now,
  });
  const cache = new MakerCache(store, (key) => hashPossibleKey(platform.hashKey, key));
  const refresh = runOneByOne(async () => {
    const { records, rotated, removed } = await cache.refresh();
    rfq.removeMakers(removed);
    rfq.setRecords(records);
    for (const id of rotated)
      rfq.endStreams(id, 'UNAUTHENTICATED', 'the key of this stream was replaced by another');
    await webhooks.makers.refresh();
  });
  await refresh();
  const refreshAll = async () => {
    await refresh();
    // A maker without streams has no owner, so any instance may have counted its orders and volume.
    if (peers !== null) await rfq.makers.reload(webhooks.makers.all().map(({ record }) => record.makerId));
  };
  let server: GrpcServer | null = null;
  const stopRefreshing = repeatEvery(REFRESH_MS, () => {
    refreshAll().catch((error: unknown) => onDefect('makers', error));
  });
  return {
    rfq,
    webhooks,
    findByKey: (key) => cache.find(key),
    desk,
    controls: {
      platform,
      desk,
      makers: rfq.makers,
      clusterMakers: rfq.clusterMakers,
      webhooks: webhooks.makers,
      books: rfq.allBooks,
      allowsPrivate: options.allowsPrivate,
      refresh,
    },
    serve: async () => {
      const started = await startGrpc({
        rfq,
        findMaker: (key) => {
          const record = cache.find(key);
          return record === null ? null : rfq.makers.get(record.id);
        },
        listen: { host: config.host, port: config.port, setting: 'grpc-port' },
        tls: config.tls,
        now: Date.now,
        stopwatch: () => performance.now(),
        every: repeatEvery,
        onDefect: (error) => onDefect('grpc', error),
      });
      const scheme = config.tls === null ? 'http' : 'https';
      server = started;
      return {
        url: `${scheme}://${toReachableHost(config.host)}:${started.port}`,
        unhealthy: started.unhealthy,
      };
    },
    close: async () => {
      stopRefreshing();
      rfq.endAllStreams();
      await server?.close();
      await webhooks.makers.close();
      await rfq.close();
    },
  };
}
