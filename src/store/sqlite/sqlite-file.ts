import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import sqlite, { type Database as SqliteFile } from 'node-sqlite3-wasm';
import { CommitWitness, whatToDo } from '../../common/commit-witness.ts';
import { OperatorError } from '../../common/operator-error.ts';

/**
 * Pages of the write-ahead file after which SQLite moves them into the main file. What is in the main file does not hang
 * on the frames before it: one that is damaged in the write-ahead file ends its recovery there.
 */
export const CHECKPOINT_PAGES = 64;
/** A file up to this size is checked page by page at the start. */
const MAX_CHECKED_BYTES = 64 * 1024 * 1024;

export interface OpenedFile {
  readonly file: SqliteFile;
  /**
   * Runs `work` in a transaction of its own and counts it as a change: see `CommitWitness`.
   * @param isSynced whether the commit waits for the disk
   */
  readonly change: <T>(work: () => T, isSynced?: boolean) => T;
  /** Counts the open transaction as a change and commits it. */
  readonly commit: (isSynced?: boolean) => void;
  readonly close: () => void;
}

/**
 * SQLite in one file. The caller holds the folder's lock, so no other process has the file open.
 * @throws OperatorError when the file is no database, cannot be opened, or holds less than was written to it; then
 *   nothing of it is changed
 */
export function openSqliteFile(path: string): OpenedFile {
  // A process that was killed leaves SQLite's own lock behind.
  rmSync(`${path}.lock`, { recursive: true, force: true });
  const witness = CommitWitness.of(path);
  try {
    verify(path, witness);
    const file = new sqlite.Database(path);
    // Write-ahead logging needs shared memory, which WebAssembly has not, unless one connection has the file to itself.
    file.exec(
      `pragma locking_mode=exclusive; pragma journal_mode=wal; pragma synchronous=full; pragma foreign_keys=on; pragma wal_autocheckpoint=${CHECKPOINT_PAGES}`,
    );
    return counted(file, witness);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `${path} cannot be opened as a database: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function counted(file: SqliteFile, witness: CommitWitness): OpenedFile {
  let changes = changesOf(file);
  let hasTable = changes > 0n;
  const commit = (isSynced = true) => {
    if (!hasTable)
      file.exec('create table if not exists changes (id integer primary key, made integer not null)');
    file.exec(`insert or replace into changes (id, made) values (1, ${changes + 1n})`);
    file.exec('commit');
    hasTable = true;
    changes++;
    witness.note(changes, isSynced);
  };
  return {
    file,
    commit,
    change: (work, isSynced) => {
      file.exec('begin immediate');
      try {
        const result = work();
        commit(isSynced);
        return result;
      } catch (error) {
        if (file.inTransaction) file.exec('rollback');
        throw error;
      }
    },
    close: () => {
      file.close();
      witness.close();
    },
  };
}

/**
 * Compares a file with its witness. It is opened for reading only: otherwise closing it would put what is left in the
 * place of what was there, and remove the write-ahead file.
 * @throws OperatorError when it holds less
 */
function verify(path: string, witness: CommitWitness): void {
  const { expected } = witness;
  if (expected === null) return;
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const made = size === 0 ? 0n : readOnly(path, size);
  if (typeof made === 'bigint' && made >= expected) return;
  const found =
    size === 0 ? 'is missing or empty' : typeof made === 'string' ? `is damaged (${made})` : `holds ${made}`;
  throw new OperatorError(
    `${path} ${found}, but ${expected} changes were made to it: it or ${path}-wal was damaged, cut short, removed, or replaced by an older copy. ${whatToDo(witness.path)}`,
  );
}

/** The number of changes that a file holds, or what is wrong with it. */
function readOnly(path: string, size: number): bigint | string {
  const putBack = keepWriteAheadFile(`${path}-wal`);
  try {
    const file = new sqlite.Database(path, { readOnly: true });
    try {
      file.exec('pragma locking_mode=exclusive');
      const [checked] = size <= MAX_CHECKED_BYTES ? rowsOf(file, 'pragma quick_check(1)', []) : [];
      return checked === undefined || checked[0] === 'ok' ? changesOf(file) : String(checked[0]);
    } finally {
      file.close();
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    putBack();
  }
}

/**
 * SQLite removes a write-ahead file of which it can read nothing, even where it only reads.
 * @returns the way to have it as it was; a process that ends before has it done by the next
 */
function keepWriteAheadFile(path: string): () => void {
  const kept = `${path}.kept`;
  const putBack = () => {
    if (existsSync(path)) rmSync(kept, { force: true });
    else if (existsSync(kept)) renameSync(kept, path);
  };
  putBack();
  if (!existsSync(path)) return () => undefined;
  try {
    linkSync(path, kept);
  } catch {
    // Not every file system has links.
    copyFileSync(path, kept);
  }
  return putBack;
}

/** 0 where none were counted yet. */
function changesOf(file: SqliteFile): bigint {
  const tables = rowsOf(file, "select name from sqlite_master where type = 'table' and name = 'changes'", []);
  if (tables.length === 0) return 0n;
  const [[made] = []] = rowsOf(file, 'select made from changes where id = 1', []);
  return BigInt(Number(made ?? 0));
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
