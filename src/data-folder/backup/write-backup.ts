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
import { TAR_END, tarHeader, tarPadding } from './tar.ts';

/** A database in the folder, which only its own program may read while it is open. */
export interface DatabaseInFolder {
  /** Its file's name in the folder. */
  readonly name: string;
  /** Writes a consistent copy to a path where nothing is. */
  readonly copyTo: (path: string) => Promise<void>;
}

export interface BackupParts extends KnownVersions {
  readonly folder: string;
  readonly databases: readonly DatabaseInFolder[];
  /** Of this program. */
  readonly version: string;
  /** Unix milliseconds. */
  readonly now: () => number;
}

const STAGE = '.backup-';
const ATTEMPTS = 20;
/**
 * The lock of the folder, what is being written, witnesses, which are of a later moment than the copies of their files, what a
 * check at the start keeps meanwhile,
 * and what file systems keep at the top of a mount.
 */
const LEFT_OUT = /^instance\.lock|\.(tmp|new|lock|partial|witness|kept)$|^\.|^lost\+found$/;
const DATABASE_SIDE = /-(wal|shm|journal)$/;

/**
 * A gzipped tar of a data folder that may be in use: databases by copies that they make of themselves, everything else
 * as it is. The folder's other files are written whole and moved into place, or grow at the end, where their readers
 * expect a torn tail; so what is copied is what a crash could have left. The stream fails when something cannot be read.
 */
export async function openBackup(parts: BackupParts): Promise<Readable> {
  const { folder } = parts;
  // What a killed backup left.
  for (const name of readdirSync(folder))
    if (name.startsWith(STAGE)) rmSync(join(folder, name), { recursive: true });
  const stage = mkdtempSync(join(folder, STAGE));
  try {
    for (const { name, copyTo } of parts.databases) await copyTo(join(stage, name));
    linkFiles(parts, stage);
  } catch (error) {
    rmSync(stage, { recursive: true });
    throw error;
  }
  const gzip = createGzip();
  const archive = Readable.from(archiveOf(parts, stage));
  archive.once('error', (error) => gzip.destroy(error));
  gzip.once('close', () => {
    archive.destroy();
    rmSync(stage, { recursive: true, force: true });
  });
  return archive.pipe(gzip);
}

async function* archiveOf({ version, schemaVersion, logVersion, now }: BackupParts, stage: string) {
  const at = now();
  const manifest: Manifest = { format: BACKUP_FORMAT, version, schemaVersion, logVersion, createdAt: at };
  const seconds = Math.floor(at / 1_000);
  const text = Buffer.from(`${JSON.stringify(manifest)}\n`);
  yield tarHeader({ name: MANIFEST_NAME, size: text.length }, seconds);
  yield text;
  yield tarPadding(text.length);
  for (const path of filesIn(stage)) {
    const file = join(stage, path);
    // A file that grows is taken as long as it is now.
    const { size } = statSync(file);
    yield tarHeader({ name: path.split(sep).join('/'), size }, seconds);
    if (size > 0) yield* createReadStream(file, { end: size - 1 });
    yield tarPadding(size);
  }
  yield TAR_END;
}

/** Links keep what they name though it is removed meanwhile. When files came or went, it is done over. */
function linkFiles({ folder, databases }: BackupParts, stage: string): void {
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

/** False when it is gone. */
function linkOrCopy(from: string, to: string): boolean {
  mkdirSync(dirname(to), { recursive: true });
  try {
    try {
      linkSync(from, to);
    } catch (error) {
      if (isMissing(error)) throw error;
      // Not every file system has links.
      copyFileSync(from, to);
    }
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Relative paths, sorted. What is left out is not looked into either: it may be another user's. */
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
