import postgres from 'postgres';
import { SYSTEM_TIMERS, type Timers } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { firstReason, type RunSql } from '../sql.ts';

export interface PostgresOptions {
  /** May hold a password: no message repeats it. */
  readonly url: string;
  /** Connections at once. */
  readonly most: number;
  /** As the server's list of connections names them. */
  readonly name: string;
  /** Milliseconds that a statement or a transaction may take; null: as long as it takes. See `sessionSettings`. */
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

const NO_ANSWER = 'The database does not answer; try again in a second';
const CONNECT_TIMEOUT_SECONDS = 5;
const CLOSE_TIMEOUT_SECONDS = 5;
/** The client's own wait grows to 20 s, for which a server that is back would go unused. */
const MAX_WAIT_SECONDS = 1;
/** What the client and the server say when there is no connection, or the server is stopping or starting. */
const LOST =
  /^(ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|CONNECTION_\w+|CONNECT_TIMEOUT|57P0[1-3]|53300|08\w{3})$/;

/**
 * What the server says when it ended something that took too long: a statement, the wait for a lock, a transaction in
 * which nothing was asked, or a deadlock, of which it ends one side.
 */
const TOO_LONG = /^(57014|55P03|25P0[34]|40P01)$/;

/** Of these, what ends the session too. */
const ENDS_SESSION = /^25P0[34]$/;
/** What the driver says when we gave the connection up, after which it writes nothing more. */
const DESTROYED = 'CONNECTION_DESTROYED';

/** What the server says when it is a replica by now, or told to be read only, or has no room or memory left. */
const UNWRITABLE = /^(25006|53\w{3})$/;

/** Of what a client may wait in all. The server gives up first, so that nothing goes on there that nobody waits for. */
const STATEMENT_SHARE = 7 / 8;
const LOCK_SHARE = 3 / 4;
const IDLE_SHARE = 1 / 2;
const UNREAD_SHARE = 5 / 2;
const MAX_LOCK_MS = 6_000;
const MAX_IDLE_MS = 4_000;
const MAX_UNREAD_MS = 20_000;

/**
 * Settings with which the server frees what an instance holds there when the instance vanishes without closing its
 * connections, as by a power failure, a partition or SIGSTOP. Bounds: row locks are held for `MAX_IDLE_MS` after the last
 * statement, a statement that nobody waits for runs for `longestMs` at most, and the session itself ends after 25 s
 * without a sign of life (keep-alives), or `MAX_UNREAD_MS` in which nothing that was sent is read.
 *
 * @param longestMs milliseconds that the client waits; null: for migrations, which may take as long as they take and wait
 *   for each other, but are ended all the same when their instance says nothing between two statements
 */
export function sessionSettings(longestMs: number | null): Record<string, number> {
  const share = (part: number, most: number) =>
    Math.max(1, Math.floor(Math.min(most, longestMs === null ? most : longestMs * part)));
  return {
    statement_timeout: longestMs === null ? 0 : share(STATEMENT_SHARE, longestMs),
    lock_timeout: longestMs === null ? 0 : share(LOCK_SHARE, MAX_LOCK_MS),
    idle_in_transaction_session_timeout: share(IDLE_SHARE, MAX_IDLE_MS),
    // Seconds, but for the last one.
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
    tcp_user_timeout: share(UNREAD_SHARE, MAX_UNREAD_MS),
  };
}

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
      connection: { application_name: name, ...sessionSettings(longestMs) },
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
    let cancel = () => {};
    const givenUp = new Promise<never>((_resolve, reject) => {
      if (longestMs === null) return;
      cancel = after(longestMs, () => {
        giveUp(on);
        reject(new Unavailable(NO_ANSWER, { cause: new Error(`no answer within ${longestMs} ms`) }));
      });
    });
    // When both fail, one of them has nobody who waits for it.
    givenUp.catch(() => undefined);
    try {
      return await Promise.race([ask(on), givenUp]);
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
      let lost: unknown = null;
      const runWithin =
        (within: Pick<postgres.Sql, 'unsafe'>): RunSql =>
        async (text, parameters) => {
          if (lost !== null) throw lost;
          try {
            return await rowsOf(within, text, parameters);
          } catch (error) {
            if (endedSession(error)) lost = error;
            throw error;
          }
        };
      try {
        const ended = await inTime((on) =>
          on.begin((within) =>
            work(runWithin(within)).then(
              (result) => (lost === null ? { result } : unsettled()),
              (error: unknown) => (lost === null ? Promise.reject(error) : unsettled()),
            ),
          ),
        );
        return ended.result as T;
      } catch (error) {
        // The work may go on: what it asks from now on has no connection.
        lost = error;
        throw error;
      }
    },
    close: () => client.end({ timeout: CLOSE_TIMEOUT_SECONDS }),
  };
}

/**
 * Whether the server ended the session, or the connection was lost, while something was asked in a transaction. The
 * driver would write the end of the transaction to the socket that is gone, which throws where nobody can catch it.
 */
function endedSession(error: unknown): boolean {
  if (!(error instanceof Unavailable && error.cause instanceof Error && 'code' in error.cause)) return false;
  const code = String(error.cause.code);
  return code !== DESTROYED && (LOST.test(code) || ENDS_SESSION.test(code));
}

/** The driver rejects a transaction by itself when its connection is closed; until then it is to do nothing. */
function unsettled(): Promise<never> {
  return new Promise(() => undefined);
}

/** Seconds before the attempt to connect, longer each time, and of that a random part from a half on. */
export function secondsBefore(attempt: number, random: number): number {
  return Math.min(3 ** attempt / 100, MAX_WAIT_SECONDS) * (0.5 + random / 2);
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
  const what = complaintOf(code);
  return what === null
    ? error
    : new Unavailable(`The database ${what}; try again in a second`, { cause: error });
}

function complaintOf(code: string): string | null {
  if (LOST.test(code)) return 'does not answer';
  if (UNWRITABLE.test(code)) return 'cannot be written';
  return TOO_LONG.test(code) ? 'is busy with something else' : null;
}

async function unhealthyOf(run: RunSql): Promise<string | null> {
  try {
    const [[isReadOnly] = []] = await run('show transaction_read_only', []);
    return isReadOnly === 'on' ? 'the database can only be read' : null;
  } catch (error) {
    return `the database does not answer: ${firstReason(error)}`;
  }
}
