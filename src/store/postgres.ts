import postgres from 'postgres';
import { OperatorError } from '../operator-error.ts';
import { Unavailable } from '../unavailable.ts';
import { databaseOver, type RunSql, type Store, unhealthyOf } from './sql.ts';

const CONNECTIONS = 5;
const CONNECT_TIMEOUT_SECONDS = 10;
const CLOSE_TIMEOUT_SECONDS = 5;
/** What the client and the server say when there is no connection, or the server is stopping or starting. */
const LOST =
  /^(ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|CONNECTION_\w+|CONNECT_TIMEOUT|57P0[1-3]|53300|08\w{3})$/;

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
      const ended = await orUnavailable(
        client.begin(async (within) => ({ result: await work(databaseOver(runOn(within))) })),
      );
      return ended.result as T;
    },
    unhealthy: () => unhealthyOf(db),
    close: () => client.end({ timeout: CLOSE_TIMEOUT_SECONDS }),
  };
}

function runOn(client: Pick<postgres.Sql, 'unsafe'>): RunSql {
  return async (text, parameters) => {
    const rows = await orUnavailable(
      client.unsafe(text, parameters as postgres.ParameterOrJSON<never>[]).values(),
    );
    return [...rows];
  };
}

/** Whoever waits for the answer may come again; nothing is wrong with what was asked. */
async function orUnavailable<T>(asked: PromiseLike<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && LOST.test(String(error.code)))) throw error;
    throw new Unavailable('The database does not answer; try again in a second', { cause: error });
  }
}

/** An `AggregateError` of several addresses has no message of its own. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : error.name;
  return error.message === '' ? code : error.message;
}
