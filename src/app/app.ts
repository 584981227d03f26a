import type { FastifyBaseLogger } from 'fastify';
import { openHouse } from './market/house.ts';
import { openLowerRooms } from './lower-rooms.ts';
import { openProcessObservation } from './observation.ts';
import { openServers, type RunningServers } from './servers.ts';
import { openMakerRooms } from './makers/maker-rooms.ts';
import { openLandingReports, openOrderLedger, openRequestLog } from './state/records.ts';
import type { StartRecord } from './state/start-record.ts';
import { openInOrder, type StartContext } from './state/start-context.ts';
import { openOperation } from './operation.ts';
import { openProducts } from './products.ts';
import { openAppSponsor } from './sponsor.ts';
import { createSwapEngines } from './swap-engines.ts';
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
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';

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
  const landingReports = openLandingReports(opening, state, market.chain.genesisHash);
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
