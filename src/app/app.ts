import type { FastifyBaseLogger } from 'fastify';
import { openAdmin } from './admin.ts';
import { type CompleteRequest, firstExample } from './examples/example-requests.ts';
import { openDemoMaker } from './examples/demo-maker.ts';
import { openDemoWebhookMaker } from './examples/demo-webhook-maker.ts';
import { openGateway } from './gateway.ts';
import { openHouse } from './market/house.ts';
import { openLiquidator } from './examples/liquidator.ts';
import { openLandingReports } from './landing-reports.ts';
import { openMakerChecks } from './makers/maker-checks.ts';
import { openMakers } from './makers/makers.ts';
import { openMarket } from './market/market.ts';
import { openMarketData } from './market/market-data.ts';
import { openTracing, openTraffic, serveMetrics } from './measurement.ts';
import { demoWalletOf, type Network, openNetwork, type Place, solanaUrlsOf } from './network.ts';
import type { Close, StartContext } from './opening.ts';
import { openPeers } from './peers.ts';
import { PriceFollower } from './market/price-follower.ts';
import { LANDING_PATH, openProducts } from './products.ts';
import { openSponsor } from './sponsor.ts';
import { openState, type State } from './state.ts';
import { openTokens } from './market/tokens.ts';
import { tracedChain } from '../chain/traced-chain.ts';
import type { Config } from '../config/config.ts';
import { keepInstanceUrls } from '../data-folder/instance-file.ts';
import type { ReadinessCheck } from '../products/product.ts';
import { ExtraPorts } from '../gateway/http/extra-ports.ts';
import { listen } from '../gateway/http/listen.ts';
import { noRequestFaults } from '../gateway/pipeline/request-faults.ts';
import { packageVersion } from '../common/package.ts';
import { addInstanceMetrics } from '../gateway/metrics/instance.ts';
import { prometheus } from '../gateway/metrics/prometheus.ts';
import { limiterOver } from '../gateway/limits/shared-limiter.ts';
import type { Pools } from '../market/pools/pools.ts';
import { fairTimers, openRunningTime } from '../common/ports/running-time.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import type { Sponsor } from '../transactions/sponsor/sponsor.ts';

export interface RunningApp {
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
  };
  readonly network: Place;
  /** Null in production. */
  readonly demoKey: { readonly key: string; readonly path: string } | null;
  /** A first request to try; null when no product has one. */
  readonly example: CompleteRequest | null;
  /** The file that holds the operator's credential; null when the credential is a setting. */
  readonly operatorCredentialFile: string | null;
  /** Closes the rooms in the reverse of the order in which they were opened. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the rooms from the lowest to the highest and joins them: data folder, network, market, products, gateway.
 * @throws OperatorError when something outside the program is wrong, such as the folder, a file or a port
 */
