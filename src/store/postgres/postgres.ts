import { sql } from 'drizzle-orm';
import { OperatorError } from '../../common/operator-error.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { type PostgresOptions, postgresClient } from './postgres-client.ts';
import { databaseOver, type Store } from '../sql.ts';

const CONNECTIONS = 5;
/** What PgBouncer and its kin say of settings that a session asks for. */
const PROTOCOL_VIOLATION = '08P01';
/** With the interval in which keys are looked at it is less than the 15 s in which a change reaches every instance. */
export const MAX_QUESTION_MS = 8_000;

/**
 * A pool of connections to PostgreSQL.
 * @throws OperatorError when the server does not let us in
 */
export async function openPostgres(
  options: Pick<PostgresOptions, 'url' | 'longestMs' | 'after'>,
): Promise<Store> {
  const { run, transaction, unhealthy, close } = postgresClient({
    ...options,
    most: CONNECTIONS,
    name: 'sluice',
  });
  const db = databaseOver(run);
  try {
    await run('select 1', []);
  } catch (error) {
    await close();
    throw new OperatorError(`database-url cannot be connected to: ${reasonOf(error)}`);
  }
  return {
    db,
    unsynced: db,
    now: async (on) => {
      // Not `now()`, which is when the transaction began, so before it waited for a lock.
      const rows: unknown = await on.execute(
        sql`select cast(floor(extract(epoch from clock_timestamp()) * 1000) as text)`,
      );
      const [[milliseconds] = []] = rows as unknown[][];
      return Number(milliseconds);
    },
    transaction: (work) => transaction((within) => work(databaseOver(within))),
    unhealthy,
    close,
  };
}

/** An `AggregateError` of several addresses has no message of its own. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Unavailable) return reasonOf(error.cause);
  const code = 'code' in error ? String(error.code) : error.name;
  if (code === PROTOCOL_VIOLATION && error.message.startsWith('unsupported startup parameter')) {
    return `${error.message}. A connection pooler stands before PostgreSQL: name PostgreSQL itself, or set up the pooler as "Behind a connection pooler" in docs/operation.md says`;
  }
  return error.message === '' ? code : error.message;
}
