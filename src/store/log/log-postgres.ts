import { type LogDatabase, NeverTaken } from './log-database.ts';
import { type PostgresOptions, postgresClient } from '../postgres/postgres-client.ts';

/** One that writes, and one that answers questions meanwhile. */
const CONNECTIONS = 2;
/** Half a year of a busy instance is much to go through. */
export const MAX_LOG_QUESTION_MS = 60_000;

/** Over a server that the store was opened on before, which told what is wrong with it. */
export async function openPostgresLog(
  options: Pick<PostgresOptions, 'url' | 'longestMs'>,
): Promise<LogDatabase> {
  const { run, transaction, unhealthy, close } = postgresClient({
    ...options,
    most: CONNECTIONS,
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
        throw isOfData(error) ? new NeverTaken(error.message, { cause: error }) : error;
      }),
    unhealthy,
    close,
  };
}

/** Of the classes "data exception" and "integrity constraint violation". */
function isOfData(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^2[23]\w{3}$/.test(String(error.code));
}
