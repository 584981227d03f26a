import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { readLogVersion } from './log/log-migrate.ts';
import { readSchemaVersion } from './migrate.ts';
import { LOG_FILE, STORE_FILE } from './sql/file-names.ts';
import type { Database } from './sql/sql.ts';
import { openSqlite } from './sqlite/sqlite.ts';

/**
 * Writes a consistent copy of a SQLite database, which may be in use.
 *
 * @param path - The path of the copy, which must not exist yet.
 */
export async function copySqlite(db: Database, path: string): Promise<void> {
  await db.execute(sql`vacuum into ${path}`);
}

/**
 * Opens the database files of a folder, whose lock the caller must hold. They are not migrated or changed.
 *
 * @throws OperatorError when one of the files is not a database.
 */
export async function openStoppedStore(folder: string): Promise<{
  readonly databases: readonly { readonly name: string; readonly copyTo: (path: string) => Promise<void> }[];
  /** 0 when there is no such database. */
  readonly schemaVersion: number;
  readonly logVersion: number;
  readonly close: () => Promise<void>;
}> {
  const opened = [STORE_FILE, LOG_FILE]
    .filter((name) => existsSync(join(folder, name)))
    .map((name) => ({ name, store: openSqlite(join(folder, name)) }));
  const [main, log] = [STORE_FILE, LOG_FILE].map((file) => opened.find(({ name }) => name === file)?.store);
  return {
    databases: opened.map(({ name, store }) => ({ name, copyTo: (path) => copySqlite(store.db, path) })),
    schemaVersion: main === undefined ? 0 : await readSchemaVersion(main.db),
    logVersion: log === undefined ? 0 : await readLogVersion({ kind: 'sqlite', query: createQuery(log.db) }),
    close: async () => {
      for (const { store } of opened) await store.close();
    },
  };
}

function createQuery(db: Database) {
  return async (text: string) => {
    // Drizzle has no type for rows that are arrays, as ours are.
    const rows: unknown = await db.execute(sql.raw(text));
    return rows as unknown[][];
  };
}
