import { SYSTEM_TIMERS, type Timers } from '../../common/ports/timers.ts';
import type { LogDatabase } from '../../store/log/log-database.ts';
import { migrateLog } from '../../store/log/log-migrate.ts';
import { openTestLog, type STORES } from '../store/test-store.ts';
import { TEST_LOG_MIGRATIONS } from '../store/test-tables.ts';
import { listDays } from '../../platform/traffic/log/log-tables.ts';
import { LandingReports, type LandingReportsOptions } from '../../transactions/reports/landing-reports.ts';

export interface TestReports {
  readonly database: LogDatabase;
  /** Opens reports over the same database. Another network or other options may be given. */
  readonly open: (options?: Partial<LandingReportsOptions>) => LandingReports;
  /** Closes the database and opens it again. */
  readonly reopen: () => Promise<LogDatabase>;
  readonly cleanUp: () => Promise<void>;
}

/** Opens an empty database for reports. A defect is thrown. */
export async function openTestReports(
  kind: (typeof STORES)[number] = 'sqlite',
  timers: Timers = SYSTEM_TIMERS,
): Promise<TestReports> {
  const test = await openTestLog(kind);
  await migrateLog(test.log, TEST_LOG_MIGRATIONS, { at: 0, listDays: listDays(kind) });
  return {
    database: test.log,
    open: (options = {}) =>
      new LandingReports({
        database: test.log,
        network: 'network',
        timers,
        onDefect: (error) => {
          throw error;
        },
        ...options,
      }),
    reopen: test.reopen,
    cleanUp: test.cleanUp,
  };
}
