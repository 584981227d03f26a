import type { FastifyBaseLogger } from 'fastify';
import type { Chain } from '../chain/chain.ts';
import type { MakersConfig } from '../config/settings/makers-settings.ts';
import type { MakerControls } from '../gateway/admin/maker-routes.ts';
import { type GrpcServer, startGrpc } from '../gateway/grpc/server.ts';
import { recallReservations } from './fills.ts';
import { reachable } from '../gateway/http/listen.ts';
import type { Metrics } from '../common/ports/metrics.ts';
import type { Peers } from './peers.ts';
import { MakerCache } from '../platform/makers/maker-cache.ts';
import { acquireMakerState, loadMakerStates, saveMakerStates } from '../platform/makers/maker-states.ts';
import type { PlatformDependencies } from '../platform/dependencies.ts';
import { openRfq, type Rfq } from '../rfq/index.ts';
import type { MakerStore, StoredMaker } from '../rfq/makers/maker.ts';
import { addMakerMetrics } from '../rfq/metrics.ts';
import { every, SYSTEM_TIMERS } from '../common/ports/timers.ts';
import type { Store } from '../store/index.ts';

export interface OpenMakersOptions {
  readonly config: MakersConfig;
  readonly chain: Chain;
  readonly platform: PlatformDependencies;
  readonly metrics: Metrics;
  readonly logger: FastifyBaseLogger;
  /** Null where there are no other instances. */
  readonly others: Pick<Peers, 'homes' | 'instances' | 'broadcast'> | null;
}

/** The makers' side of the market with everything that it stands on. */
export interface OpenMakers {
  readonly rfq: Rfq;
  /** For the operator's interface. */
  readonly controls: MakerControls;
  /** Lets makers connect. @throws OperatorError when the port or the certificate cannot be used */
  readonly serve: () => Promise<{ readonly url: string; readonly unhealthy: () => string | null }>;
  readonly close: () => Promise<void>;
}

/** Remembers makers in the database. */
export function makerStoreOver(store: Store): MakerStore {
  return {
    load: () => loadMakerStates<StoredMaker['statistics']>(store),
    read: async (id) => (await loadMakerStates<StoredMaker['statistics']>(store, id))[0] ?? null,
    acquire: (fresh) => acquireMakerState(store, fresh),
    save: (makers, transitions) => saveMakerStates(store, makers, transitions),
  };
}

/** What the operator changes through another process is seen this often. */
const REFRESH_MS = 5_000;

export async function openMakers(options: OpenMakersOptions): Promise<OpenMakers> {
  const { config, chain, platform, metrics, logger, others } = options;
  const { store } = platform;
  const onDefect = (where: string, error: unknown) =>
    logger.error({ where, err: error }, "the makers' side has a defect");
  const rfq = await openRfq({
    chain,
    timers: SYSTEM_TIMERS,
    breaker: config.breaker,
    ...(others === null
      ? {}
      : {
          others,
          recall: (makerId, reservations) =>
            recallReservations(makerId, store, reservations, chain.clock().unixTimestamp),
        }),
    stopwatch: () => performance.now(),
    store: makerStoreOver(store),
    onDefect,
  });
  addMakerMetrics(metrics, rfq, { now: Date.now, windowMs: config.breaker.windowMs });
  const cache = new MakerCache(store, platform.hashKey);
  const refresh = async () => {
    const { records, rotated } = await cache.refresh();
    rfq.take(records);
    for (const id of rotated)
      rfq.endStreams(id, 'UNAUTHENTICATED', 'the key of this stream was replaced by another');
  };
  await refresh();
  let server: GrpcServer | null = null;
  const stopRefreshing = every(REFRESH_MS, () => {
    refresh().catch((error: unknown) => onDefect('makers', error));
  });
  return {
    rfq,
    controls: { platform, makers: rfq.makers, everywhere: rfq.everywhere, refresh },
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
        every,
        onDefect: (error) => onDefect('grpc', error),
      });
      const scheme = config.tls === null ? 'http' : 'https';
      server = started;
      return { url: `${scheme}://${reachable(config.host)}:${started.port}`, unhealthy: started.unhealthy };
    },
    close: async () => {
      stopRefreshing();
      rfq.endAllStreams();
      await server?.close();
      await rfq.close();
    },
  };
}
