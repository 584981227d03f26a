import { OperatorError } from '../../common/operator-error.ts';
import type { LogDatabase } from './log-database.ts';

/**
 * A migration: returns the statements that bring the tables to the next version.
 *
 * @param days - The names of the daily tables, each of which SQLite has to alter separately.
 */
export type LogMigration = (kind: LogDatabase['kind'], days: readonly string[]) => readonly string[];

/** An arbitrary number that no other program uses for an advisory lock on the same database. */
const LOG_LOCK = 7_308_604_898;

/**
 * Returns the first statement of a transaction that creates or alters tables. It makes instances do so one after another.
 */
export function createLogLockStatements(kind: LogDatabase['kind']): readonly string[] {
  return kind === 'postgresql' ? [`select pg_advisory_xact_lock(${LOG_LOCK})`] : [];
}

/**
 * Migrates the tables to the newest version, each migration in one transaction.
 *
 * @param at - Unix milliseconds.
 * @param listDays - A query for the names of the daily tables.
 * @throws OperatorError when the tables are newer than `migrations`. Nothing is then changed.
 */
export async function migrateLog(
  database: LogDatabase,
  migrations: readonly LogMigration[],
  { at, listDays }: { readonly at: number; readonly listDays: string },
): Promise<void> {
  const { kind } = database;
  for (;;) {
    const version = await readLogVersion(database);
    if (version > migrations.length) {
      throw new OperatorError(
        `the request log has schema version ${version}, and this program knows versions up to ${migrations.length}; run a newer Sluice`,
      );
    }
    const next = migrations[version];
    if (next === undefined) return;
    const days = version === 0 ? [] : (await database.query(listDays, [])).map(([name]) => String(name));
    try {
      await database.write(
        [
          ...createLogLockStatements(kind),
          'create table if not exists log_versions (version bigint primary key, at bigint not null)',
          `insert into log_versions (version, at) values (${version + 1}, ${at})`,
          ...next(kind, days),
        ].map((text) => ({ text, parameters: [] })),
      );
    } catch (error) {
      // If another instance ran this migration meanwhile, its version exists already.
      if ((await readLogVersion(database)) <= version) throw error;
    }
  }
}

/** Returns the version of the tables; 0 when there are none yet, or an early program wrote no version. */
export async function readLogVersion({ kind, query }: Pick<LogDatabase, 'kind' | 'query'>): Promise<number> {
  const tables =
    kind === 'sqlite'
      ? "select name from sqlite_master where type = 'table' and name = 'log_versions'"
      : "select tablename from pg_tables where schemaname = current_schema() and tablename = 'log_versions'";
  if ((await query(tables, [])).length === 0) return 0;
  const [row] = await query('select max(version) from log_versions', []);
  return Number(row?.[0] ?? 0);
}
