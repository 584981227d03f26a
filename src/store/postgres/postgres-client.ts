import postgres from 'postgres';
import { SYSTEM_TIMERS, type Timers } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { RunSql } from '../sql/sql.ts';
import type { RemoteHealthCheck } from '../../common/ports/health-check.ts';

export interface PostgresOptions {
  /** The URL, which may contain a password and is therefore never part of a message. */
  readonly url: string;
  /** The maximum number of connections. */
  readonly maxConnections: number;
  /** The name of the connections in `pg_stat_activity`. */
  readonly name: string;
  /** The time limit for a statement or a transaction in milliseconds. Null for no limit. See `sessionSettings`. */
  readonly timeoutMs: number | null;
  /** Starts a timer. Default: that of the system. */
  readonly after?: Timers['after'];
}

/**
 * Connections to PostgreSQL. All calls reject with `Unavailable` when the connection is lost or the server does not answer
 * in time. The statement may have been executed nevertheless.
 */
export interface PostgresClient {
  readonly run: RunSql;
  /** Runs `work` in one transaction. */
  readonly transaction: <T>(work: (run: RunSql) => Promise<T>) => Promise<T>;
  /** Checks that the server answers and accepts writes. */
  readonly unhealthy: RemoteHealthCheck;
  readonly close: () => Promise<void>;
}

const NO_ANSWER = 'The database does not answer; try again in a second';
const CONNECT_TIMEOUT_SECONDS = 5;
const CLOSE_TIMEOUT_SECONDS = 5;
/** The maximum pause between attempts to connect. The driver's default grows to 20 s, which delays recovery. */
const MAX_WAIT_SECONDS = 1;
/** The codes of the driver and the server when there is no connection, or the server is stopping or starting. */
const LOST =
  /^(ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|CONNECTION_\w+|CONNECT_TIMEOUT|57P0[1-3]|53300|08\w{3})$/;

/**
 * The codes of the server when a statement, the wait for a lock or an idle transaction took too long, and when it aborted
 * a transaction to resolve a deadlock.
 */
const TOO_LONG = /^(57014|55P03|25P0[34]|40P01)$/;

/** The codes among these with which the server also ends the session. */
const ENDS_SESSION = /^25P0[34]$/;
/** The code of the driver for a connection that Sluice has closed. It writes nothing more to that connection. */
const DESTROYED = 'CONNECTION_DESTROYED';

/** The codes of the server when it has become a replica, is read-only, or has no disk space or memory left. */
const UNWRITABLE = /^(25006|53\w{3})$/;

/**
 * The time limits of the server, as fractions of the client's. The server gives up first, so that it does no work whose
 * result the client no longer awaits.
 */
const STATEMENT_SHARE = 7 / 8;
const LOCK_SHARE = 3 / 4;
const IDLE_SHARE = 1 / 2;
const UNREAD_SHARE = 5 / 2;
const MAX_LOCK_MS = 6_000;
const MAX_IDLE_MS = 4_000;
const MAX_UNREAD_MS = 20_000;

/**
 * Returns the settings by which the server frees the locks and sessions of an instance that vanishes without closing its
 * connections, as after a power failure, a partition or SIGSTOP. The server releases row locks `MAX_IDLE_MS` after the
 * last statement, aborts a statement before `timeoutMs`, and ends the session after 25 s without an answer to keep-alives,
 * or after `MAX_UNREAD_MS` in which the instance reads nothing.
 *
 * @param timeoutMs - How long the client waits, in milliseconds. Null for migrations, which may take any time and wait for
 *   each other. They are still aborted when their instance is silent between two statements.
 */
function sessionSettings(timeoutMs: number | null): Record<string, number> {
  const share = (part: number, max: number) =>
    Math.max(1, Math.floor(Math.min(max, timeoutMs === null ? max : timeoutMs * part)));
  return {
    statement_timeout: timeoutMs === null ? 0 : share(STATEMENT_SHARE, timeoutMs),
    lock_timeout: timeoutMs === null ? 0 : share(LOCK_SHARE, MAX_LOCK_MS),
    idle_in_transaction_session_timeout: share(IDLE_SHARE, MAX_IDLE_MS),
    // The first three are seconds, and the last one is milliseconds.
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
    tcp_user_timeout: share(UNREAD_SHARE, MAX_UNREAD_MS),
  };
}

