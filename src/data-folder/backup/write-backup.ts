import {
  copyFileSync,
  createReadStream,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { OperatorError } from '../../common/operator-error.ts';
import { BACKUP_FORMAT, type KnownVersions, type Manifest, MANIFEST_NAME } from './manifest.ts';
import { TAR_END, encodeTarHeader, createTarPadding } from './tar.ts';

/** A database in the data folder. While it is open, only the process that opened it may read it. */
export interface DatabaseInFolder {
  /** The name of its file in the folder. */
  readonly name: string;
  /** Writes a consistent copy to a path that does not exist yet. */
  readonly copyTo: (path: string) => Promise<void>;
}

export interface BackupOptions extends KnownVersions {
  readonly folder: string;
  readonly databases: readonly DatabaseInFolder[];
  /** The version of this program. */
  readonly version: string;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** What a backup holds, as it is when the backup begins. */
export interface BackupContents {
  readonly files: number;
  /** The sizes of all files together, before they are compressed. */
  readonly bytes: number;
  /** The names of the databases in it. Empty when they are on a server. */
  readonly databases: readonly string[];
}

export interface OpenedBackup {
  /** The archive. It fails when something cannot be read. */
  readonly archive: Readable;
  readonly contents: BackupContents;
}

const STAGE = '.backup-';
const ATTEMPTS = 20;
/**
 * The files that a backup leaves out: the lock of the folder, the addresses of its instance, the master key of vaults (which
 * would decrypt the keys that the backup holds), incomplete files, witnesses (because they are newer than the copies of their
 * databases), temporary copies of a check at the start, and folders of the file system at the top of a mount.
 */
const LEFT_OUT =
  /^instance\.(lock|json)|^custody-key$|\.(tmp|new|lock|partial|witness|kept)$|^\.|^lost\+found$/;
const DATABASE_SIDE = /-(wal|shm|journal)$/;

/**
 * Writes a backup of a data folder, which may be in use, as a gzipped tar. Databases write consistent copies of themselves.
 * All other files are copied as they are. They are either replaced atomically, or only appended to, and their readers
 * accept a torn tail, so a copy is never worse than the state after a crash.
 *
 * @example
 * ```ts
 * import { createWriteStream } from 'node:fs';
 * import { openBackup } from './write-backup.ts';
 *
 * const { archive } = await openBackup({
 *   folder: '.sluice',
 *   databases: [],
 *   version: '0.1.0',
 *   schemaVersion: 3,
 *   logVersion: 2,
 *   now: Date.now,
 * });
 * archive.pipe(createWriteStream('backup.tgz'));
 * ```
 */
export async function openBackup(options: BackupOptions): Promise<OpenedBackup> {
  const { folder } = options;
  // Remove what a killed backup left behind.
  for (const name of readdirSync(folder))
    if (name.startsWith(STAGE)) rmSync(join(folder, name), { recursive: true });
  const stage = mkdtempSync(join(folder, STAGE));
  let contents: BackupContents;
  try {
    for (const { name, copyTo } of options.databases) await copyTo(join(stage, name));
    linkFiles(options, stage);
    contents = countContents(options, stage);
  } catch (error) {
    rmSync(stage, { recursive: true });
    throw error;
  }
  const gzip = createGzip();
  const archive = Readable.from(createArchive(options, stage));
  archive.once('error', (error) => gzip.destroy(error));
  gzip.once('close', () => {
    archive.destroy();
    rmSync(stage, { recursive: true, force: true });
  });
  return { archive: archive.pipe(gzip), contents };
}

function countContents({ databases }: BackupOptions, stage: string): BackupContents {
  const paths = filesIn(stage);
  return {
    files: paths.length,
    bytes: paths.reduce((sum, path) => sum + statSync(join(stage, path)).size, 0),
    databases: databases.map(({ name }) => name),
  };
}

async function* createArchive({ version, schemaVersion, logVersion, now }: BackupOptions, stage: string) {
  const at = now();
  const manifest: Manifest = { format: BACKUP_FORMAT, version, schemaVersion, logVersion, createdAt: at };
  const seconds = Math.floor(at / 1_000);
  const text = Buffer.from(`${JSON.stringify(manifest)}\n`);
  yield encodeTarHeader({ name: MANIFEST_NAME, size: text.length }, seconds);
  yield text;
  yield createTarPadding(text.length);
  for (const path of filesIn(stage)) {
    const file = join(stage, path);
    // If the file grows in the meantime, only its current length is copied.
    const { size } = statSync(file);
    yield encodeTarHeader({ name: path.split(sep).join('/'), size }, seconds);
    if (size > 0) yield* createReadStream(file, { end: size - 1 });
    yield createTarPadding(size);
  }
  yield TAR_END;
}

/** Links all files, so that they stay readable if they are removed. Starts over if files were added or removed meanwhile. */
function linkFiles({ folder, databases }: BackupOptions, stage: string): void {
  const isDatabase = (path: string) => databases.some(({ name }) => name === path.replace(DATABASE_SIDE, ''));
  const list = () => filesIn(folder).filter((path) => !isDatabase(path));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = list();
    const linked = before.every((path) => linkOrCopy(join(folder, path), join(stage, path)));
    if (linked && before.join('\n') === list().join('\n')) return;
    for (const path of before) rmSync(join(stage, path), { force: true });
  }
  throw new OperatorError(`${folder} changes too fast to be copied; try again`);
}

/** Returns false when the file no longer exists. */
function linkOrCopy(from: string, to: string): boolean {
  mkdirSync(dirname(to), { recursive: true });
  try {
    try {
      linkSync(from, to);
    } catch (error) {
      if (isMissing(error)) throw error;
      // Some file systems have no links.
      copyFileSync(from, to);
    }
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Returns relative paths, sorted. Folders that are left out are not read, because they may belong to another user. */
function filesIn(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .filter((entry) => !LEFT_OUT.test(entry.name))
    .flatMap((entry) => {
      const path = join(below, entry.name);
      if (entry.isDirectory()) return filesIn(folder, path);
      return entry.isFile() ? [path] : [];
    })
    .sort();
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
