import postgres from 'postgres';
import { SYSTEM_TIMERS, type Timers } from '../ports/timers.ts';
import { Unavailable } from '../unavailable.ts';
import { firstReason, type RunSql } from './sql.ts';

export interface PostgresOptions {
  /** May hold a password: no message repeats it. */
  readonly url: string;
  /** Connections at once. */
  readonly most: number;
  /** As the server's list of connections names them. */
  readonly name: string;
  /** Milliseconds that a statement or a transaction may take; null: as long as it takes. */
  readonly longestMs: number | null;
  /** Default: the system's. */
  readonly after?: Timers['after'];
}

/**
 * Connections to PostgreSQL. What they are asked rejects with `Unavailable` when the server is lost, or does not answer in
 * time: then it may have been done.
 */
export interface PostgresClient {
  readonly run: RunSql;
  /** All of `work` or nothing of it. */
  readonly transaction: <T>(work: (run: RunSql) => Promise<T>) => Promise<T>;
  /** Null when it answers and can be written; otherwise why not, as a sentence. */
  readonly unhealthy: () => Promise<string | null>;
  readonly close: () => Promise<void>;
}

const CONNECT_TIMEOUT_SECONDS = 5;
const CLOSE_TIMEOUT_SECONDS = 5;
/** The client's own wait grows to 20 s, for which a server that is back would go unused. */
const LONGEST_WAIT_SECONDS = 1;
/** What the client and the server say when there is no connection, or the server is stopping or starting. */
const LOST =
  /^(ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|CONNECTION_\w+|CONNECT_TIMEOUT|57P0[1-3]|53300|08\w{3})$/;

/** What the server says when it is a replica by now, or told to be read only, or has no room or memory left. */
const UNWRITABLE = /^(25006|53\w{3})$/;

/**
 * A server that is gone without a word, as behind a network that fails, is noticed by the system after a quarter of an
 * hour. So when one is not answered in time all connections are given up, and the next question makes new ones.
 */
export function postgresClient({
  url,
  most,
  name,
  longestMs,
  after = SYSTEM_TIMERS.after,
}: PostgresOptions): PostgresClient {
  const open = () =>
    postgres(url, {
      max: most,
      connect_timeout: CONNECT_TIMEOUT_SECONDS,
      backoff: (attempt) => secondsBefore(attempt, Math.random()),
      onnotice: () => undefined,
      // Asks the server for the types of arrays, of which there are none.
      fetch_types: false,
      connection: { application_name: name },
    });
  let client = open();
  const giveUp = (silent: postgres.Sql) => {
    if (silent !== client) return;
    client = open();
    // Whoever waits on one of them is told.
    void silent.end({ timeout: 0 });
  };
  const inTime = async <T>(ask: (on: postgres.Sql) => PromiseLike<T>): Promise<T> => {
    const on = client;
    const cancel = longestMs === null ? () => undefined : after(longestMs, () => giveUp(on));
    try {
      return await ask(on);
    } catch (error) {
      throw unavailableIfLost(error);
    } finally {
      cancel();
    }
  };
  const run: RunSql = (text, parameters) => inTime((on) => rowsOf(on, text, parameters));
  return {
    run,
    unhealthy: () => unhealthyOf(run),
    transaction: async <T>(work: (run: RunSql) => Promise<T>) => {
      const ended = await inTime((on) =>
        on.begin(async (within) => ({ result: await work((...asked) => rowsOf(within, ...asked)) })),
      );
      return ended.result as T;
    },
    close: () => client.end({ timeout: CLOSE_TIMEOUT_SECONDS }),
  };
}

/** Seconds before the attempt to connect, longer each time, and of that a random part from a half on. */
export function secondsBefore(attempt: number, random: number): number {
  return Math.min(3 ** attempt / 100, LONGEST_WAIT_SECONDS) * (0.5 + random / 2);
}

async function rowsOf(
  on: Pick<postgres.Sql, 'unsafe'>,
  ...[text, parameters]: Parameters<RunSql>
): Promise<unknown[][]> {
  try {
    return [...(await on.unsafe(text, parameters as postgres.ParameterOrJSON<never>[]).values())];
  } catch (error) {
    throw unavailableIfLost(error);
  }
}

/** Whoever waits for the answer may come again; nothing is wrong with what was asked. */
function unavailableIfLost(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  const code = String(error.code);
  const what = LOST.test(code) ? 'does not answer' : UNWRITABLE.test(code) ? 'cannot be written' : null;
  return what === null
    ? error
    : new Unavailable(`The database ${what}; try again in a second`, { cause: error });
}

async function unhealthyOf(run: RunSql): Promise<string | null> {
  try {
    const [[isReadOnly] = []] = await run('show transaction_read_only', []);
    return isReadOnly === 'on' ? 'the database can only be read' : null;
  } catch (error) {
    return `the database does not answer: ${firstReason(error)}`;
  }
}
