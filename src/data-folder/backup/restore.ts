import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '../../common/operator-error.ts';
import { lockDataFolder } from '../lock.ts';
import type { KnownVersions, Manifest } from './manifest.ts';
import { listDataFolder, finishRestore, putInPlace, UNPACKING } from '../put-in-place.ts';
import { readBackup } from './read-backup.ts';
import { syncFolder } from '../../common/files/durable-file.ts';

export interface RestoredFolder {
  readonly manifest: Manifest;
  /** The folder with the old contents; null when there were none. */
  readonly replaced: string | null;
}

export interface RestoreOptions {
  readonly file: string;
  readonly dataDir: string;
  /** Whether the contents of a folder that is not empty may be moved aside. */
  readonly replace: boolean;
  readonly known: KnownVersions;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * Restores a backup. It is unpacked inside the data folder, and replaces the contents once all of it was verified and is
 * durable. If the process ends before that, the data folder is unchanged. If it ends later, the next start finishes the
 * restore.
 *
 * @throws OperatorError when the folder is in use or not empty, or the file is not a complete backup, or was written by
 *   a newer version.
 *
 * @example
 * ```ts
 * import { restoreBackup } from './restore.ts';
 *
 * const { replaced } = await restoreBackup({
 *   file: 'backup.tgz',
 *   dataDir: '.sluice',
 *   replace: true,
 *   known: { schemaVersion: 3, logVersion: 2 },
 *   now: Date.now,
 * });
 * console.log(`the old contents are in ${replaced}`);
 * ```
 */
export async function restoreBackup({
  file,
  dataDir,
  replace,
  known,
  now,
}: RestoreOptions): Promise<RestoredFolder> {
  if (listDataFolder(dataDir).length > 0 && !replace) {
    throw new OperatorError(
      `data-dir ${dataDir} is not empty; choose another, or give --replace yes to move what is there aside`,
    );
  }
  const wasThere = existsSync(dataDir);
  const unlock = await lockDataFolder(dataDir);
  const unpacked = join(dataDir, UNPACKING);
  let isRestored = false;
  try {
    await finishRestore(dataDir);
    rmSync(unpacked, { recursive: true, force: true });
    mkdirSync(unpacked, { mode: 0o700 });
    const manifest = await unpack(file, unpacked, known);
    const replaced = await putInPlace(dataDir, now());
    isRestored = true;
    return { manifest, replaced };
  } catch (error) {
    rmSync(unpacked, { recursive: true, force: true });
    throw error;
  } finally {
    unlock();
    if (!isRestored && !wasThere && readdirSync(dataDir).length === 0) rmSync(dataDir, { recursive: true });
  }
}

async function unpack(file: string, folder: string, known: KnownVersions): Promise<Manifest> {
  let current: FileHandle | null = null;
  const folders = new Set([folder]);
  try {
    const manifest = await readBackup(file, known, {
      onFile: async (name) => {
        await finish(current);
        const path = join(folder, name);
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        folders.add(dirname(path));
        current = await open(path, 'wx', 0o600);
      },
      onBytes: async (bytes) => void (await current?.writeFile(bytes)),
    });
    await finish(current);
    current = null;
    for (const one of folders) await syncFolder(one);
    return manifest;
  } finally {
    await (current as FileHandle | null)?.close();
  }
}

async function finish(file: FileHandle | null): Promise<void> {
  await file?.sync();
  await file?.close();
}
