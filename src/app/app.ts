import type { FastifyBaseLogger } from 'fastify';
import { openHouse } from './market/house.ts';
import { type LowerRooms, openLowerRooms } from './lower-rooms.ts';
import { openProcessObservation } from './observation.ts';
import { openServers, type RunningServers } from './servers.ts';
import { openMakerChecks } from '../rfq/conformance/open-maker-checks.ts';
import { openMakers } from './makers/makers.ts';
import { createOutageLog } from '../common/outage-log.ts';
import type { StartRecord } from './state/start-record.ts';
import { openInOrder, type StartContext } from './state/start-context.ts';
import { openOperation } from './operation.ts';
import { openPeers } from '../rfq/cluster/peers.ts';
import { openProducts } from './products.ts';
import { openAppSponsor } from './sponsor.ts';
import { createSwapEngines } from './swap-engines.ts';
import type { AppState } from './state/state.ts';
import { openAppGasWallet } from './gas-wallet.ts';
import { openAppInvites } from './invites.ts';
import { openAppGraduator, openAppLaunches } from './launches.ts';
import { openAppForecasts } from './forecasts.ts';
import { openAppPredictions } from './prediction.ts';
import { openAppProgramOrders } from './program-orders.ts';
import { openAppStudio, openLaunchKeys } from './studio.ts';
import { openAppOrders } from './waiting-orders.ts';
import { openTokens } from './market/tokens.ts';
import { listChosenPorts } from '../config/chosen-ports.ts';
import type { Config } from '../config/config.ts';
import { createLimiter } from '../gateway/limits/shared-limiter.ts';
import { POSITION_FETCHERS } from '../protocols/fetchers.ts';
import type { Metrics } from '../common/ports/metrics.ts';
import { createFairTimers, openRunningTime } from '../common/ports/running-time.ts';
import { SYSTEM_TIMERS, waitWithin } from '../common/ports/timers.ts';
import type { TrafficLog } from '../platform/traffic/log/traffic-log.ts';
import { openTrafficLog } from '../platform/traffic/open.ts';
import { OrderLedger } from '../swaps/ledger/order-ledger.ts';
import { LandingReports } from '../transactions/reports/landing-reports.ts';

/** How long the last write of the ledger may take. */
const LAST_WRITE_MS = 5_000;

