import { rmSync } from 'node:fs';
import sqlite, { type Database as SqliteFile } from 'node-sqlite3-wasm';
import { OperatorError } from '../operator-error.ts';

/**
 * SQLite in one file. The caller holds the folder's lock, so no other process has the file open.
 * @throws OperatorError when the file is no database or cannot be opened
 */
export function openSqliteFile(path: string): SqliteFile {
  // A process that was killed leaves SQLite's own lock behind.
  rmSync(`${path}.lock`, { recursive: true, force: true });
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
export function rowsOf(file: SqliteFile, text: string, parameters: readonly unknown[]): unknown[][] {
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
