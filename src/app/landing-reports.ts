import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import { LandingReports } from '../transactions/reports/landing-reports.ts';
import type { Market } from './market/market.ts';
import type { StartContext } from './state/start-context.ts';
import type { AppState } from './state/state.ts';

/** Keeps the reports about landed transactions, until the application is closed. */
export function openLandingReports(
  { logger, toClose }: Pick<StartContext, 'logger' | 'toClose'>,
  { logDatabase }: Pick<AppState, 'logDatabase'>,
  { chain }: Pick<Market, 'chain'>,
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