/**
 * Opens connections to PostgreSQL as they are needed. When the network fails, the operating system only notices after a
 * quarter of an hour that the server is gone. Therefore, when an answer does not arrive in time, all connections are
 * closed, and the next query opens new ones.
 */
export function createPostgresClient({
  url,
  maxConnections,
  name,
  timeoutMs,
  after = SYSTEM_TIMERS.after,
}: PostgresOptions): PostgresClient {
  const open = () =>
    postgres(url, {
      max: maxConnections,
      connect_timeout: CONNECT_TIMEOUT_SECONDS,
      backoff: (attempt) => computeReconnectDelaySeconds(attempt, Math.random()),
      onnotice: () => undefined,
      // The driver would ask the server for array types, which the schema does not use.
      fetch_types: false,
      connection: { application_name: name, ...sessionSettings(timeoutMs) },
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
      if (timeoutMs === null) return;
      cancel = after(timeoutMs, () => {
        giveUp(on);
        reject(new Unavailable(NO_ANSWER, { cause: new Error(`no answer within ${timeoutMs} ms`) }));
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
  const run: RunSql = (text, parameters) => inTime((on) => queryPostgresRows(on, text, parameters));
  return {
    run,
    unhealthy: () => findPostgresFault(run),
    transaction: async <T>(work: (run: RunSql) => Promise<T>) => {
      let lost: unknown = null;
      const runWithin =
        (within: Pick<postgres.Sql, 'unsafe'>): RunSql =>
        async (text, parameters) => {
          if (lost !== null) throw lost;
          try {
            return await queryPostgresRows(within, text, parameters);
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
 * Whether the server ended the session, or the connection was lost, during a query of a transaction. The driver would then
 * write the end of the transaction to the closed socket, and throw where nothing can catch it.
 */
function endedSession(error: unknown): boolean {
  if (!(error instanceof Unavailable && error.cause instanceof Error && 'code' in error.cause)) return false;
  const code = String(error.cause.code);
  return code !== DESTROYED && (LOST.test(code) || ENDS_SESSION.test(code));
}

/**
 * Whether an error, or one of its causes, says that the connection was lost or that the server did not answer in time. The
 * same statement may succeed a little later. It may also have been executed already.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Unavailable && error.message === NO_ANSWER) return true;
  const code = 'code' in error ? String(error.code) : '';
  return LOST.test(code) || TOO_LONG.test(code) || isTransient(error.cause);
}

/** Returns a promise that never settles. The driver itself rejects the transaction when its connection is closed. */
function unsettled(): Promise<never> {
  return new Promise(() => undefined);
}

/** Returns the seconds before the next attempt to connect. They double each time, and up to half is subtracted randomly. */
export function computeReconnectDelaySeconds(attempt: number, random: number): number {
  return Math.min(3 ** attempt / 100, MAX_WAIT_SECONDS) * (0.5 + random / 2);
}

async function queryPostgresRows(
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
  const unavailable = (what: string) =>
    new Unavailable(`The database ${what}; try again in a second`, { cause: error });
  if (LOST.test(code)) return unavailable('does not answer');
  if (UNWRITABLE.test(code)) return unavailable('cannot be written');
  return TOO_LONG.test(code) ? unavailable('is busy with something else') : error;
}

async function findPostgresFault(run: RunSql): Promise<string | null> {
  try {
    const [[isReadOnly] = []] = await run('show transaction_read_only', []);
    return isReadOnly === 'on' ? 'the database can only be read' : null;
  } catch (error) {
    return `the database does not answer: ${getPublishableReason(error)}`;
  }
}

/** Returns a reason that is safe to publish. Messages of the server contain users and databases, and others contain hosts. */
function getPublishableReason(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed';
  if ('code' in error) return String(error.code);
  return error.cause === undefined ? error.message : getPublishableReason(error.cause);
}
