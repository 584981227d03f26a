import { eq, sql } from 'drizzle-orm';
import { OperatorError } from '../common/operator-error.ts';
import { meta } from './schema/meta.ts';
import type { Migration } from './schema/owned-tables.ts';
import type { Database, Store } from './sql/sql.ts';

const VERSION = 'schema-version';

/**
 * Migrates the schema to the newest version, in one transaction.
 *
 * @param lock - Keeps other processes from migrating until the transaction ends.
 * @throws OperatorError when the schema is newer than `migrations`.
 */
export function migrate(
  store: Store,
  migrations: readonly Migration[],
  lock: (db: Database) => Promise<unknown>,
): Promise<void> {
  return store.transaction(async (db) => {
    await lock(db);
    await db.execute('create table if not exists meta (name text primary key, value text not null)');
    const version = await readSchemaVersion(db);
    if (version > migrations.length) {
      throw new OperatorError(
        `the database has schema version ${version}, and this program knows versions up to ${migrations.length}; run a newer Sluice`,
      );
    }
    for (const statement of migrations.slice(version).flat()) await db.execute(sql.raw(statement));
    await db
      .insert(meta)
      .values({ name: VERSION, value: String(migrations.length) })
      .onConflictDoUpdate({ target: meta.name, set: { value: String(migrations.length) } });
  });
}

/** Returns the schema version of a database that has the table `meta`; 0 when it has no other table yet. */
export async function readSchemaVersion(db: Database): Promise<number> {
  const [row] = await db.select().from(meta).where(eq(meta.name, VERSION));
  return Number(row?.value ?? 0);
}
