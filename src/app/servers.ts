import type { FastifyInstance } from 'fastify';
import { openAlertWatch } from './alerts.ts';
import { type AdminDependencies, openAdmin } from './admin.ts';
import { type CompleteRequest, findFirstExample } from '../products/example-requests.ts';
import type { OpenTokens } from './market/tokens.ts';
import { openDemoTraders } from './open-demo-traders.ts';
import { openGateway } from './gateway.ts';
import type { OpenMakers } from './makers/makers.ts';
import { findDemoWallet, type OpenedNetwork, type NetworkLocation, findSolanaUrls } from './state/network.ts';
import type { InForceFacts } from './settings/in-force.ts';
import type { StartContext } from './state/start-context.ts';
import { PriceFollower } from '../sandbox/price-follower.ts';
import { LANDING_PATH } from './products.ts';
import { keepInstanceUrls } from '../data-folder/instance-file.ts';
import type { Config } from '../config/config.ts';
import { isLoopbackHost } from '../config/settings/kinds/loopback.ts';
import { PublicForward } from '../gateway/admin/forward/public-forward.ts';
import type { ReadinessCheck, RunningProduct } from '../products/product.ts';
import { ExtraPorts } from '../gateway/http/extra-ports.ts';
import { listen } from '../gateway/http/listen.ts';
import { createMetricsServer } from '../gateway/metrics-server.ts';
import type { Prometheus } from '../gateway/metrics/prometheus.ts';
import { closeServer } from '../gateway/server/server.ts';
import { createRequestFaults } from '../gateway/pipeline/request-faults.ts';
import type { PortalUrls } from '../gateway/portal/portal-instance.ts';
import { PORTAL_PATH } from '../gateway/portal/portal-pages.ts';
import { createPortal, hasBuiltPortal } from './portal.ts';
import { openPortalPools } from './portal-pools.ts';
import type { Pools } from '../market/pools/pools.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import type { LowerRooms } from './lower-rooms.ts';

/** Where the ports listen, and what a user needs to know about the instance. */
export interface RunningServers {
  /** Path of the data folder. */
  readonly folder: string;
  readonly urls: {
    readonly rest: string;
    readonly admin: string;
    /** For market makers. */
    readonly grpc: string;
    /** Null: on the admin port only. */
    readonly metrics: string | null;
    /** Null: on the REST port only. */
    readonly landing: string | null;
    /** Null: it is turned off. Where it is not built, a page there says how to build it. */
    readonly portal: string | null;
  };
  /** Whether the portal's pages were there at the start. They appear without a restart when they are built. */
  readonly isPortalBuilt: boolean;
  readonly network: NetworkLocation;
  /** Null in production. */
  readonly demoKey: { readonly key: string; readonly path: string } | null;
  /** A first request to try; null when no product has one. */
  readonly example: CompleteRequest | null;
  /** Whether callers without a key are refused. */
  readonly requiresKey: boolean;
  /** The file that holds the operator's credential; null when the credential is a setting. */
  readonly operatorCredentialFile: string | null;
}

interface ServedParts
  extends Pick<
    AdminDependencies,
    | 'limiter'
    | 'log'
    | 'makerChecks'
    | 'waitingOrders'
    | 'predictions'
    | 'landingReports'
    | 'ledger'
    | 'metrics'
    | 'operation'
  > {
  readonly readiness: ReadinessCheck[];
  readonly makers: OpenMakers;
  readonly tokens: OpenTokens;
  readonly products: readonly RunningProduct[];
}

