import { join } from 'node:path';
import { LOG_FILE } from '../../store/sql/file-names.ts';
import type { LogDatabase } from '../../store/log/log-database.ts';
import { openLogDatabase } from '../../store/log/open-log-database.ts';
import { migrateLog } from '../../store/log/log-migrate.ts';
import { tryAgainWhenTransient } from '../../store/postgres/try-again.ts';
import { unusable } from '../../store/sql/sql.ts';
import { LOG_MIGRATIONS } from './log/log-migrations.ts';
import { listDays } from './log/log-tables.ts';

/**
 * Opens the database of the request log and its counts, and migrates it to the newest tables: PostgreSQL at `url`, or
 * a file of its own in the folder.
 * @param at - Unix milliseconds.
 * @param onRetry - Called before PostgreSQL is migrated again because it did not answer, with the reason.
 * @throws OperatorError when the database cannot be opened, or is newer than this program
 */
export async function openLog(
  place: { readonly url: string | null; readonly folder: string },
  at: number,
  onRetry: (reason: string) => void = () => undefined,
): Promise<LogDatabase> {
  const database = await openLogDatabase(place);
  try {
    const options = { at, listDays: listDays(database.kind) };
    await tryAgainWhenTransient(() => migrateLog(database, LOG_MIGRATIONS, options), { onRetry });
    return database;
  } catch (error) {
    await database.close().catch(() => undefined);
    const { url, folder } = place;
    throw unusable(url === null ? join(folder, LOG_FILE) : 'the database of database-url', error);
  }
}
