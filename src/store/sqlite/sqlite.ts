import { Unavailable } from '../../common/unavailable.ts';
import { createDatabase, type RunSql, type Store, findDatabaseFault } from '../sql/sql.ts';
import { CHECKPOINT_PAGES, type OpenedFile, openSqliteFile, runSqliteStatement } from './sqlite-file.ts';

/**
 * Opens the store on a SQLite file. The caller must hold the folder's lock, so that no other process has the file open.
 *
 * @throws OperatorError when the file is not a database or cannot be opened.
 */
export function openSqlite(path: string): Store {
  const opened = openSqliteFile(path);
  const { file } = opened;
  const inTurn = serialQueue();
  const run: RunSql = async (text, parameters) =>
    orUnavailable(() => runSqliteStatement(file, text, parameters));
  const db = createDatabase((text, parameters) =>
    inTurn(async () =>
      CHANGES.test(text)
        ? orUnavailable(() => opened.change(() => runSqliteStatement(file, text, parameters)))
        : run(text, parameters),
    ),
  );
  const unsynced = createDatabase((text, parameters) =>
    inTurn(async () => orUnavailable(() => unsyncedRows(opened, text, parameters))),
  );
  return {
    db,
    unsynced,
    transaction: (work) =>
      inTurn(async () => {
        orUnavailable(opened.begin);
        try {
          const result = await work(createDatabase(run));
          orUnavailable(opened.commit);
          return result;
        } catch (error) {
          if (file.inTransaction) file.exec('rollback');
          throw error;
        }
      }),
    now: async () => Date.now(),
    unhealthy: () => findDatabaseFault(db),
    close: () => inTurn(async () => opened.close()),
  };
}

/** The messages of SQLite when the disk is full, fails or is read-only. The same statement may succeed later. */
const NO_DISK = /disk I\/O error|disk is full|readonly database|unable to open database file/;

function orUnavailable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && NO_DISK.test(error.message))) throw error;
    throw new Unavailable(`The database cannot be written (${error.message}); see that its disk has room`, {
      cause: error,
    });
  }
}

/** Matches statements that may change data. A read that matches is merely executed in a transaction of its own. */
const CHANGES = /^\s*(insert|update|delete|replace|create|drop|alter|with)\b/i;

/** Writes to the write-ahead log without syncing it. The next synced write brings both to the disk. */
function unsyncedRows(
  { file, change }: OpenedFile,
  ...query: [text: string, parameters: readonly unknown[]]
): unknown[][] {
  file.exec('pragma synchronous=normal; pragma wal_autocheckpoint=0');
  try {
    return change(() => runSqliteStatement(file, ...query), false);
  } finally {
    file.exec(`pragma synchronous=full; pragma wal_autocheckpoint=${CHECKPOINT_PAGES}`);
  }
}

/** Returns a function that runs one piece of work after another, because there is only one connection. */
function serialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
