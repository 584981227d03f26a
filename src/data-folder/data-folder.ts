import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finishRestore } from './put-in-place.ts';
import { lockDataFolder } from './lock.ts';

export interface DataFolder {
  readonly path: string;
  readonly close: () => void;
}

/**
 * Locks the data folder for this process, and finishes a restore that was interrupted.
 *
 * @param ephemeral - Whether to use a new temporary folder instead, which `close` removes with its contents.
 * @param onWait - Called with a sentence when it takes some seconds to see whether another instance still holds the
 *   folder.
 * @throws OperatorError when another instance holds the folder.
 *
 * @example
 * ```ts
 * import { openDataFolder } from './data-folder.ts';
 *
 * const { path, close } = await openDataFolder('.sluice', false, console.warn);
 * console.log(path);
 * close();
 * ```
 */
export async function openDataFolder(
  dataDir: string,
  ephemeral: boolean,
  onWait?: (reason: string) => void,
): Promise<DataFolder> {
  if (!ephemeral) {
    const close = await lockDataFolder(dataDir, onWait === undefined ? {} : { onWait });
    try {
      await finishRestore(dataDir);
    } catch (error) {
      close();
      throw error;
    }
    return { path: dataDir, close };
  }
  const path = mkdtempSync(join(tmpdir(), 'sluice-'));
  return { path, close: () => rmSync(path, { recursive: true, force: true }) };
}
