import { drizzle, type PgRemoteDatabase } from 'drizzle-orm/pg-proxy';
import { OperatorError } from '../common/operator-error.ts';

/** Runs one statement whose parameters are `$1`, `$2`, ...; resolves to its rows, each in the order of its columns. */
export type RunSql = (text: string, parameters: readonly unknown[]) => Promise<unknown[][]>;

/** Queries are written with Drizzle, in the SQL that SQLite and PostgreSQL have in common. */
export type Database = PgRemoteDatabase;

export interface Store {
  readonly db: Database;
  /**
   * The same database for writes on a latency-critical path. Such a write survives the end of this process immediately,
   * but a power failure only once the next write through `db` has been made. On PostgreSQL both behave alike.
   */
  readonly unsynced: Database;
  /**
   * Runs `work` in one transaction. `work` must use the database that it is given: `db` would wait for the transaction.
   */
  readonly transaction: <T>(work: (db: Database) => Promise<T>) => Promise<T>;
  /**
   * Unix milliseconds by the clock that all instances on the database share: PostgreSQL's. A SQLite file has one instance,
   * whose clock it is.
   * @param db the database, or within a transaction the one that it gives
   */
  readonly now: (db: Database) => Promise<number>;
  /** Null when it answers; otherwise why not, as a sentence. */
  readonly unhealthy: () => Promise<string | null>;
  readonly close: () => Promise<void>;
}

export function databaseOver(run: RunSql): Database {
  return drizzle(async (text, parameters) => ({ rows: await run(text, parameters) }));
}

export async function unhealthyOf(db: Database): Promise<string | null> {
  try {
    await db.execute('select 1');
    return null;
  } catch (error) {
    return `the database does not answer: ${firstReason(error)}`;
  }
}

/**
 * What to tell when a database was opened and its tables cannot be made or read at the start: the disk is full, or the
 * user of PostgreSQL may not.
 * @param place the file, or what names the server
 */
export function unusable(place: string, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  return new OperatorError(`${place} cannot be used: ${firstReason(error)}`);
}

/** What happened first: what is around it only says what was asked. */
export function firstReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : firstReason(error.cause);
}
