import postgres from 'postgres';
import { SYSTEM_TIMERS, type Timers } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { RunSql } from '../sql.ts';

export interface PostgresOptions {
  /** May hold a password, so no message repeats it. */
  readonly url: string;
  /** The maximum number of connections. */
  readonly most: number;
  /** Name of the connections in the server's list. */
  readonly name: string;
  /** Milliseconds that a statement or a transaction may take; null: no limit. See `sessionSettings`. */
  readonly longestMs: number | null;
  /** Default: the system's. */
  readonly after?: Timers['after'];
}

/**
 * Connections to PostgreSQL. All calls reject with `Unavailable` when the server is lost or does not answer in time; then
 * the statement may have run.
 */
export interface PostgresClient {
  readonly run: RunSql;
  /** Runs `work` in one transaction. */
  readonly transaction: <T>(work: (run: RunSql) => Promise<T>) => Promise<T>;
  /** Resolves to null when the server answers and accepts writes, and otherwise to the reason, as a sentence. */
  readonly unhealthy: () => Promise<string | null>;
  readonly close: () => Promise<void>;
}

const NO_ANSWER = 'The database does not answer; try again in a second';
const CONNECT_TIMEOUT_SECONDS = 5;
const CLOSE_TIMEOUT_SECONDS = 5;
/** The driver's own pause grows to 20 s, in which a server that is back would not be used. */
const MAX_WAIT_SECONDS = 1;
/** Codes of the driver and the server for: there is no connection, or the server is stopping or starting. */
const LOST =
  /^(ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|CONNECTION_\w+|CONNECT_TIMEOUT|57P0[1-3]|53300|08\w{3})$/;

/**
 * Codes of the server when something took too long: a statement, the wait for a lock, an idle transaction; or a
 * deadlock, in which the server aborts one of the transactions.
 */
const TOO_LONG = /^(57014|55P03|25P0[34]|40P01)$/;

/** Those of them that also end the session. */
const ENDS_SESSION = /^25P0[34]$/;
/** The driver's code after Sluice has closed the connection. The driver writes nothing more then. */
const DESTROYED = 'CONNECTION_DESTROYED';

/** Codes of the server when it has become a replica, was made read-only, or has no disk space or memory left. */
const UNWRITABLE = /^(25006|53\w{3})$/;

/**
 * Fractions of the time that a client waits. The server gives up first, so that it does no work whose result is not
 * awaited.
 */
const STATEMENT_SHARE = 7 / 8;
const LOCK_SHARE = 3 / 4;
const IDLE_SHARE = 1 / 2;
const UNREAD_SHARE = 5 / 2;
const MAX_LOCK_MS = 6_000;
const MAX_IDLE_MS = 4_000;
const MAX_UNREAD_MS = 20_000;

/**
 * Settings by which the server frees the locks and sessions of an instance that vanishes without closing its
 * connections, as by a power failure, a partition or SIGSTOP. Row locks are held for at most `MAX_IDLE_MS` after the
 * last statement; a statement runs for at most `longestMs`, even if its client is gone; and the session ends after 25
 * s without an answer to keep-alives, or after `MAX_UNREAD_MS` in which the instance reads nothing.
 *
 * @param longestMs - Milliseconds that the client waits; null for migrations, which may take any time and wait for each
 *   other, but are still aborted when their instance is silent between two statements.
 */
function sessionSettings(longestMs: number | null): Record<string, number> {
  const share = (part: number, most: number) =>
    Math.max(1, Math.floor(Math.min(most, longestMs === null ? most : longestMs * part)));
  return {
    statement_timeout: longestMs === null ? 0 : share(STATEMENT_SHARE, longestMs),
    lock_timeout: longestMs === null ? 0 : share(LOCK_SHARE, MAX_LOCK_MS),
    idle_in_transaction_session_timeout: share(IDLE_SHARE, MAX_IDLE_MS),
    // In seconds, except the last one.
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
    tcp_user_timeout: share(UNREAD_SHARE, MAX_UNREAD_MS),
  };
}

/**
 * Opens connections to PostgreSQL as they are needed. The system notices only after a quarter of an hour that a server has
 * vanished, as behind a failing network. So when an answer does not come in time, all connections are closed, and the next
 * query opens new ones.
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
      // The driver would ask the server for array types, which the schema does not use.
      fetch_types: false,
      connection: { application_name: name, ...sessionSettings(longestMs) },
    });
  let client = open();
  const giveUp = (silent: postgres.Sql) => {
    if (silent !== client) return;
    client = open();
    // This rejects everything that waits on one of the old connections.
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
    // When both fail, nothing awaits this rejection.
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
        // `work` may still run; its further queries must fail.
        lost = error;
        throw error;
      }
    },
    close: () => client.end({ timeout: CLOSE_TIMEOUT_SECONDS }),
  };
}

/**
 * Whether the server ended the session, or the connection was lost, during a query in a transaction. The driver would then
 * write the end of the transaction to the closed socket, which throws where nothing can catch it.
 */
function endedSession(error: unknown): boolean {
  if (!(error instanceof Unavailable && error.cause instanceof Error && 'code' in error.cause)) return false;
  const code = String(error.cause.code);
  return code !== DESTROYED && (LOST.test(code) || ENDS_SESSION.test(code));
}

/** Returns a promise that never settles: the driver rejects the transaction by itself when its connection is closed. */
function unsettled(): Promise<never> {
  return new Promise(() => undefined);
}

/** Returns seconds before the next attempt to connect: more each time, and a random part of at least a half of that. */
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

/** Converts errors of the connection and the server to `Unavailable`, because the same query may succeed later. */
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
    return `the database does not answer: ${reasonOf(error)}`;
  }
}

/** Anybody may read the reason. The messages of the server name users and databases, and those of the system hosts. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed';
  if ('code' in error) return String(error.code);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
