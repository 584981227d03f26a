import { createOutageLog } from '../../common/outage-log.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import { SYSTEM_TIMERS, waitWithin } from '../../common/ports/timers.ts';
import type { TrafficLog } from '../../platform/traffic/log/traffic-log.ts';
import { openTrafficLog } from '../../platform/traffic/open.ts';
import { OrderLedger } from '../../swaps/ledger/order-ledger.ts';
import { LandingReports } from '../../transactions/reports/landing-reports.ts';
import type { StartContext } from './start-context.ts';
import type { AppState } from './state.ts';

/** How long the last write of the ledger may take. */
const LAST_WRITE_MS = 5_000;

/** Keeps the request log, until the application is closed. */
export async function openRequestLog(
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
export function openOrderLedger(
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

/**
 * Keeps the reports about landed transactions, until the application is closed.
 * @param network - The hash of the genesis of the network on which they land.
 */
export function openLandingReports(
  { logger, toClose }: StartContext,
  { logDatabase }: AppState,
  network: string,
): LandingReports {
  const reports = new LandingReports({
    database: logDatabase,
    network,
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
