import { join } from 'node:path';
import type { Metrics } from '../../common/ports/metrics.ts';
import { repeatEvery, SYSTEM_TIMERS, waitWithin } from '../../common/ports/timers.ts';
import { LOG_FILE } from '../../store/sql/file-names.ts';
import type { LogDatabase } from '../../store/log/log-database.ts';
import { openLogDatabase } from '../../store/log/open-log-database.ts';
import { type LogMigration, migrateLog } from '../../store/log/log-migrate.ts';
import { tryAgainWhenTransient } from '../../store/postgres/try-again.ts';
import { toUnusableDatabase } from '../../store/sql/sql.ts';
import { listDays } from './log/log-tables.ts';
import { TrafficLog } from './log/traffic-log.ts';

/** How long the last write of the request log may take. */
const LAST_WRITE_MS = 5_000;

/**
 * Opens the database of the request log and its counts, and migrates it to the newest tables: PostgreSQL at `url`, or
 * a file of its own in the folder.
 * @param migrations - All migrations of this database, oldest first, as `joinMigrations` returns them.
 * @param at - Unix milliseconds.
 * @param onRetry - Called before PostgreSQL is migrated again because it did not answer, with the reason.
 * @throws OperatorError when the database cannot be opened, or is newer than this program
 */
export async function openLog(
  place: { readonly url: string | null; readonly folder: string },
  migrations: readonly LogMigration[],
  at: number,
  onRetry: (reason: string) => void = () => undefined,
): Promise<LogDatabase> {
  const database = await openLogDatabase(place);
  try {
    const options = { at, listDays: listDays(database.kind) };
    await tryAgainWhenTransient(() => migrateLog(database, migrations, options), { onRetry });
    return database;
  } catch (error) {
    await database.close().catch(() => undefined);
    const { url, folder } = place;
    throw toUnusableDatabase(url === null ? join(folder, LOG_FILE) : 'the database of database-url', error);
  }
}

export interface OpenTrafficLogOptions {
  readonly database: LogDatabase;
  /** How many days the log and its counts are kept. */
  readonly days: number;
  readonly metrics: Metrics;
  /** Called for each failure to write. */
  readonly onDefect: (error: unknown) => void;
  /** Called when the database takes rows again. */
  readonly onAnswer: () => void;
}

/**
 * Opens the request log on its database.
 * Returns the log, and a function that writes what still waits. A database that does not answer must not keep the
 * process from ending; rows that still wait are lost then.
 */
export async function openTrafficLog({
  database,
  days,
  metrics,
  onDefect,
  onAnswer,
}: OpenTrafficLogOptions): Promise<{ readonly log: TrafficLog; readonly close: () => Promise<void> }> {
  const log = await TrafficLog.open({
    database,
    days,
    now: Date.now,
    every: repeatEvery,
    metrics,
    onDefect,
    onAnswer,
  });
  return { log, close: () => waitWithin(log.close(), LAST_WRITE_MS, SYSTEM_TIMERS) };
}
