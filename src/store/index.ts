import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { migrate } from './migrate.ts';
import { MAX_QUERY_MS, openPostgres } from './postgres/postgres.ts';
import { tryAgainWhenTransient } from './postgres/try-again.ts';
import { STORE_FILE } from './sql/file-names.ts';
import { type Database, type Store, toUnusableDatabase } from './sql/sql.ts';
import type { Migration } from './schema/owned-tables.ts';
import { openSqlite } from './sqlite/sqlite.ts';

export { copySqlite } from './copy.ts';
export { LOG_FILE, STORE_FILE } from './sql/file-names.ts';
export type { Database, Store } from './sql/sql.ts';

/** An arbitrary number that no other program uses for an advisory lock on the same database. */
const MIGRATION_LOCK = 7_308_604_897;

/**
 * Opens the store and migrates it to the newest schema. When PostgreSQL ends the connection meanwhile, the step is done again.
 *
 * @param url - The URL of PostgreSQL, or null for SQLite in `folder`, whose lock the caller must hold.
 * @param migrations - The journal, oldest first, as `joinMigrations` returns it.
 * @param onRetry - Called before a further attempt, with the reason.
 * @throws OperatorError when the database cannot be opened, or has a newer schema than this program knows.
 *
 * @example
 * ```ts
 * import { openStore } from './index.ts';
 *
 * const migrations = [['create table notes (id text primary key)']];
 * const store = await openStore({ url: null, folder: '.sluice', migrations });
 * console.log(await store.db.execute('select id from notes'));
 * await store.close();
 * ```
 */
export async function openStore({
  url,
  folder,
  migrations,
  onRetry = () => undefined,
}: {
  readonly url: string | null;
  readonly folder: string;
  readonly migrations: readonly Migration[];
  readonly onRetry?: (reason: string) => void;
}): Promise<Store> {
  if (url === null) {
    const path = join(folder, STORE_FILE);
    // SQLite runs one transaction at a time, so no further lock is needed.
    const store = openSqlite(path);
    await orClosed(
      store,
      path,
      migrate(store, migrations, async () => undefined),
    );
    return store;
  }
  // A migration, or waiting for the migration of another instance, may take any time.
  const migrating = await openPostgres({ url, timeoutMs: null });
  const lock = (db: Database) => db.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  const migration = tryAgainWhenTransient(() => migrate(migrating, migrations, lock), { onRetry });
  await orClosed(migrating, 'the database of database-url', migration);
  await migrating.close();
  return tryAgainWhenTransient(() => openPostgres({ url, timeoutMs: MAX_QUERY_MS }), { onRetry });
}

/** Waits for the migration of the store, and closes the store when it fails. */
async function orClosed(store: Store, name: string, migration: Promise<void>): Promise<void> {
  try {
    await migration;
  } catch (error) {
    // A database that cannot be written often cannot be closed either. The first error is the useful one.
    await store.close().catch(() => undefined);
    throw toUnusableDatabase(name, error);
  }
}
