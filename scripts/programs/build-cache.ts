import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { env, pid } from 'node:process';
import { type Buildable, sourceHash } from './manifest.ts';
import type { Toolchain } from './toolchain.ts';

/**
 * The folder of what the toolchain has built. It is in the user's cache folder, so that a new clone finds it too. Each name
 * in it is a hash of everything that affects the bytes. The folder may be removed at any time.
 */
export const PROGRAM_CACHE = join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sluice-programs');

/** Returns where a program's binary is kept. The path depends on its sources, its name and the toolchain. */
export async function getCachedBinaryPath(toolchain: Toolchain, program: Buildable): Promise<string> {
  const key = createHash('sha256')
    .update(`${program.name}\n${await sourceHash(program)}\n${toolchain.version}`)
    .digest('hex');
  return join(PROGRAM_CACHE, 'binaries', `${key}.so`);
}

/** Returns a kept binary, or null when there is none. */
export async function readCachedBinary(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path);
  } catch {
    return null;
  }
}

/** Keeps a binary. Several builds may keep the same one at the same time. */
export async function keepBinary(path: string, binary: Uint8Array): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  const partial = `${path}.${pid}`;
  await writeFile(partial, binary);
  await rename(partial, path);
}
