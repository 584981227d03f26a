import {
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import sqlite, { type Database as SqliteFile } from 'node-sqlite3-wasm';
import { CommitWitness, describeWitnessRemedy } from '../../common/commit-witness.ts';
import { OperatorError } from '../../common/operator-error.ts';

/**
 * The number of changes in the write-ahead file after which they are moved into the main file. It is small, because a
 * damaged frame in the write-ahead file loses all frames after it. A change writes about eight pages.
 */
const CHECKPOINT_CHANGES = 6;
/** The number of pages after which SQLite moves them by itself, because some changes are large. */
export const CHECKPOINT_PAGES = 64;
/** Files up to this size are checked page by page when they are opened. */
const MAX_CHECKED_BYTES = 64 * 1024 * 1024;
/** Where a file names the version of the format that a writer needs, and the newest that there is. */
const WRITE_VERSION_AT = 18;
const WRITE_AHEAD_VERSION = 2;

export interface OpenedFile {
  readonly file: SqliteFile;
  /**
   * Runs `work` in a transaction of its own and counts it as a change: see `CommitWitness`.
   *
   * @param isSynced - Whether the commit waits for the disk.
   */
  readonly change: <T>(work: () => T, isSynced?: boolean) => T;
  /** Begins a transaction, which `commit` ends. */
  readonly begin: (isSynced?: boolean) => void;
  /** Counts the open transaction as a change and commits it. */
  readonly commit: (isSynced?: boolean) => void;
  readonly close: () => void;
}

/**
 * Opens a SQLite file. The caller must hold the folder's lock, so that no other process has the file open.
 *
 * @throws OperatorError when the file is not a database, cannot be opened, or holds less than was written to it; then
 *   it is not changed.
 */
export function openSqliteFile(path: string): OpenedFile {
  // A killed process leaves the lock of SQLite behind. The lock of the data folder excludes other processes.
  rmSync(`${path}.lock`, { recursive: true, force: true });
  const witness = CommitWitness.of(path);
  try {
    verify(path, witness);
    const file = new sqlite.Database(path);
    // Write-ahead logging needs shared memory, which WebAssembly lacks, unless one connection has exclusive access.
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
  let changes = readChangeCount(file);
  let hasTable = changes > 0n;
  let inWriteAheadFile = 0;
  // The first write after a checkpoint waits for the disk, also an unsynced one. So that this is a synced one, which waits
  // anyway, a checkpoint is made right before it, and not after the last one.
  const checkpoint = () => {
    try {
      file.exec('pragma wal_checkpoint(passive)');
      inWriteAheadFile = 0;
    } catch {
      // Whether the disk has room shows at the write.
    }
  };
  const begin = (isSynced = true) => {
    if (isSynced && inWriteAheadFile >= CHECKPOINT_CHANGES) checkpoint();
    file.exec('begin immediate');
  };
  const commit = (isSynced = true) => {
    if (!hasTable)
      file.exec('create table if not exists changes (id integer primary key, made integer not null)');
    file.exec(`insert or replace into changes (id, made) values (1, ${changes + 1n})`);
    file.exec('commit');
    hasTable = true;
    changes++;
    inWriteAheadFile++;
    witness.note(changes, isSynced);
  };
  return {
    file,
    begin,
    commit,
    change: (work, isSynced) => {
      begin(isSynced);
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
 * Compares a file with its witness. The file is opened read-only, because otherwise closing it would move the write-ahead
 * file into a damaged main file, and remove it.
 *
 * @throws OperatorError when the file holds less than the witness says.
 */
function verify(path: string, witness: CommitWitness): void {
  const { expected } = witness;
  if (expected === null) return;
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const contents: FileContents = size === 0 ? { ok: true, changes: 0n } : readContents(path, size);
  if (contents.ok && contents.changes >= expected) return;
  const found = contents.ok ? `holds ${contents.changes}` : `is damaged (${contents.reason})`;
  throw new OperatorError(
    `${path} ${size === 0 ? 'is missing or empty' : found}, but ${expected} changes were made to it: it or ${path}-wal was damaged, cut short, removed, or replaced by an older copy. ${describeWitnessRemedy(witness.path)}`,
  );
}

/** The number of changes that a file contains, or the reason why it cannot be read. */
type FileContents =
  | { readonly ok: true; readonly changes: bigint }
  | { readonly ok: false; readonly reason: string };

function readContents(path: string, size: number): FileContents {
  const version = readWriteVersion(path);
  // SQLite reads such a file. Opened for writing it is refused, and its write-ahead file is removed.
  if (version > WRITE_AHEAD_VERSION) return { ok: false, reason: `its write version is ${version}` };
  const putBack = keepWriteAheadFile(`${path}-wal`);
  try {
    const file = new sqlite.Database(path, { readOnly: true });
    try {
      file.exec('pragma locking_mode=exclusive');
      const [checked] =
        size <= MAX_CHECKED_BYTES ? runSqliteStatement(file, 'pragma quick_check(1)', []) : [];
      if (checked !== undefined && checked[0] !== 'ok') return { ok: false, reason: String(checked[0]) };
      return { ok: true, changes: readChangeCount(file) };
    } finally {
      file.close();
    }
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    putBack();
  }
}

/** Returns the version of the format that a writer needs: https://sqlite.org/fileformat2.html#file_format_version_numbers. */
function readWriteVersion(path: string): number {
  const file = openSync(path, 'r');
  try {
    const byte = new Uint8Array(1);
    readSync(file, byte, 0, 1, WRITE_VERSION_AT);
    return byte[0] ?? 0;
  } finally {
    closeSync(file);
  }
}

/**
 * Keeps a link to the write-ahead file, because SQLite removes a file that it cannot read, even in read-only mode.
 *
 * Returns a function that restores the file. If this process ends before, the next one restores it.
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
    // Some file systems have no links.
    copyFileSync(path, kept);
  }
  return putBack;
}

/** Returns the number of changes that were counted; 0 when there were none. */
function readChangeCount(file: SqliteFile): bigint {
  const tables = runSqliteStatement(
    file,
    "select name from sqlite_master where type = 'table' and name = 'changes'",
    [],
  );
  if (tables.length === 0) return 0n;
  const [[made] = []] = runSqliteStatement(file, 'select made from changes where id = 1', []);
  return BigInt(Number(made ?? 0));
}

/** Runs a statement. SQLite returns rows as objects, so a query must not select two columns of one name. */
export function runSqliteStatement(
  file: SqliteFile,
  text: string,
  parameters: readonly unknown[],
): unknown[][] {
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
