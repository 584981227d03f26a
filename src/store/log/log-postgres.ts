import { type LogDatabase, ConstraintViolated } from './log-database.ts';
import { type PostgresOptions, createPostgresClient } from '../postgres/postgres-client.ts';

/** One connection writes, and the other one answers queries. */
const CONNECTIONS = 2;
/** The time limit of queries, which may read half a year of a busy instance's requests. */
export const MAX_LOG_QUERY_MS = 60_000;

/** Opens the request log on PostgreSQL. The store was opened on the same server before, which has reported any problem. */
export async function openPostgresLog(
  options: Pick<PostgresOptions, 'url' | 'timeoutMs'>,
): Promise<LogDatabase> {
  const { run, transaction, unhealthy, close } = createPostgresClient({
    ...options,
    maxConnections: CONNECTIONS,
    name: 'sluice log',
  });
  return {
    kind: 'postgresql',
    query: run,
    write: (statements) =>
      transaction(async (within) => {
        for (const { text, parameters, rows } of statements) {
          if (rows !== undefined) throw new TypeError('PostgreSQL takes many rows as one parameter');
          await within(text, parameters);
        }
      }).catch((error: unknown) => {
        throw isOfData(error) ? new ConstraintViolated(error.message, { cause: error }) : error;
      }),
    now: async () => {
      const [[milliseconds] = []] = await run(
        'select cast(floor(extract(epoch from clock_timestamp()) * 1000) as text)',
        [],
      );
      return Number(milliseconds);
    },
    unhealthy,
    close,
  };
}

/** Whether the error is of the classes "data exception" or "integrity constraint violation". */
function isOfData(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^2[23]\w{3}$/.test(String(error.code));
}
