import { rmSync } from 'node:fs';
import sqlite, { type Database as SqliteFile } from 'node-sqlite3-wasm';
import { OperatorError } from '../operator-error.ts';
import { databaseOver, type RunSql, type Store, unhealthyOf } from './sql.ts';

/**
 * SQLite in one file. The caller holds the folder's lock, so no other process has the file open.
 * @throws OperatorError when the file is no database or cannot be opened
 */
export function openSqlite(path: string): Store {
  // A process that was killed leaves SQLite's own lock behind.
  rmSync(`${path}.lock`, { recursive: true, force: true });
  const file = openFile(path);
  const inTurn = turns();
  const run: RunSql = async (text, parameters) => rowsOf(file, text, parameters);
  const db = databaseOver((text, parameters) => inTurn(() => run(text, parameters)));
  return {
    db,
    transaction: (work) =>
      inTurn(async () => {
        file.exec('begin immediate');
        try {
          const result = await work(databaseOver(run));
          file.exec('commit');
          return result;
        } catch (error) {
          if (file.inTransaction) file.exec('rollback');
          throw error;
        }
      }),
    unhealthy: () => unhealthyOf(db),
    close: () => inTurn(async () => file.close()),
  };
}

function openFile(path: string): SqliteFile {
  try {
    const file = new sqlite.Database(path);
    // Write-ahead logging needs shared memory, which WebAssembly has not, unless one connection has the file to itself.
    file.exec(
      'pragma locking_mode=exclusive; pragma journal_mode=wal; pragma synchronous=full; pragma foreign_keys=on',
    );
    return file;
  } catch (error) {
    throw new OperatorError(
      `${path} cannot be opened as a database: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** A row comes as an object, so a query may not ask for two columns of one name. */
function rowsOf(file: SqliteFile, text: string, parameters: readonly unknown[]): unknown[][] {
  const statement = file.prepare(text);
  try {
    return statement.all(parameters.map(sqliteValue)).map((row) => Object.values(row));
  } finally {
    statement.finalize();
  }
}

function sqliteValue(value: unknown): string | number | null {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  throw new TypeError(`a parameter is of type ${typeof value}, which the schema does not have`);
}

/** There is one connection: whatever is asked of it waits until what came before has ended. */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
