import { drizzle, type PgRemoteDatabase } from 'drizzle-orm/pg-proxy';
import { OperatorError } from '../../common/operator-error.ts';
import type { RemoteHealthCheck } from '../../common/ports/health-check.ts';

/** Runs one statement with the parameters `$1`, `$2`, ... and resolves to its rows, each in the order of its columns. */
export type RunSql = (text: string, parameters: readonly unknown[]) => Promise<unknown[][]>;

/** Queries are written with Drizzle, and use only SQL that SQLite and PostgreSQL have in common. */
export type Database = PgRemoteDatabase;

export interface Store {
  readonly db: Database;
  /**
   * The same database for writes on a latency-critical path. Such a write survives the end of this process immediately,
   * but a power failure only once the next write through `db` has been made. On PostgreSQL both behave alike.
   */
  readonly unsynced: Database;
  /**
   * Runs `work` in one transaction. `work` must use the database that it is given, because `db` waits until the
   * transaction ends.
   */
  readonly transaction: <T>(work: (db: Database) => Promise<T>) => Promise<T>;
  /**
   * Unix milliseconds by the clock that all instances on the database share: the clock of PostgreSQL, or of this process
   * for SQLite, which has one instance.
   *
   * @param db - The database; inside a transaction, the one that the transaction passes.
   */
  readonly now: (db: Database) => Promise<number>;
  readonly unhealthy: RemoteHealthCheck;
  readonly close: () => Promise<void>;
}

/** Returns a Drizzle database that executes its statements with `run`. */
export function createDatabase(run: RunSql): Database {
  return drizzle(async (text, parameters) => ({ rows: await run(text, parameters) }));
}

/** Returns null when the database answers, and otherwise the reason, as a sentence. */
export async function findDatabaseFault(db: Database): Promise<string | null> {
  try {
    await db.execute('select 1');
    return null;
  } catch (error) {
    return `the database does not answer: ${getInnermostReason(error)}`;
  }
}

/**
 * Returns the error for an open database whose tables cannot be created or read, for example because the
 * disk is full or PostgreSQL's user lacks a privilege.
 *
 * @param place - The path of the file or the address of the server, for the message.
 */
export function toUnusableDatabase(place: string, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  return new OperatorError(`${place} cannot be used: ${getInnermostReason(error)}`);
}

/** Returns the message of the innermost cause; the errors around it only repeat the query. */
export function getInnermostReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : getInnermostReason(error.cause);
}
