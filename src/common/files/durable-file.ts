import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file to a temporary name, `{path}.tmp`, and renames it once it is durable, so that it is never incomplete.
 * Yields to other work between the parts.
 *
 * @param mode - The permissions of the file, which the umask of the process may restrict.
 * @throws The error of the file system. The temporary file is then removed, because it would take up space on a full disk.
 *
 * @example
 * ```ts
 * import { writeDurably } from './durable-file.ts';
 *
 * await writeDurably('snapshot.bin', [new TextEncoder().encode('header'), new Uint8Array(1_024)]);
 * ```
 */
export async function writeDurably(path: string, parts: Iterable<Uint8Array>, mode = 0o666): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w', mode);
  try {
    try {
      for (const part of parts) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes the names in a folder durable. Windows has no such call and does not need one. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
