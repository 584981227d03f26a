import { sql } from 'drizzle-orm';
import { OperatorError } from '../../common/operator-error.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { type PostgresOptions, createPostgresClient } from './postgres-client.ts';
import { createDatabase, type RunSql, type Store } from '../sql/sql.ts';

const CONNECTIONS = 5;
const IDLE_LIMIT = 'idle_in_transaction_session_timeout';
/** The code with which PgBouncer and similar poolers refuse the settings of a session. */
const PROTOCOL_VIOLATION = '08P01';
/**
 * The time limit of queries. Together with the interval at which keys are refreshed, it is below the 15 s in which a change
 * reaches every instance.
 */
export const MAX_QUERY_MS = 8_000;

/**
 * Opens the store on PostgreSQL, with a pool of connections.
 *
 * @throws OperatorError when the server refuses the connection.
 */
export async function openPostgres(
  options: Pick<PostgresOptions, 'url' | 'timeoutMs' | 'after'>,
): Promise<Store> {
  const { run, transaction, unhealthy, close } = createPostgresClient({
    ...options,
    maxConnections: CONNECTIONS,
    name: 'sluice',
  });
  const db = createDatabase(run);
  try {
    await requireIdleLimit(run);
  } catch (error) {
    await close();
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`database-url cannot be connected to: ${describeConnectFailure(error)}`, {
      cause: error,
    });
  }
  return {
    db,
    unsynced: db,
    now: async (on) => {
      // `now()` would return the time at which the transaction began, which may have waited for a lock since.
      const rows: unknown = await on.execute(
        sql`select cast(floor(extract(epoch from clock_timestamp()) * 1000) as text)`,
      );
      const [[milliseconds] = []] = rows as unknown[][];
      return Number(milliseconds);
    },
    transaction: (work) => transaction((within) => work(createDatabase(within))),
    unhealthy,
    close,
  };
}

/**
 * A connection pooler may drop the settings of a session. Without this limit, an instance that vanishes inside a
 * transaction would hold its row locks for hours.
 */
async function requireIdleLimit(run: RunSql): Promise<void> {
  const [[limit] = []] = await run(`show ${IDLE_LIMIT}`, []);
  if (limit !== '0') return;
  throw new OperatorError(
    `database-url leads to sessions whose ${IDLE_LIMIT} is 0, so an instance that vanishes would hold its locks for hours. A connection pooler drops the setting: connect to PostgreSQL directly, or run "alter role <role> set ${IDLE_LIMIT} = '4s'" and reconnect the pooler, as "Behind a connection pooler" in docs/operation.md says`,
  );
}

/** An `AggregateError` of several addresses has no message of its own. */
function describeConnectFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Unavailable) return describeConnectFailure(error.cause);
  const code = 'code' in error ? String(error.code) : error.name;
  if (code === PROTOCOL_VIOLATION && error.message.startsWith('unsupported startup parameter')) {
    return `${error.message}. A connection pooler stands before PostgreSQL: connect to PostgreSQL directly, or set up the pooler as "Behind a connection pooler" in docs/operation.md says`;
  }
  return error.message === '' ? code : error.message;
}
