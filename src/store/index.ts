import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { STORE_FILE } from './copy.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { MAX_QUERY_MS, openPostgres } from './postgres/postgres.ts';
import { type Database, type Store, unusable } from './sql.ts';
import { openSqlite } from './sqlite/sqlite.ts';

export { copySqlite, LOG_FILE, STORE_FILE } from './copy.ts';
export type { Database, Store } from './sql.ts';

/** The newest schema version that this program knows. */
export const SCHEMA_VERSION: number = MIGRATIONS.length;

/** An arbitrary number that no other program uses for an advisory lock on the same database. */
const MIGRATION_LOCK = 7_308_604_897;

/**
 * Opens the store and migrates it to the newest schema.
 *
 * @param url - The URL of PostgreSQL, or null for SQLite in `folder`, whose lock the caller must hold.
 * @throws OperatorError when the database cannot be opened, or has a newer schema than this program knows.
 *
 * @example
 * ```ts
 * import { openStore } from './index.ts';
 * import { organisations } from './schema.ts';
 *
 * const store = await openStore({ url: null, folder: '.sluice' });
 * console.log(await store.db.select().from(organisations));
 * await store.close();
 * ```
 */
export async function openStore({ url, folder }: { url: string | null; folder: string }): Promise<Store> {
  if (url === null) {
    const path = join(folder, STORE_FILE);
    // SQLite runs one transaction at a time, so no further lock is needed.
    return migrated(openSqlite(path), path, async () => undefined);
  }
  // A migration, or waiting for the migration of another instance, may take any time.
  const migrating = await openPostgres({ url, timeoutMs: null });
  await migrated(migrating, 'the database of database-url', (db) =>
    db.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`),
  );
  await migrating.close();
  return openPostgres({ url, timeoutMs: MAX_QUERY_MS });
}

/** Migrates the store, and closes it when that fails. */
async function migrated(
  store: Store,
  name: string,
  lock: (db: Database) => Promise<unknown>,
): Promise<Store> {
  try {
    await migrate(store, MIGRATIONS, lock);
    return store;
  } catch (error) {
    // A database that cannot be written often cannot be closed either. The first error is the useful one.
    await store.close().catch(() => undefined);
    throw unusable(name, error);
  }
}
