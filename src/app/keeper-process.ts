import type { FastifyBaseLogger } from 'fastify';
import { SYSTEM_TIMERS, waitWithin } from '../common/ports/timers.ts';
import type { Config } from '../config/config.ts';
import { listen } from '../gateway/http/listen.ts';
import type { Prometheus } from '../gateway/metrics/prometheus.ts';
import { createMetricsServer, type ServedHealth } from '../gateway/metrics-server.ts';
import { closeServer } from '../gateway/server/server.ts';
import { openLowerRooms } from './lower-rooms.ts';
import { openProcessObservation } from './observation.ts';
import type { NetworkLocation } from './state/network.ts';
import { openInOrder, type StartContext } from './state/start-context.ts';
import { openAppGasWallet } from './gas-wallet.ts';
import { openAppInvites } from './invites.ts';
import { openAppForecasts } from './forecasts.ts';
import { openAppGraduator, openAppLaunches } from './launches.ts';
import { openLaunchKeys } from './studio.ts';
import { openAppPredictions } from './prediction.ts';
import { openAppProgramKeeper } from './program-orders.ts';
import { openAppOrders } from './waiting-orders.ts';

/** A process that fills orders that wait, and serves no product. */
export interface RunningKeeper {
  /** Path of the data folder. */
  readonly folder: string;
  readonly network: NetworkLocation;
  /** Where metrics and health checks are served; null if they are not. */
  readonly metrics: string | null;
  /** Ends the process: it begins nothing more, and waits for the fills that are on their way. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the rooms that fill orders: what an instance has without its products, makers and gateway.
 * @throws OperatorError when something outside the program is wrong, such as the folder, the database or the port
 */
export function startKeeper(config: Config, logger: FastifyBaseLogger): Promise<RunningKeeper> {
  // Leases are in the database, so that keepers work while Valkey does not.
  const alone = { ...config, valkeyUrl: null, valkeySentinels: [] };
  return openInOrder((toClose) => openKeeper({ config: alone, logger, toClose }));
}

async function openKeeper(opening: StartContext): Promise<Omit<RunningKeeper, 'close'>> {
  const { config, toClose } = opening;
  const address = config.metricsAddress;
  const ports = address === null || address.port === 0 ? [] : [{ ...address, setting: 'metrics-address' }];
  const lower = await openLowerRooms(opening, ports);
  const { state, network } = lower;
  const { readiness, prometheus } = openProcessObservation(opening, lower);
  const { metrics: observed } = prometheus;
  const gasWallet = await openAppGasWallet(opening, lower, { metrics: observed, isKeeper: true });
  const orders = await openAppOrders(opening, lower, { metrics: observed, isKeeper: true, gasWallet });
  const keeper = await openAppProgramKeeper(opening, lower, { metrics: observed, gasWallet });
  const invites = await openAppInvites(opening, lower, { metrics: observed, gasWallet });
  readiness.push({ name: 'keeper', unhealthy: orders.unhealthy });
  readiness.push({ name: 'program orders', unhealthy: keeper.unhealthy, optional: true });
  readiness.push({ name: 'invites', unhealthy: invites.unhealthy, optional: true });
  const launches = await openAppLaunches(opening, lower, {
    metrics: observed,
    isOwnLaunch: openLaunchKeys(state).isStudioLaunch,
  });
  const graduator = openAppGraduator(opening, lower, { metrics: observed, launches, gasWallet });
  if (graduator !== null) {
    readiness.push({
      name: 'launches',
      unhealthy: graduator.unhealthy,
      optional: true,
      runbook: 'runbooks#sluicelauncheswait',
    });
  }
  const forecasts = await openAppForecasts(opening, lower, { metrics: observed, isKeeper: true });
  if (forecasts !== null) {
    readiness.push({ name: 'forecasts', unhealthy: forecasts.unhealthy, optional: true });
  }
  const predictions = await openAppPredictions(opening, lower, {
    metrics: observed,
    isKeeper: true,
    forecasts,
  });
  if (predictions !== null) {
    readiness.push({ name: 'predictions', unhealthy: predictions.unhealthy, optional: true });
  }
  let isStopping = false;
  const metrics = await serveMetrics(opening, prometheus, { readiness, isStopping: () => isStopping });
  toClose(async () => {
    isStopping = true;
    const drained = Promise.all([orders.drain(), keeper.drain(), invites.drain()]);
    await waitWithin(drained, config.stopTimeoutMs, SYSTEM_TIMERS);
  });
  return { folder: state.folder, network: network.place, metrics };
}

async function serveMetrics(
  { config: { metricsAddress, transport }, logger, toClose }: StartContext,
  metrics: Prometheus,
  health: ServedHealth,
): Promise<string | null> {
  if (metricsAddress === null) return null;
  const server = await createMetricsServer(logger, metrics, transport.bounds, health);
  toClose(() => closeServer(server));
  return listen(server, { ...metricsAddress, setting: 'metrics-address' });
}
