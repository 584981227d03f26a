import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { STORE_FILE } from './copy.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { MAX_QUESTION_MS, openPostgres } from './postgres/postgres.ts';
import { type Database, type Store, unusable } from './sql.ts';
import { openSqlite } from './sqlite/sqlite.ts';

export { copySqlite, LOG_FILE, STORE_FILE } from './copy.ts';
export type { Database, Store } from './sql.ts';

/** The newest schema that this program knows. */
export const SCHEMA_VERSION: number = MIGRATIONS.length;

/** Any number that no other program on the same database takes for its own advisory lock. */
const MIGRATION_LOCK = 7_308_604_897;

/**
 * PostgreSQL at `url`, or a file in the folder when there is none, with the newest schema.
 * @throws OperatorError when it cannot be opened, or is newer than this program
 */
export async function openStore({ url, folder }: { url: string | null; folder: string }): Promise<Store> {
  if (url === null) {
    const path = join(folder, STORE_FILE);
    // A transaction on the file excludes all others already.
    return migrated(openSqlite(path), path, async () => undefined);
  }
  // A migration, or another instance's, takes as long as it takes.
  const patient = await openPostgres({ url, longestMs: null });
  await migrated(patient, 'the database of database-url', (db) =>
    db.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`),
  );
  await patient.close();
  return openPostgres({ url, longestMs: MAX_QUESTION_MS });
}

/** Closes the store when its schema cannot be brought to the newest version. */
async function migrated(
  store: Store,
  name: string,
  lock: (db: Database) => Promise<unknown>,
): Promise<Store> {
  try {
    await migrate(store, MIGRATIONS, lock);
    return store;
  } catch (error) {
    // What cannot be written often cannot be closed either; the first error is the one that tells.
    await store.close().catch(() => undefined);
    throw unusable(name, error);
  }
}
