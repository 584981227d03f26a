import { join } from 'node:path';
import { LOG_FILE } from '../sql/file-names.ts';
import type { LogDatabase } from './log-database.ts';
import { MAX_LOG_QUERY_MS, openPostgresLog } from './log-postgres.ts';
import { openSqliteThread } from './sqlite-thread.ts';

/**
 * Opens the database of the request log: PostgreSQL at `url`, or SQLite in a file of its own when `url` is null.
 *
 * @param timeoutMs - The time limit for answers of PostgreSQL in milliseconds. Null for no limit.
 * @throws OperatorError when the database cannot be opened.
 *
 * @example
 * ```ts
 * import { openLogDatabase } from './open-log-database.ts';
 *
 * const log = await openLogDatabase({ url: null, folder: '.sluice' });
 * const [[one] = []] = await log.query('select $1', [1]);
 * await log.close();
 * ```
 */
export function openLogDatabase(
  { url, folder }: { url: string | null; folder: string },
  timeoutMs: number | null = MAX_LOG_QUERY_MS,
): Promise<LogDatabase> {
  return url === null ? openSqliteThread(join(folder, LOG_FILE)) : openPostgresLog({ url, timeoutMs });
}