/** Opens the ports, and starts the demo traders that use them. */
export async function openServers(
  opening: StartContext,
  lower: LowerRooms,
  {
    readiness,
    operation,
    limiter,
    log,
    makers,
    makerChecks,
    waitingOrders,
    tokens,
    predictions,
    landingReports,
    ledger,
    products,
    metrics,
  }: ServedParts,
): Promise<RunningServers> {
  const { config, toClose } = opening;
  const { state, custody, tracing, network, market, marketData } = lower;
  const watched = { readiness, network, limiter, log };
  const follower = openPriceFollower(opening, network, market.pools);
  const requestFaults = network.embedded === null ? null : createRequestFaults();
  const forward = new PublicForward();
  let metricsHost = '';
  const alerts = openAlertWatch(opening, metrics, () => metricsHost);
  let listening: InForceFacts['urls'] = UNKNOWN_URLS;
  const admin = await openAdmin(opening, state, {
    ...watched,
    forward,
    requestFaults,
    follower,
    makers,
    makerChecks,
    waitingOrders,
    tokens,
    predictions,
    landingReports,
    ledger,
    marketData,
    masters: custody.masters,
    metrics,
    operation,
    alerts,
    getUrls: () => listening,
  });
  const metricsUrl = await serveMetrics(opening, metrics);
  metricsHost = new URL(metricsUrl ?? admin.url).host;
  const extraPorts = new ExtraPorts();
  let portalUrls: PortalUrls | null = null;
  const pools = config.portal
    ? await openPortalPools(opening, { market, network, tokens: tokens.tokens })
    : null;
  const gateway = await openGateway(opening, state, {
    ...watched,
    portal: createPortal(config, network, market, pools, () => portalUrls),
    requestFaults: config.production ? null : requestFaults,
    findMaker: makers.findByKey,
    products,
    tracing,
    metrics: metrics.metrics,
    extraPorts,
  });
  const grpc = await makers.serve();
  readiness.push({ name: 'grpc', unhealthy: grpc.unhealthy });
  const rest = await listen(gateway, { host: config.host, port: config.restPort, setting: 'rest-port' });
  const { rpc, ws } = findSolanaUrls(network.place);
  // Without the portal, nothing on the admin port asks for public paths.
  if (config.portal) connectForward(forward, config, gateway, products);
  portalUrls = { rest, admin: admin.url, grpc: grpc.url, rpc, ws };
  const landing =
    config.landingAddress === null
      ? null
      : await extraPorts.listen(gateway, {
          ...config.landingAddress,
          setting: 'landing-address',
          path: LANDING_PATH,
        });
  await openDemoTraders(opening, lower, {
    grpcUrl: grpc.url,
    restUrl: rest,
    refresh: makers.controls.refresh,
  });
  const urls = { rest, admin: admin.url, grpc: grpc.url, metrics: metricsUrl, landing };
  void alerts.start();
  const written = { ...urls, rpc, ws };
  listening = written;
  toClose(keepInstanceUrls(state.folder, written));
  return {
    folder: state.folder,
    urls: { ...urls, portal: config.portal ? `${rest}${PORTAL_PATH}` : null },
    isPortalBuilt: hasBuiltPortal(),
    network: network.place,
    demoKey: state.demoKey,
    example: findFirstExample(products, findDemoWallet(network.place)),
    requiresKey: config.keylessLocalLimit === 0,
    operatorCredentialFile: admin.credentialFile,
  };
}

const UNKNOWN_URLS = {
  rest: null,
  admin: null,
  grpc: null,
  landing: null,
  metrics: null,
  rpc: null,
  ws: null,
};

function connectForward(
  forward: PublicForward,
  { host, countryHeader }: Config,
  app: FastifyInstance,
  products: readonly RunningProduct[],
): void {
  const basePaths = products.flatMap((product) => product.basePaths);
  const target = { app, basePaths, exposed: !isLoopbackHost(host) };
  forward.connect(target, countryHeader === null ? [] : [countryHeader]);
}

/** Returns the URL of the metrics; null when they are served on the admin port only. */
async function serveMetrics(
  { config: { metricsAddress, transport }, logger, toClose }: StartContext,
  metrics: Prometheus,
): Promise<string | null> {
  if (metricsAddress === null) return null;
  const server = await createMetricsServer(logger, metrics, transport.bounds);
  toClose(() => closeServer(server));
  return listen(server, { ...metricsAddress, setting: 'metrics-address' });
}

/** Opens what moves the pools to the published prices. Null over an outside RPC and in production. */
function openPriceFollower(
  { config, logger, toClose }: StartContext,
  { embedded, wallets }: OpenedNetwork,
  pools: Pools,
): PriceFollower | null {
  if (embedded === null || wallets === null || config.production) return null;
  const follower = new PriceFollower({
    chain: embedded,
    pools,
    trader: wallets.arbitrageur,
    timers: SYSTEM_TIMERS,
    onDefect: (error) => logger.error({ err: error }, 'the pools could not follow a price'),
  });
  toClose(() => follower.stop());
  return follower;
}
