import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { OperatorError } from '../../common/operator-error.ts';
import {
  type KnownVersions,
  MAX_MANIFEST_BYTES,
  type Manifest,
  MANIFEST_NAME,
  parseManifest,
} from './manifest.ts';
import { readTar } from './tar.ts';

/** Receives the files of a backup. Each call is awaited before the next one. */
export interface BackupReader {
  /** Called when a file begins, with its relative path. */
  readonly onFile: (name: string) => Promise<void>;
  /** Called with the bytes of the file that began last, in order. */
  readonly onBytes: (bytes: Uint8Array) => Promise<void>;
}

const IGNORE: BackupReader = { onFile: async () => {}, onBytes: async () => {} };

/**
 * Reads a whole backup and verifies all of its checksums. Without a reader, it only verifies.
 *
 * @param known - Versions of the databases that this program can read.
 * @throws OperatorError when the file is not a complete backup, or was written by a newer version.
 *
 * @example
 * ```ts
 * import { readBackup } from './read-backup.ts';
 *
 * const { createdAt } = await readBackup('backup.tgz', { schemaVersion: 3, logVersion: 2 });
 * ```
 */
export async function readBackup(
  file: string,
  known: KnownVersions,
  { onFile, onBytes }: BackupReader = IGNORE,
): Promise<Manifest> {
  const gunzip = createGunzip();
  const source = createReadStream(file);
  source.once('error', (error) => gunzip.destroy(error));
  let manifest: Manifest | null = null;
  let text: string | null = null;
  try {
    for await (const part of readTar(source.pipe(gunzip))) {
      if (part.kind === 'bytes') {
        if (manifest === null) text += part.bytes.toString('utf8');
        else await onBytes(part.bytes);
        continue;
      }
      const { name, size } = part.entry;
      if (text === null) {
        if (name !== MANIFEST_NAME || size > MAX_MANIFEST_BYTES) throw notOurs();
        text = '';
        continue;
      }
      manifest ??= parseManifest(text, known);
      await onFile(name);
    }
    // There may be no further files, when the instance has its database and its secrets elsewhere.
    if (text === null) throw notOurs();
    return manifest ?? parseManifest(text, known);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${file} cannot be restored: ${describeBackupError(error)}`);
  } finally {
    source.destroy();
  }
}

/** zlib's own messages do not say that they are about the file. */
function describeBackupError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isCompression = 'code' in error && String(error.code).startsWith('Z_');
  return isCompression
    ? `it was not written by sluice backup, or is damaged: ${error.message}`
    : error.message;
}

function notOurs(): OperatorError {
  return new OperatorError(`the file is not a complete backup: it does not begin with ${MANIFEST_NAME}`);
}
