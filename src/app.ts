import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { tracedChain } from './chain/traced-chain.ts';
import type { Config } from './config/config.ts';
import { isLoopbackHost } from './config/loopback.ts';
import { openBackup } from './data-folder/backup/write-backup.ts';
import { openDataFolder } from './data-folder/data-folder.ts';
import { keepDemoApiKey } from './data-folder/demo-files.ts';
import { keepKeySecret } from './data-folder/key-secret.ts';
import { backupParts, keepOperator, tlsOf } from './app/front-door.ts';
import { createAdminServer } from './gateway/admin/server.ts';
import { createGateway } from './gateway/gateway.ts';
import type { Part } from './gateway/health.ts';
import { countryFinder } from './gateway/pipeline/country.ts';
import { listen } from './gateway/listen.ts';
import { addInstanceMetrics } from './gateway/metrics/instance.ts';
import { type Prometheus, prometheus } from './gateway/metrics/prometheus.ts';
import { createMetricsServer } from './gateway/metrics/server.ts';
import { limiterOver } from './gateway/pipeline/shared-limiter.ts';
import { closeServer } from './gateway/server.ts';
import { stopping } from './gateway/stopping.ts';
import type { Telemetry } from './gateway/tracing/open-telemetry.ts';
import { packageVersion } from './package.ts';
import { openDemoMaker } from './app/demo-maker.ts';
import { openFills } from './app/fills.ts';
import { openMakerChecks } from './app/maker-checks.ts';
import { openMakers } from './app/makers.ts';
import { openMarket } from './app/market.ts';
import { openNetwork, type Place } from './app/network.ts';
import { openOthers } from './app/others.ts';
import { openSponsor } from './app/sponsor.ts';
import { openSwap } from './app/swap.ts';
import { newApiKey } from './platform/api-key.ts';
import { openCountryDatabase } from './platform/firewall/country.ts';
import { openPlatform, type Platform } from './platform/index.ts';
import { openLog } from './platform/traffic/open.ts';
import { TrafficLog } from './platform/traffic/traffic-log.ts';
import { openStore, type Store } from './store/index.ts';
import { openShared } from './store/shared/index.ts';
import { address } from './solana/address.ts';
import { WRAPPED_SOL_MINT } from './solana/programs.ts';
import { takeFromElsewhere } from './swap/execute.ts';
import { resumeFills } from './swap/fill-execution.ts';
import { registerSwap } from './swap/routes.ts';
import { SYSTEM_TIMERS } from './ports/timers.ts';

export interface RunningApp {
  readonly urls: {
    readonly rest: string;
    readonly admin: string;
    /** For market makers. */
    readonly grpc: string;
    /** Null: on the admin port only. */
    readonly metrics: string | null;
  };
  readonly network: Place;
  /** Null with production. */
  readonly demoKey: { readonly key: string; readonly path: string } | null;
  /** Query of a first swap to try, but for the taker. */
  readonly swap: Readonly<Record<'inputMint' | 'outputMint' | 'amount', string>>;
  /** Where the admin interface's credential is kept; null: it is a setting. */
  readonly operatorCredentialFile: string | null;
  /** Closes the rooms in the reverse of the order in which they were opened. */
  readonly close: () => Promise<void>;
}

/** Something open that must be closed again. */
type Close = () => Promise<void> | void;

/**
 * Opens the rooms from the ground up and joins them: data folder, network, market, products, gateway.
 * @throws OperatorError when something outside the program is wrong: the folder, a file, a port
 */