export async function startApp(config: Config, logger: FastifyBaseLogger): Promise<RunningApp> {
  const opened: Close[] = [];
  const close = async () => {
    for (const one of opened.splice(0).reverse()) await one();
  };
  try {
    return { ...(await openRooms({ config, logger, toClose: (one) => opened.push(one) })), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openRooms(opening: StartContext): Promise<Omit<RunningApp, 'close'>> {
  const { config, logger, toClose } = opening;
  const state = await openState(opening);
  const tracing = await openTracing(opening);
  const network = await openNetwork(config, state.folder, logger);
  const chain = tracing === null ? network.chain : tracedChain(network.chain, tracing);
  toClose(() => chain.close());
  toClose(() => {
    for (const endpoint of network.sendEndpoints) endpoint.close();
  });
  const market = await openMarket({ chain, lookupTables: network.lookupTables });
  toClose(market.close);
  const marketData = await openMarketData(market, state, logger);
  toClose(() => marketData.close());
  const { pools } = market;
  const readiness = readinessChecksOf(config, state, network, pools);
  const prom = prometheus((error) => logger.error({ err: error }, 'a metric could not be collected'));
  const { metrics } = prom;
  addInstanceMetrics(metrics, {
    readiness,
    chain,
    pools,
    keys: state.platform.keys,
    versions: { sluice: packageVersion(), node: process.versions.node },
    now: Date.now,
  });
  const limiter = limiterOver(state.valkey, config.limits, metrics);
  const { log, part } = await openTraffic(opening, state, metrics);
  readiness.push(part);
  const running = openRunningTime();
  toClose(running.stop);
  const deadlines = fairTimers(SYSTEM_TIMERS, running);
  const peers = state.valkey === null ? null : await openPeers(state.valkey, logger, deadlines);
  const makers = await openMakers({
    config: config.makers,
    allowsPrivate: config.makers.webhooks.privateAddresses || !config.production,
    chain,
    prices: market.prices,
    platform: state.platform,
    metrics,
    logger,
    peers,
    deadlines,
  });
  toClose(() => makers.close());
  const { rfq } = makers;
  const makerChecks = openMakerChecks({
    rfq,
    webhooks: makers.webhooks.makers,
    allowsPrivate: makers.controls.allowsPrivate,
    chain: network.embedded,
    timers: SYSTEM_TIMERS,
    logger,
  });
  toClose(() => makerChecks?.close());
  const sponsor = sponsorOf(opening, state, network);
  const tokens = await openTokens(opening, state, { ...market, marketData }, network);
  const landingReports = openLandingReports(opening, state, market);
  const products = await openProducts(opening, {
    market,
    landingReports,
    sendEndpoints: network.sendEndpoints,
    marketData,
    tokens: tokens.tokens,
    tokenVerification: {
      decisions: tokens.decisions,
      requests: tokens.requests,
      receiver: config.verificationWallet ?? sponsor?.keypair.address ?? null,
      sealKey: state.deriveKey('payments for the verification of tokens'),
    },
    walletTransactionsKey: state.deriveKey('transactions that wallets sign'),
    ethenaVaults: network.ethenaVaults,
    searchesRarePositions: config.outside?.searchesRare ?? true,
    store: state.store,
    ownHistoryFrom: network.embedded === null ? null : network.embedded.historyFrom,
    peers,
    metrics,
    makers: { books: rfq.liquidity, fills: rfq.fills, trades: rfq.trades },
    webhooks: makers.webhooks,
    sponsor,
    house: openHouse(config.house, sponsor),
    logDebug: (values, message) => logger.debug(values, message),
    onDefect: (where, error) => logger.error({ where, err: error }, 'a product failed'),
  });
  readiness.push(...products.flatMap((product) => product.readiness));
  const watched = { readiness, network, limiter, log };
  const follower = openPriceFollower(opening, network, pools);
  const requestFaults = network.embedded === null ? null : noRequestFaults();
  const admin = await openAdmin(opening, state, {
    ...watched,
    requestFaults,
    follower,
    makers,
    makerChecks,
    tokens,
    landingReports,
    metrics: prom,
  });
  const metricsUrl = await serveMetrics(opening, prom);
  const extraPorts = new ExtraPorts();
  const gateway = await openGateway(opening, state, {
    ...watched,
    requestFaults: config.production ? null : requestFaults,
    products,
    tracing,
    metrics,
    extraPorts,
  });
  const grpc = await makers.serve();
  readiness.push({ name: 'grpc', unhealthy: grpc.unhealthy });
  const rest = await listen(gateway, { host: config.host, port: config.restPort, setting: 'rest-port' });
  const landing =
    config.landingAddress === null
      ? null
      : await extraPorts.listen(gateway, {
          ...config.landingAddress,
          setting: 'landing-address',
          path: LANDING_PATH,
        });
  const demo = { state, network, pools, grpcUrl: grpc.url, refresh: makers.controls.refresh };
  await openDemoMaker(opening, demo);
  openDemoWebhookMaker(opening, demo);
  const apiKey = state.demoKey?.key ?? null;
  openLiquidator(opening, { folder: state.folder, network, restUrl: rest, apiKey });
  const { rpc, ws } = solanaUrlsOf(network.place);
  toClose(keepInstanceUrls(state.folder, { rest, admin: admin.url, grpc: grpc.url, rpc, ws }));
  return {
    folder: state.folder,
    urls: { rest, admin: admin.url, grpc: grpc.url, metrics: metricsUrl, landing },
    network: network.place,
    demoKey: state.demoKey,
    example: firstExample(products, demoWalletOf(network.place)),
    operatorCredentialFile: admin.credentialFile,
  };
}

function openPriceFollower(
  { logger, toClose }: StartContext,
  { embedded, arbitrageur }: Network,
  pools: Pools,
): PriceFollower | null {
  if (embedded === null || arbitrageur === null) return null;
  const follower = new PriceFollower({
    chain: embedded,
    pools,
    trader: arbitrageur,
    timers: SYSTEM_TIMERS,
    onDefect: (error) => logger.error({ err: error }, 'the pools could not follow a price'),
  });
  toClose(() => follower.stop());
  return follower;
}

/** @returns what `/readyz` checks; an optional part is shown, and does not make the instance unready */
function readinessChecksOf(
  config: Config,
  { store, valkey }: State,
  network: Network,
  pools: Pools,
): ReadinessCheck[] {
  const readiness: ReadinessCheck[] = [
    { name: 'database', unhealthy: store.unhealthy },
    ...network.readiness,
    { name: 'market', unhealthy: () => pools.unhealthy() },
  ];
  if (valkey === null) return readiness;
  const part: ReadinessCheck = { name: 'valkey', unhealthy: valkey.unhealthy };
  return [...readiness, config.limits === 'fail-open' ? { ...part, optional: true } : part];
}

function sponsorOf({ config, logger }: StartContext, { store }: State, network: Network): Sponsor | null {
  return openSponsor(config.sponsor, {
    own: network.sponsor,
    store,
    timers: SYSTEM_TIMERS,
    onDefect: (error) =>
      logger.error({ err: error }, 'the database does not answer; nothing is sponsored until it does'),
  });
}
