import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { OperatorError } from '../../common/operator-error.ts';
import { lockDataFolder } from '../lock.ts';
import {
  type KnownVersions,
  MAX_MANIFEST_BYTES,
  type Manifest,
  MANIFEST_NAME,
  parseManifest,
} from './manifest.ts';
import { contentsOf, finishRestore, putInPlace, UNPACKING } from './put-in-place.ts';
import { syncFolder } from './sync-folder.ts';
import { readTar } from './tar.ts';

export interface Restored {
  readonly manifest: Manifest;
  /** Where the folder that was there before is now; null when there was none. */
  readonly replaced: string | null;
}

export interface RestoreOptions {
  readonly file: string;
  readonly dataDir: string;
  /** Whether a folder with something in it may be moved aside. */
  readonly replace: boolean;
  readonly known: KnownVersions;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * Unpacks a backup within the data folder and puts it in the place of what is there when all of it was read and is
 * durable: whenever it ends before, the data folder is as it was, and afterwards the next start finishes it.
 * @throws OperatorError when the folder is in use or not empty, or the file is no whole backup or of a newer program
 */
export async function restoreBackup({
  file,
  dataDir,
  replace,
  known,
  now,
}: RestoreOptions): Promise<Restored> {
  if (contentsOf(dataDir).length > 0 && !replace) {
    throw new OperatorError(
      `data-dir ${dataDir} is not empty; choose another, or give --replace yes to move what is there aside`,
    );
  }
  const wasThere = existsSync(dataDir);
  const unlock = await lockDataFolder(dataDir);
  const unpacked = join(dataDir, UNPACKING);
  try {
    await finishRestore(dataDir);
    rmSync(unpacked, { recursive: true, force: true });
    mkdirSync(unpacked, { mode: 0o700 });
    const manifest = await unpack(file, unpacked, known);
    return { manifest, replaced: await putInPlace(dataDir, now()) };
  } catch (error) {
    rmSync(unpacked, { recursive: true, force: true });
    throw error;
  } finally {
    unlock();
    if (!wasThere && readdirSync(dataDir).length === 0) rmSync(dataDir, { recursive: true });
  }
}

async function unpack(file: string, folder: string, known: KnownVersions): Promise<Manifest> {
  const gunzip = createGunzip();
  const source = createReadStream(file);
  source.once('error', (error) => gunzip.destroy(error));
  let manifest: Manifest | null = null;
  let text = '';
  let current: FileHandle | null = null;
  const folders = new Set([folder]);
  try {
    for await (const part of readTar(source.pipe(gunzip))) {
      if (part.kind === 'bytes') {
        if (current === null) text += part.bytes.toString('utf8');
        else await current.writeFile(part.bytes);
        continue;
      }
      const { name, size } = part.entry;
      if (manifest === null && text === '') {
        if (name !== MANIFEST_NAME || size > MAX_MANIFEST_BYTES) throw notOurs();
        continue;
      }
      manifest ??= parseManifest(text, known);
      await finish(current);
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      folders.add(dirname(path));
      current = await open(path, 'wx', 0o600);
    }
    await finish(current);
    current = null;
    for (const one of folders) await syncFolder(one);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${file} cannot be restored: ${reasonOf(error)}`);
  } finally {
    await current?.close();
    source.destroy();
  }
  if (manifest === null) throw notOurs();
  return manifest;
}

/** Of what zlib says by itself nobody could tell that it is about the file. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isCompression = 'code' in error && String(error.code).startsWith('Z_');
  return isCompression
    ? `it is not what sluice backup wrote, or is damaged: ${error.message}`
    : error.message;
}

function notOurs(): OperatorError {
  return new OperatorError(`the file is no whole backup: it does not begin with ${MANIFEST_NAME}`);
}

async function finish(file: FileHandle | null): Promise<void> {
  await file?.sync();
  await file?.close();
}
