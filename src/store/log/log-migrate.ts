import { OperatorError } from '../../common/operator-error.ts';
import type { LogDatabase } from './log-database.ts';

/** Takes the tables one version further, also those of the days that there are, which SQLite has one by one. */
export type LogMigration = (kind: LogDatabase['kind'], days: readonly string[]) => readonly string[];

/** Any number that no other program on the same database takes for its own advisory lock. */
const LOG_LOCK = 7_308_604_898;

/** What a transaction that makes or changes tables begins with, so that instances do so one after another. */
export function logLock(kind: LogDatabase['kind']): readonly string[] {
  return kind === 'postgresql' ? [`select pg_advisory_xact_lock(${LOG_LOCK})`] : [];
}

/**
 * Brings the tables to the newest version that `migrations` knows, one version after another, each wholly or not at all.
 * @param at Unix milliseconds
 * @param listDays the query for the names of the tables that days have
 * @throws OperatorError when they are newer than that; then nothing is changed
 */
export async function migrateLog(
  database: LogDatabase,
  migrations: readonly LogMigration[],
  { at, listDays }: { readonly at: number; readonly listDays: string },
): Promise<void> {
  const { kind } = database;
  for (;;) {
    const version = await logVersionOf(database);
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
          ...logLock(kind),
          'create table if not exists log_versions (version bigint primary key, at bigint not null)',
          `insert into log_versions (version, at) values (${version + 1}, ${at})`,
          ...next(kind, days),
        ].map((text) => ({ text, parameters: [] })),
      );
    } catch (error) {
      // Another instance took this step meanwhile, so its line was there already.
      if ((await logVersionOf(database)) <= version) throw error;
    }
  }
}

/** 0 when there is nothing yet, or of a program that noted no version. */
export async function logVersionOf({ kind, query }: Pick<LogDatabase, 'kind' | 'query'>): Promise<number> {
  const tables =
    kind === 'sqlite'
      ? "select name from sqlite_master where type = 'table' and name = 'log_versions'"
      : "select tablename from pg_tables where schemaname = current_schema() and tablename = 'log_versions'";
  if ((await query(tables, [])).length === 0) return 0;
  const [row] = await query('select max(version) from log_versions', []);
  return Number(row?.[0] ?? 0);
}
