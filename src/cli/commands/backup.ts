import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../../config/config.ts';
import type { KnownVersions, Manifest } from '../../data-folder/backup/manifest.ts';
import { readBackup } from '../../data-folder/backup/read-backup.ts';
import { restoreBackup } from '../../data-folder/backup/restore.ts';
import { openBackup } from '../../data-folder/backup/write-backup.ts';
import { lockDataFolder } from '../../data-folder/lock.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { packageVersion } from '../../common/package.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { LOG_VERSION } from '../../platform/traffic/log/log-migrations.ts';
import { openStoppedStore } from '../../store/copy.ts';
import { SCHEMA_VERSION } from '../../store/index.ts';
import {
  ADMIN_PLACE,
  ADMIN_SETTINGS,
  adminUrl,
  credentialOf,
  unauthorized,
} from '../admin-client/admin-call.ts';
import type { Command } from '../command-line/command.ts';
import { UsageError } from '../command-line/command-line.ts';
import { openAnswer } from '../admin-client/pinned-request.ts';
import { ofRunningInstance } from '../admin-client/running-instance.ts';

const TIMEOUT_MS = 60 * 60 * 1_000;
const UNAUTHORIZED = 401;
const KNOWN: KnownVersions = { schemaVersion: SCHEMA_VERSION, logVersion: LOG_VERSION };

export const BACKUP_COMMANDS: readonly Command[] = [
  {
    name: 'backup',
    summary:
      'Copy the data folder into one file, whether or not its instance runs. The file holds the secrets of the folder.',
    words: ['file'],
    settings: [...ADMIN_SETTINGS, 'database-url'],
    run: async ({ config, words: [name = ''], cwd, write }) => {
      const file = resolve(cwd, name);
      if (existsSync(file)) throw new OperatorError(`${file} exists already; choose another name`);
      const { bytes, manifest } = await saveBackup(config, file);
      write(`wrote ${file} (${bytes} bytes) and read it back\n`);
      if (!hasDatabase(manifest)) {
        write(
          'It holds no database. If the instance has a database-url, back up that database with pg_dump.\n',
        );
      }
      return 0;
    },
  },
  {
    name: 'restore',
    summary: 'Replace the data folder by a backup. Its instance must be stopped.',
    words: ['file'],
    settings: ['data-dir'],
    flags: [
      {
        name: 'replace',
        allowed: 'yes',
        description:
          'Move the contents of the data folder aside. Default: a folder that is not empty is refused.',
      },
    ],
    run: async ({ config, words: [name = ''], flags, cwd, write }) => {
      const replace = flags.get('replace');
      if (replace !== undefined && replace !== 'yes') {
        throw new UsageError(`flag --replace is ${formatForError(replace)}, but must be yes`);
      }
      const { manifest, replaced } = await restoreBackup({
        file: resolve(cwd, name),
        dataDir: config.dataDir,
        replace: replace === 'yes',
        known: KNOWN,
        now: Date.now,
      });
      const made = new Date(manifest.createdAt).toISOString();
      write(`restored ${config.dataDir} as it was at ${made}\n`);
      if (!hasDatabase(manifest)) {
        write('The backup holds no database. If the instance has a database-url, restore that one too.\n');
      }
      if (replaced !== null) write(`the previous contents are in ${replaced}\n`);
      return 0;
    },
  },
];

/** Whether the backup contains the databases, which it does not when they are on PostgreSQL. */
function hasDatabase({ schemaVersion }: Manifest): boolean {
  return schemaVersion > 0;
}

/** Writes the backup. The file gets its name only when it is complete, durable, and was read back. */
async function saveBackup(
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
    const manifest = await readBackup(partial, KNOWN);
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
      version: packageVersion(),
      now: Date.now,
    };
    const archive = await openBackup(options);
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
  const credential = credentialOf(config);
  const url = adminUrl(config, 'backup');
  const asked = openAnswer(url, {
    method: 'POST',
    body: null,
    headers: credential === null ? {} : { authorization: `Bearer ${credential}` },
    certificateFile: config.transport.adminCertificate,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { answer, close } = await ofRunningInstance(asked, ADMIN_PLACE);
  if (answer.statusCode === 200) return { archive: answer, close };
  close();
  if (answer.statusCode === UNAUTHORIZED) throw unauthorized('the instance', config, credential);
  throw new OperatorError(`the instance refused a backup with HTTP ${answer.statusCode}`);
}
