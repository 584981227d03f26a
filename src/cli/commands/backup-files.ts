import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../../config/config.ts';
import type { KnownVersions, Manifest } from '../../data-folder/backup/manifest.ts';
import { readBackup } from '../../data-folder/backup/read-backup.ts';
import { openBackup } from '../../data-folder/backup/write-backup.ts';
import { lockDataFolder } from '../../data-folder/lock.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { readPackageVersion } from '../../common/package.ts';
import { LOG_VERSION, SCHEMA_VERSION } from '../../app/tables.ts';
import { openStoppedStore } from '../../store/copy.ts';
import {
  ADMIN_PLACE,
  createAdminUrl,
  findAdminCredential,
  createUnauthorizedError,
} from '../admin-client/admin-call.ts';
import { openAnswer } from '../admin-client/pinned-request.ts';
import { awaitInstance } from '../admin-client/running-instance.ts';

export { restoreBackup } from '../../data-folder/backup/restore.ts';

const TIMEOUT_MS = 60 * 60 * 1_000;
const UNAUTHORIZED = 401;
export const KNOWN_VERSIONS: KnownVersions = { schemaVersion: SCHEMA_VERSION, logVersion: LOG_VERSION };

/** Writes the backup. The file gets its name only when it is complete, durable, and was read back. */
export async function saveBackup(
  config: Config,
  file: string,
): Promise<{ readonly bytes: number; readonly manifest: Manifest }> {
  const partial = `${file}.partial`;
  const { archive, close } = await source(config);
  try {
    const out = createWriteStream(partial, { mode: 0o600, flush: true });
    await pipeline(archive, out);
    const handle = await open(partial, 'r');
    const { size } = await handle.stat();
    await handle.close();
    const manifest = await readBackup(partial, KNOWN_VERSIONS);
    await rename(partial, file);
    return { bytes: size, manifest };
  } catch (error) {
    await rm(partial, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw error instanceof OperatorError ? error : new OperatorError(`${file} cannot be written: ${reason}`);
  } finally {
    await close();
  }
}

/**
 * Opens a backup: from the running instance, because only it may read its databases, or else from the folder.
 */
async function source(
  config: Config,
): Promise<{ readonly archive: Readable; readonly close: () => Promise<void> | void }> {
  const unlock = existsSync(config.dataDir) ? await lockIfFree(config.dataDir) : null;
  if (unlock === null) return fromInstance(config);
  try {
    const { databases, schemaVersion, logVersion, close } = await openStoppedStore(config.dataDir);
    const options = {
      folder: config.dataDir,
      databases,
      schemaVersion,
      logVersion,
      version: readPackageVersion(),
      now: Date.now,
    };
    const { archive } = await openBackup(options);
    return {
      archive,
      close: async () => {
        await close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Locks the data folder. Returns a function that releases the lock, or null when an instance holds it. */
async function lockIfFree(dataDir: string): Promise<(() => void) | null> {
  try {
    return await lockDataFolder(dataDir);
  } catch (error) {
    if (error instanceof OperatorError) return null;
    throw error;
  }
}

async function fromInstance(config: Config) {
  const credential = findAdminCredential(config);
  const url = createAdminUrl(config, 'backup');
  const asked = openAnswer(url, {
    method: 'POST',
    body: null,
    headers: credential === null ? {} : { authorization: `Bearer ${credential}` },
    certificateFile: config.transport.adminCertificate,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { answer, close } = await awaitInstance(asked, ADMIN_PLACE);
  if (answer.statusCode === 200) return { archive: answer, close };
  close();
  if (answer.statusCode === UNAUTHORIZED) throw createUnauthorizedError('the instance', config, credential);
  throw new OperatorError(`the instance refused a backup with HTTP ${answer.statusCode}`);
}
