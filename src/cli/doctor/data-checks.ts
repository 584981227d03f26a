import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { findLockHolder } from '../../data-folder/lock.ts';
import { isSecretText } from '../../data-folder/private-file.ts';
import { KEYPAIR_FILES, SECRET_TEXT_FILES } from '../../data-folder/secret-files.ts';
import { LOG_FILE, STORE_FILE } from '../../store/sql/file-names.ts';
import { type DoctorCheck, fault, type DoctorFinding, ok, warning } from './check.ts';
import { isDenied, isOpenToOthers } from './file-access.ts';

const MIB = 1024 * 1024;
/** Below this, the embedded network and the databases soon find no room. */
const FULL_BYTES = 100 * MIB;
const SCARCE_BYTES = 1024 * MIB;
const MAX_SECRET_BYTES = 1_000;

const SECRET_TEXTS: readonly string[] = Object.values(SECRET_TEXT_FILES);
const SECRET_FILES = [...SECRET_TEXTS, ...Object.values(KEYPAIR_FILES)];

/** Checks the data folder, its files and the room on its disk. */
export function listDataChecks({ dataDir, ephemeral, databaseUrl }: Config): readonly DoctorCheck[] {
  if (ephemeral) return [];
  const stores = databaseUrl === null ? [STORE_FILE, LOG_FILE] : [];
  return [
    { name: 'data-dir', run: () => checkFolder(dataDir) },
    { name: 'disk of data-dir', run: () => checkRoom(dataDir) },
    { name: 'secrets of data-dir', run: () => checkSecretFiles(dataDir) },
    ...stores.map((file) => ({ name: file, run: () => checkDatabaseFile(dataDir, file) })),
  ];
}

function checkFolder(path: string): DoctorFinding {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) {
    const parent = findNearestFolder(path);
    const denied = findDenied(parent);
    return denied === null
      ? ok(`${path} does not exist yet, and can be created`)
      : fault(
          `${path} cannot be created, because ${parent} ${denied}; create it, and give it to the user who runs Sluice`,
        );
  }
  if (!status.isDirectory()) return fault(`${path} is no folder; choose another with --data-dir`);
  const denied = findDenied(path);
  if (denied !== null) return fault(`${path} ${denied}; give it to that user: chown -R USER ${path}`);
  const holder = findLockHolder(path);
  const use = holder === null ? 'no instance runs on it' : `process ${holder.pid} runs on it`;
  if (isOpenToOthers(status)) {
    return warning(`${path} can be entered by other users of this machine (${use}); run chmod 700 ${path}`);
  }
  return ok(`${path}: ${use}`);
}

/** Returns the nearest folder above a path that does not exist. */
function findNearestFolder(path: string): string {
  const parent = dirname(path);
  return existsSync(parent) || parent === path ? parent : findNearestFolder(parent);
}

/** Returns what the user may not do in a folder; null when nothing is denied. */
function findDenied(folder: string): string | null {
  return isDenied(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    ? `may not be read and written by the user ${process.getuid?.() ?? ''} who runs this command`
    : null;
}

function checkRoom(path: string): DoctorFinding {
  const { bavail, bsize, ffree, files } = statfsSync(existsSync(path) ? path : findNearestFolder(path));
  const free = bavail * bsize;
  const room = `${Math.floor(free / MIB)} MiB are free`;
  if (free < FULL_BYTES) return fault(`${room}; make room, or writes will be refused`);
  if (files > 0 && ffree === 0)
    return fault('no further file can be created: the file system has no inodes left');
  return free < SCARCE_BYTES ? warning(`${room}; make room before it is full`) : ok(room);
}

function checkSecretFiles(folder: string): DoctorFinding {
  const present = SECRET_FILES.flatMap((name) => {
    const path = join(folder, name);
    const status = statSync(path, { throwIfNoEntry: false });
    return status === undefined ? [] : [{ name, path, status }];
  });
  const problems = present.flatMap(({ name, path, status }) => findSecretProblem(name, path, status) ?? []);
  if (problems.length > 0) return fault(problems.join('; '));
  return ok(
    present.length === 0 ? 'there are none yet' : `${present.length} files that only their owner may read`,
  );
}

function findSecretProblem(name: string, path: string, status: Stats): string | null {
  if (!status.isFile()) return `${path} is no file; restore it from a backup`;
  if (isDenied(path, constants.R_OK | constants.W_OK)) {
    return `${path} may not be read and written by this user; run chown USER ${path}`;
  }
  if (isOpenToOthers(status)) {
    return `${path} can be read by other users of this machine; run chmod 600 ${path}, and replace the secret if others have used this machine`;
  }
  if (!SECRET_TEXTS.includes(name)) return null;
  const isText = status.size <= MAX_SECRET_BYTES && isSecretText(readFileSync(path, 'utf8').trim());
  return isText
    ? null
    : `${path} is damaged: it does not hold 16 to 200 visible ASCII characters; restore it from a backup`;
}

const SQLITE_HEADER = 'SQLite format 3\0';
/** The size of a new database that is in use, while all of it is in its write-ahead log. */
const EMPTY = 0;

function checkDatabaseFile(folder: string, name: string): DoctorFinding {
  const path = join(folder, name);
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) {
    return existsSync(`${path}.witness`)
      ? fault(`${path} is missing; restore a backup: sluice restore FILE --replace yes`)
      : ok('it does not exist yet');
  }
  if (!status.isFile())
    return fault(`${path} is no file; restore a backup: sluice restore FILE --replace yes`);
  const files = [path, `${path}-wal`, `${path}-shm`, `${path}.witness`].filter((one) => existsSync(one));
  const denied = files.find((one) => isDenied(one, constants.R_OK | constants.W_OK));
  if (denied !== undefined)
    return fault(`${denied} may not be read and written by this user; run chown USER ${denied}`);
  if (status.size !== EMPTY && readStart(path, SQLITE_HEADER.length) !== SQLITE_HEADER) {
    return fault(
      `${path} is damaged: it does not begin as a database; restore a backup: sluice restore FILE --replace yes`,
    );
  }
  return ok(`${Math.ceil(status.size / MIB)} MiB; its contents are checked at the start`);
}

function readStart(path: string, length: number): string {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, length, 0));
  } finally {
    closeSync(descriptor);
  }
}
