import { OperatorError } from '../../common/operator-error.ts';
import { createPostgresClient } from './postgres-client.ts';
import { openPostgres } from './postgres.ts';

/** What an operator wants to know of a database server. */
export interface PostgresFacts {
  readonly version: string;
  /** The version of the schema; 0 when the database is empty. */
  readonly schemaVersion: number;
  /** The connections that the server admits, and those that are open. */
  readonly maxConnections: number;
  readonly connections: number;
  /** Unix milliseconds of the server. */
  readonly now: number;
}

/** The time limit of each query, in milliseconds. */
const QUERY_MS = 5_000;

const FACTS = `select current_setting('server_version'), current_setting('max_connections')::text,
  (select count(*) from pg_stat_activity)::text, floor(extract(epoch from clock_timestamp()) * 1000)::text,
  (to_regclass('meta') is not null)::text`;

/**
 * Connects as an instance does, and reads what the server says of itself. Nothing is written.
 *
 * @throws OperatorError when the server refuses the connection, or can only be read.
 */
export async function readPostgresFacts(url: string): Promise<PostgresFacts> {
  const store = await openPostgres({ url, timeoutMs: QUERY_MS });
  await store.close();
  const client = createPostgresClient({ url, maxConnections: 1, name: 'sluice doctor', timeoutMs: QUERY_MS });
  try {
    const problem = await client.unhealthy();
    if (problem !== null) throw new OperatorError(problem);
    const [[version, max, open, now, hasMeta] = []] = await client.run(FACTS, []);
    const rows =
      hasMeta === 'true' ? await client.run(`select value from meta where name = 'schema-version'`, []) : [];
    return {
      version: String(version),
      schemaVersion: Number(rows[0]?.[0] ?? 0),
      maxConnections: Number(max),
      connections: Number(open),
      now: Number(now),
    };
  } finally {
    await client.close();
  }
}
