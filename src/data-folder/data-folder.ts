import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finishRestore } from './backup/put-in-place.ts';
import { lockDataFolder } from './lock.ts';

export interface DataFolder {
  readonly path: string;
  readonly close: () => void;
}

/**
 * The folder for this process alone. With `ephemeral` it is a new one among the system's temporary folders, which is
 * removed at the end with all that is in it. A restore that was interrupted is finished first.
 * @throws OperatorError when another instance holds it
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
