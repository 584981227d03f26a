import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** Where a backup is unpacked, within the folder that it is for: that may be a mount, or stand where nothing can be made. */
export const UNPACKING = '.unpacking';
/** What was unpacked whole, with the time: what was there before is moved aside, and then it takes its place. */
const NEXT = '.restoring-';
const PLACED = '.restored-';
const REPLACED = '.replaced-';
/** The folder's own, what file systems keep at the top of a mount, and what restoring makes. */
const STAYS = /^(instance\.lock.*|lost\+found|\.unpacking|\.(restoring|restored|replaced)-\d+)$/;

/** Names in a data folder that a backup would bring, or replace. */
export function contentsOf(dataDir: string): readonly string[] {
  return existsSync(dataDir) ? readdirSync(dataDir).filter((name) => !STAYS.test(name)) : [];
}

/**
 * Puts what was unpacked in the place of what is there. From the first rename on it is finished by whoever opens the
 * folder next, should this process end.
 * @param now Unix milliseconds, which name where the old contents are kept
 * @returns that folder; null when there was nothing
 */
export async function putInPlace(dataDir: string, now: number): Promise<string | null> {
  renameSync(join(dataDir, UNPACKING), join(dataDir, `${NEXT}${now}`));
  await syncFolder(dataDir);
  await finishRestore(dataDir);
  const replaced = join(dataDir, `${REPLACED}${now}`);
  return existsSync(replaced) ? replaced : null;
}

/** Goes on with a restore that was interrupted; each step leaves what tells the next. The caller holds the lock. */
export async function finishRestore(
  dataDir: string,
  rename: (from: string, to: string) => void = renameSync,
): Promise<void> {
  for (const name of readdirSync(dataDir).filter((one) => one.startsWith(NEXT))) {
    const time = name.slice(NEXT.length);
    const old = contentsOf(dataDir);
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