export interface RunningApp extends RunningServers {
  /** Closes the rooms in the reverse of the order in which they were opened. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the rooms from the lowest to the highest and joins them: data folder, network, market, products, gateway.
 *
 * @param start - What the report of the settings needs. Default: the admin interface does not report them.
 * @throws OperatorError when something outside the program is wrong, such as the folder, a file or a port
 */
export function startApp(
  config: Config,
  logger: FastifyBaseLogger,
  start?: StartRecord,
): Promise<RunningApp> {
  return openInOrder((toClose) =>
    openRooms({ config, logger, toClose, ...(start === undefined ? {} : { start }) }),
  );
}

async function openRooms(opening: StartContext): Promise<RunningServers> {
  const { config, logger } = opening;
  const lower = await openLowerRooms(opening, listChosenPorts(config));
  const { state, network, market, marketData } = lower;
  const { readiness, prometheus } = openProcessObservation(opening, lower);
  const { metrics } = prometheus;
  const limiter = createLimiter(state.valkey, config.limits, metrics);
  const log = await openRequestLog(opening, state, metrics);
  // Requests are answered without the log too.
  readiness.push({
    name: 'request log',
    unhealthy: log.database.unhealthy,
    optional: true,
    runbook: 'runbooks#sluicerequestloglosing',
  });
  const ledger = openOrderLedger(opening, state, metrics);
  const { peers, makers, makerChecks } = await openMakerRooms(opening, lower, metrics, ledger);
  const { rfq, webhooks } = makers;
  const sponsor = await openAppSponsor(opening, lower, metrics);
  const launchKeys = openLaunchKeys(state);
  const launches = await openAppLaunches(opening, lower, {
    metrics,
    isOwnLaunch: launchKeys.isStudioLaunch,
  });
  const tokens = await openTokens(opening, state, { ...market, marketData, launches }, network);
  const landingReports = openLandingReports(opening, lower);
  const onDefect = (where: string, error: unknown) => logger.error({ where, err: error }, 'a product failed');
  const gasWallet = await openAppGasWallet(opening, lower, { metrics, isKeeper: config.keeper });
  const waitingOrders = await openAppOrders(opening, lower, { metrics, isKeeper: config.keeper, gasWallet });
  if (config.keeper)
    readiness.push({
      name: 'keeper',
      unhealthy: waitingOrders.unhealthy,
      optional: true,
      runbook: 'runbooks#sluicekeeperdown',
    });
  const programOrders = await openAppProgramOrders(opening, lower, { metrics, gasWallet });
  readiness.push({ name: 'program orders', unhealthy: programOrders.unhealthy, optional: true });
  const invites = await openAppInvites(opening, lower, { metrics, gasWallet });
  readiness.push({ name: 'invites', unhealthy: invites.unhealthy, optional: true });
  const graduator = openAppGraduator(opening, lower, { metrics, launches, gasWallet });
  if (graduator !== null) {
    readiness.push({
      name: 'launches',
      unhealthy: graduator.unhealthy,
      optional: true,
      runbook: 'runbooks#sluicelauncheswait',
    });
  }
  const forecasts = await openAppForecasts(opening, lower, { metrics, isKeeper: config.keeper });
  if (forecasts !== null) {
    readiness.push({ name: 'forecasts', unhealthy: forecasts.unhealthy, optional: true });
  }
  const predictions = await openAppPredictions(opening, lower, {
    metrics,
    isKeeper: config.keeper,
    forecasts,
  });
  if (predictions !== null) {
    readiness.push({ name: 'predictions', unhealthy: predictions.unhealthy, optional: true });
  }
  let servers: RunningServers | null = null;
  const products = await openProducts(opening, {
    market,
    swapEngines: createSwapEngines(market, {
      timers: SYSTEM_TIMERS,
      makers: { books: rfq.liquidity, fills: rfq.fills, trades: rfq.trades },
      webhooks,
      sponsor,
      ledger,
      onDefect,
    }),
    positionFetchers: POSITION_FETCHERS,
    landingReports,
    sendEndpoints: network.sendEndpoints,
    blockhashSlots: config.blockhashSlots,
    marketData,
    tokens: tokens.tokens,
    tokenVerification: {
      decisions: tokens.decisions,
      requests: tokens.requests,
      receiver: config.verificationWallet ?? sponsor?.keypair.address ?? null,
      sealKey: state.deriveKey('payments for the verification of tokens'),
    },
    walletTransactionsKey: state.deriveKey('transactions that wallets sign'),
    walletSignIn: {
      key: state.deriveKey('trigger sign-in'),
      challengeText: config.trigger.challengeText,
    },
    custody: lower.custody.custody,
    waitingOrders,
    programOrders,
    invites,
    studio: await openAppStudio(opening, lower, {
      metrics,
      keys: launchKeys,
      gasWallet,
      launches,
      getRestUrl: () => servers?.urls.rest ?? null,
    }),
    predictions: {
      refusedCountries: config.prediction.refusedCountries,
      markets: predictions?.markets ?? null,
    },
    ethenaVaults: network.ethenaVaults,
    collections: network.collections,
    searchesRarePositions: config.outside?.searchesRare ?? true,
    store: state.store,
    ownHistoryFrom: network.embedded === null ? null : network.embedded.historyFrom,
    peers,
    metrics,
    ledger,
    makerDesk: makers.desk,
    findMaker: makers.findByKey,
    sponsor,
    house: openHouse(config.house, sponsor, launches.find),
    onDefect,
  });
  readiness.push(...products.flatMap((product) => product.readiness));
  servers = await openServers(opening, lower, {
    readiness,
    operation: openOperation(opening, lower, { readiness, prometheus, landingReports }),
    limiter,
    log,
    makers,
    makerChecks,
    waitingOrders,
    tokens,
    predictions: predictions?.controls ?? null,
    landingReports,
    ledger,
    products,
    metrics: prometheus,
  });
  return servers;
}

async function openRequestLog(
  { config, logger, toClose }: StartContext,
  { logDatabase }: AppState,
  metrics: Metrics,
): Promise<TrafficLog> {
  const outage = createOutageLog(
    logger,
    'the request log cannot be written; its rows wait in memory',
    'the request log is written again',
  );
  const { log, close } = await openTrafficLog({
    database: logDatabase,
    days: config.logDays,
    metrics,
    onDefect: outage.onFailure,
    onAnswer: outage.onAnswer,
  });
  toClose(close);
  return log;
}

/** Keeps the ledger of orders, until the application is closed. */
function openOrderLedger(
  { config, logger, toClose }: StartContext,
  { logDatabase }: AppState,
  metrics: Metrics,
): OrderLedger {
  const ledger = new OrderLedger({
    database: logDatabase,
    days: config.logDays,
    timers: SYSTEM_TIMERS,
    metrics,
    onDefect: (error) =>
      logger.warn({ err: error }, 'the ledger of orders cannot be written; its rows wait in memory'),
  });
  toClose(() => waitWithin(ledger.close(), LAST_WRITE_MS, SYSTEM_TIMERS));
  return ledger;
}

/** Keeps the reports about landed transactions, until the application is closed. */
function openLandingReports(
  { logger, toClose }: StartContext,
  { state: { logDatabase }, market: { chain } }: LowerRooms,
): LandingReports {
  const reports = new LandingReports({
    database: logDatabase,
    network: chain.genesisHash,
    timers: SYSTEM_TIMERS,
    onDefect: (error) =>
      logger.warn(
        { err: error },
        'reports about landed transactions cannot be written; they are written later',
      ),
  });
  toClose(() => reports.close());
  return reports;
}

/** Opens the market makers' side, and the connection to the other instances on which it depends. */
async function openMakerRooms(
  { config, logger, toClose }: StartContext,
  { state, network, market }: LowerRooms,
  metrics: Metrics,
  ledger: OrderLedger,
) {
  const running = openRunningTime();
  toClose(running.stop);
  const deadlines = createFairTimers(SYSTEM_TIMERS, running);
  const { valkey } = state;
  const peers =
    valkey === null
      ? null
      : await openPeers({
          valkey,
          deadlines,
          onJoin: (instance) => logger.info({ instance }, 'joined the instances on this Valkey'),
          onDefect: (error) => logger.error({ err: error }, 'a request of another instance failed'),
        });
  const makers = await openMakers({
    config: config.makers,
    allowsPrivate: config.makers.webhooks.privateAddresses || !config.production,
    chain: market.chain,
    prices: market.prices,
    platform: state.platform,
    metrics,
    ledger,
    logger,
    peers,
    deadlines,
  });
  toClose(() => makers.close());
  const makerChecks = openMakerChecks({
    rfq: makers.rfq,
    webhooks: makers.webhooks.makers,
    allowsPrivate: makers.controls.allowsPrivate,
    chain: network.embedded,
    timers: SYSTEM_TIMERS,
    onDefect: (error) =>
      logger.error({ err: error }, 'a conformance check of a maker could not be completed'),
  });
  toClose(() => makerChecks?.close());
  return { peers, makers, makerChecks };
}
