import postgres from 'postgres';
import { OperatorError } from '../operator-error.ts';
import { databaseOver, type RunSql, type Store, unhealthyOf } from './sql.ts';

const CONNECTIONS = 5;
const CONNECT_TIMEOUT_SECONDS = 10;
const CLOSE_TIMEOUT_SECONDS = 5;

/**
 * A pool of connections to PostgreSQL.
 * @param url may hold a password: no message repeats it
 * @throws OperatorError when the server does not let us in
 */
export async function openPostgres(url: string): Promise<Store> {
  const client = postgres(url, {
    max: CONNECTIONS,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    onnotice: () => undefined,
    connection: { application_name: 'sluice' },
  });
  const db = databaseOver(runOn(client));
  try {
    await client`select 1`;
  } catch (error) {
    await client.end({ timeout: 0 });
    throw new OperatorError(`database-url cannot be connected to: ${reasonOf(error)}`);
  }
  return {
    db,
    unsynced: db,
    transaction: async <T>(work: (within: typeof db) => Promise<T>) => {
      const ended = await client.begin(async (within) => ({
        result: await work(databaseOver(runOn(within))),
      }));
      return ended.result as T;
    },
    unhealthy: () => unhealthyOf(db),
    close: () => client.end({ timeout: CLOSE_TIMEOUT_SECONDS }),
  };
}

function runOn(client: Pick<postgres.Sql, 'unsafe'>): RunSql {
  return async (text, parameters) => {
    const rows = await client.unsafe(text, parameters as postgres.ParameterOrJSON<never>[]).values();
    return [...rows];
  };
}

/** An `AggregateError` of several addresses has no message of its own. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : error.name;
  return error.message === '' ? code : error.message;
}
