import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../common/files/durable-file.ts';

/** A backup is unpacked inside the data folder, because the folder may be a mount, or its parent may be read-only. */
export const UNPACKING = '.unpacking';
/**
 * The prefixes of a restore's folders, which are followed by its time: for the unpacked backup, for the one that has
 * replaced the old contents, and for the old contents.
 */
const NEXT = '.restoring-';
const PLACED = '.restored-';
const REPLACED = '.replaced-';
/**
 * Names that a restore does not touch: the lock, the master key of vaults (which no backup holds), folders of the file system
 * at the top of a mount, and its own folders.
 */
const STAYS = /^(instance\.lock.*|custody-key|lost\+found|\.unpacking|\.(restoring|restored|replaced)-\d+)$/;

/** Returns the names in a data folder that a restore would replace. */
export function listDataFolder(dataDir: string): readonly string[] {
  return existsSync(dataDir) ? readdirSync(dataDir).filter((name) => !STAYS.test(name)) : [];
}

/**
 * Replaces the contents of the data folder with the unpacked backup. If this process ends after the first rename, the next
 * process that opens the folder finishes the restore.
 *
 * @param now - Unix milliseconds, which become part of the name of the folder with the old contents.
 * @returns The folder with the old contents; null when there were none.
 */
export async function putInPlace(dataDir: string, now: number): Promise<string | null> {
  renameSync(join(dataDir, UNPACKING), join(dataDir, `${NEXT}${now}`));
  await syncFolder(dataDir);
  await finishRestore(dataDir);
  const replaced = join(dataDir, `${REPLACED}${now}`);
  return existsSync(replaced) ? replaced : null;
}

/** Finishes a restore that was interrupted. The names of the folders show which step is next. The caller holds the lock. */
export async function finishRestore(
  dataDir: string,
  rename: (from: string, to: string) => void = renameSync,
): Promise<void> {
  for (const name of readdirSync(dataDir).filter((one) => one.startsWith(NEXT))) {
    const time = name.slice(NEXT.length);
    const old = listDataFolder(dataDir);
    const aside = join(dataDir, `${REPLACED}${time}`);
    if (old.length > 0) mkdirSync(aside, { recursive: true, mode: 0o700 });
    for (const one of old) rename(join(dataDir, one), join(aside, one));
    await syncFolder(dataDir);
    rename(join(dataDir, name), join(dataDir, `${PLACED}${time}`));
  }
  for (const name of readdirSync(dataDir).filter((one) => one.startsWith(PLACED))) {
    const from = join(dataDir, name);
    for (const one of readdirSync(from)) rename(join(from, one), join(dataDir, one));
    await syncFolder(dataDir);
    rmSync(from, { recursive: true });
  }
}