export async function startApp(config: Config, logger: FastifyBaseLogger): Promise<RunningApp> {
  const opened: Close[] = [];
  const close = async () => {
    for (const one of opened.splice(0).reverse()) await one();
  };
  try {
    return { ...(await openRooms(config, logger, (one) => opened.push(one))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openRooms(
  config: Config,
  logger: FastifyBaseLogger,
  toClose: (close: Close) => void,
): Promise<Omit<RunningApp, 'close'>> {
  const folder = await openDataFolder(config.dataDir, config.ephemeral);
  toClose(folder.close);
  const demoKey = config.production ? null : keepDemoApiKey(folder.path, () => newApiKey(config.keyPrefix));
  const store = await openStore({ url: config.databaseUrl, folder: folder.path });
  toClose(() => store.close());
  const logDatabase = await openLog({ url: config.databaseUrl, folder: folder.path }, Date.now());
  toClose(() => logDatabase.close());
  const keySecret = config.keySecret ?? keepKeySecret(folder.path, newKeySecret);
  const valkey = await openShared({
    url: config.valkeyUrl,
    secret: keySecret,
    random: Math.random,
    onChange: (lost) =>
      lost === null ? logger.info('Valkey answers again') : logger.error({ reason: lost }, 'Valkey is lost'),
  });
  toClose(() => valkey?.close());
  const platform = await openKeys(config, store, keySecret, demoKey?.key ?? null, logger);
  toClose(() => platform.close());
  const telemetry = await openTraces(config);
  toClose(() => telemetry?.close());
  const tracing = telemetry?.tracing ?? null;
  const network = await openNetwork(config, folder.path, logger);
  const chain = tracing === null ? network.chain : tracedChain(network.chain, tracing);
  toClose(() => chain.close());
  const market = await openMarket({ ...network, chain }, logger);
  toClose(market.close);
  const parts: Part[] = [
    { name: 'database', unhealthy: store.unhealthy },
    ...network.parts,
    { name: 'market', unhealthy: () => market.parts.pools.unhealthy() },
  ];
  if (valkey !== null)
    parts.push({
      name: 'valkey',
      unhealthy: valkey.unhealthy,
      ...(config.limits === 'fail-open' ? { optional: true } : {}),
    });
  const prom = prometheus((error) => logger.error({ err: error }, 'a metric cannot be read'));
  const { metrics } = prom;
  const { keys } = platform.parts;
  addInstanceMetrics(metrics, { parts, chain, pools: market.parts.pools, keys, now: Date.now });
  const limiter = limiterOver(valkey, config.limits, metrics);
  const log = await TrafficLog.open({
    database: logDatabase,
    days: config.logDays,
    now: Date.now,
    every,
    metrics,
    onDefect: (error) =>
      logger.error({ err: error }, 'the request log cannot be written; it waits in memory'),
  });
  toClose(() => log.close());
  parts.push({ name: 'request log', unhealthy: log.database.unhealthy, optional: true });
  const others = valkey === null ? null : await openOthers(valkey, logger);
  const makers = await openMakers({
    config: config.makers,
    ...{ chain, platform: platform.parts, metrics, logger, others },
  });
  toClose(() => makers.close());
  const fills = await openFills({
    ...{ rfq: makers.rfq, chain, store, metrics, logger },
    timers: SYSTEM_TIMERS,
  });
  toClose(fills.close);
  const makerChecks = openMakerChecks({
    ...{ rfq: makers.rfq, fills, chain: network.embedded, timers: SYSTEM_TIMERS, logger },
  });
  toClose(() => makerChecks?.close());
  const sponsor = openSponsor(config.sponsor, {
    own: network.sponsor,
    store,
    timers: SYSTEM_TIMERS,
    onDefect: (error) =>
      logger.error({ err: error }, 'the database does not answer; nothing is sponsored meanwhile'),
  });
  const swap = openSwap(market.parts, { shared: others, metrics, makers: fills, sponsor }, logger);
  if (others !== null) await takeFromElsewhere(swap, others.relay);
  resumeFills(swap).catch((error: unknown) =>
    logger.error({ err: error }, 'swaps with makers of before the start could not be looked at'),
  );
  const operator = keepOperator(config, folder.path);
  const adminServer = await createAdminServer({
    logger,
    parts,
    network: network.embedded,
    platform: { parts: platform.parts, limiter, traffic: log },
    makers: makers.controls,
    ...(makerChecks === null ? {} : { makerChecks }),
    production: config.production,
    credential: operator.credential,
    exposed: !isLoopbackHost(config.adminHost),
    bounds: config.transport.bounds,
    tls: tlsOf(config.transport.adminTls, every, logger),
    backup: () => openBackup(backupParts(config, folder.path, { store, log: log.database })),
    metrics: prom,
  });
  toClose(() => closeServer(adminServer));
  const admin = await listen(adminServer, {
    host: config.adminHost,
    port: config.adminPort,
    setting: 'admin-port',
  });
  const metricsUrl = await serveMetrics(config, prom, logger, toClose);
  const leaving = stopping({
    delayMs: config.stopDelayMs,
    longestMs: config.stopTimeoutMs,
    settled: () => swap.orders.settled(),
    timers: SYSTEM_TIMERS,
  });
  const gateway = await createGateway({
    logger,
    pipeline: {
      findKey: (key, now) => platform.parts.keys.find(key, now),
      limiter,
      countryOf: countryFinder({
        header: config.countryHeader,
        database: config.countryDatabase === null ? null : openCountryDatabase(config.countryDatabase),
        trustedProxies: config.trustedProxies,
      }),
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
    tracing,
    trustedProxies: config.trustedProxies,
    bounds: config.transport.bounds,
    tls: tlsOf(config.transport.tls, every, logger),
    parts,
    metrics,
    examples: {
      ...FIRST_SWAP,
      ...(network.place.kind === 'embedded' ? { taker: network.place.wallet } : {}),
    },
    registerProducts: (app) => {
      registerSwap(app, swap);
    },
  });
  toClose(() => leaving.stop(gateway));
  const grpc = await makers.serve();
  parts.push({ name: 'grpc', unhealthy: grpc.unhealthy });
  const rest = await listen(gateway, { host: config.host, port: config.restPort, setting: 'rest-port' });
  if (network.demoMaker !== null && config.makers.demo && !config.production && config.makers.tls === null) {
    const { refresh } = makers.controls;
    toClose(
      await openDemoMaker({
        ...{
          folder: folder.path,
          wallet: network.demoMaker,
          platform: platform.parts,
          grpcUrl: grpc.url,
          refresh,
          pools: market.parts.pools,
        },
        keyPrefix: config.keyPrefix,
        onDefect: (error) => logger.error({ err: error }, 'the demo maker cannot be started'),
      }),
    );
  }
  return {
    urls: { rest, admin, grpc: grpc.url, metrics: metricsUrl },
    ...{ network: network.place, demoKey, swap: FIRST_SWAP, operatorCredentialFile: operator.path },
  };
}

/** Null, and nothing loaded, where no receiver is named. */
async function openTraces({ otlpEndpoint, traceShare }: Config): Promise<Telemetry | null> {
  if (otlpEndpoint === null) return null;
  const { openTelemetry } = await import('./gateway/tracing/open-telemetry.ts');
  return openTelemetry({ endpoint: otlpEndpoint, share: traceShare, version: packageVersion() });
}

/** Resolves to null when the admin port is where they are read. */
async function serveMetrics(
  { metricsAddress }: Config,
  metrics: Prometheus,
  logger: FastifyBaseLogger,
  toClose: (close: Close) => void,
): Promise<string | null> {
  if (metricsAddress === null) return null;
  const server = await createMetricsServer(logger, metrics);
  toClose(() => closeServer(server));
  return listen(server, { ...metricsAddress, setting: 'metrics-address' });
}

function every(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(work, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

function openKeys(
  config: Config,
  store: Store,
  keySecret: string,
  demoKey: string | null,
  logger: FastifyBaseLogger,
): Promise<Platform> {
  return openPlatform({
    store,
    keySecret,
    keyPrefix: config.keyPrefix,
    memberTokenMs: config.memberTokenMs,
    demoKey,
    now: Date.now,
    every,
    onDefect: (error) => logger.error({ err: error }, 'the database does not answer; keys are as they were'),
  });
}

const KEY_SECRET_BYTES = 32;
const newKeySecret = () => randomBytes(KEY_SECRET_BYTES).toString('hex');
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const TENTH_OF_A_SOL = '100000000';
const FIRST_SWAP = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: TENTH_OF_A_SOL };
