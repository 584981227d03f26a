import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataFolder } from './lock.ts';

export interface DataFolder {
  readonly path: string;
  readonly close: () => void;
}

/**
 * The folder for this process alone. With `ephemeral` it is a new one among the system's temporary folders, which is
 * removed at the end with all that is in it.
 * @throws OperatorError when another instance holds it
 */
export function openDataFolder(dataDir: string, ephemeral: boolean): DataFolder {
  if (!ephemeral) return { path: dataDir, close: lockDataFolder(dataDir) };
  const path = mkdtempSync(join(tmpdir(), 'sluice-'));
  return { path, close: () => rmSync(path, { recursive: true, force: true }) };
}
