import postgres from 'postgres';
import type { LogDatabase, Statement } from './log-database.ts';

/** One that writes, and one that answers questions meanwhile. */
const CONNECTIONS = 2;
const CONNECT_TIMEOUT_SECONDS = 10;
const CLOSE_TIMEOUT_SECONDS = 5;

/** @param url that the store was opened with before, which told what is wrong with it */
export async function openPostgresLog(url: string): Promise<LogDatabase> {
  const client = postgres(url, {
    max: CONNECTIONS,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    onnotice: () => undefined,
    connection: { application_name: 'sluice log' },
  });
  const run = (on: Pick<postgres.Sql, 'unsafe'>, text: string, parameters: Statement['parameters']) =>
    on.unsafe(text, [...parameters]).values();
  return {
    kind: 'postgresql',
    query: async (text, parameters) => [...(await run(client, text, parameters))],
    write: async (statements) => {
      await client.begin(async (within) => {
        for (const { text, parameters, rows } of statements) {
          if (rows !== undefined) throw new TypeError('PostgreSQL takes many rows as one parameter');
          await run(within, text, parameters);
        }
      });
    },
    unhealthy: () => null,
    close: () => client.end({ timeout: CLOSE_TIMEOUT_SECONDS }),
  };
}
