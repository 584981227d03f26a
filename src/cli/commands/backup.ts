import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../../config/config.ts';
import { restoreBackup } from '../../data-folder/backup/restore.ts';
import { openBackup } from '../../data-folder/backup/write-backup.ts';
import { lockDataFolder } from '../../data-folder/lock.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { packageVersion } from '../../common/package.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { LOG_VERSION } from '../../platform/traffic/log-migrations.ts';
import { openStoppedStore } from '../../store/copy.ts';
import { SCHEMA_VERSION } from '../../store/index.ts';
import { ADMIN_PLACE, ADMIN_SETTINGS, adminUrl, credentialOf, notLetIn } from '../admin-client/admin-call.ts';
import type { Command } from '../command-line/command.ts';
import { UsageError } from '../command-line/command-line.ts';
import { openAnswer } from '../admin-client/pinned-request.ts';
import { ofRunningInstance } from '../admin-client/running-instance.ts';

const TIMEOUT_MS = 60 * 60 * 1_000;
const UNAUTHORIZED = 401;

export const BACKUP_COMMANDS: readonly Command[] = [
  {
    name: 'backup',
    summary:
      'Copy the data folder into one file, whether its instance runs or not; the file holds its secrets.',
    words: ['file'],
    settings: [...ADMIN_SETTINGS, 'database-url'],
    run: async ({ config, words: [name = ''], cwd, write }) => {
      const file = resolve(cwd, name);
      if (existsSync(file)) throw new OperatorError(`${file} is there already; choose another name`);
      const bytes = await saveBackup(config, file);
      write(`wrote ${file} (${bytes} bytes)\n`);
      if (config.databaseUrl !== null) {
        write('It holds the data folder only: back up the database of database-url with pg_dump.\n');
      }
      return 0;
    },
  },
  {
    name: 'restore',
    summary: 'Put a backup in the place of the data folder, with its instance stopped.',
    words: ['file'],
    settings: ['data-dir'],
    flags: [
      {
        name: 'replace',
        allowed: 'yes',
        description: 'Move what is in the data folder aside. Default: only an empty folder is filled.',
      },
    ],
    run: async ({ config, words: [name = ''], flags, cwd, write }) => {
      const replace = flags.get('replace');
      if (replace !== undefined && replace !== 'yes') {
        throw new UsageError(`flag --replace is ${formatForError(replace)}, but allowed is yes`);
      }
      const { manifest, replaced } = await restoreBackup({
        file: resolve(cwd, name),
        dataDir: config.dataDir,
        replace: replace === 'yes',
        known: { schemaVersion: SCHEMA_VERSION, logVersion: LOG_VERSION },
        now: Date.now,
      });
      const made = new Date(manifest.createdAt).toISOString();
      write(`restored ${config.dataDir} as it was at ${made}\n`);
      if (replaced !== null) write(`what was there before is in ${replaced}\n`);
      return 0;
    },
  },
];

/** Under its name the file is there when it is whole and durable, or not at all. */
async function saveBackup(config: Config, file: string): Promise<number> {
  const partial = `${file}.partial`;
  const { archive, close } = await source(config);
  try {
    const out = createWriteStream(partial, { mode: 0o600, flush: true });
    await pipeline(archive, out);
    const handle = await open(partial, 'r');
    const { size } = await handle.stat();
    await handle.close();
    await rename(partial, file);
    return size;
  } catch (error) {
    await rm(partial, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw error instanceof OperatorError ? error : new OperatorError(`${file} cannot be written: ${reason}`);
  } finally {
    await close();
  }
}

/** From the running instance, because nobody else may read its databases; without one, from the folder itself. */
async function source(
  config: Config,
): Promise<{ readonly archive: Readable; readonly close: () => Promise<void> | void }> {
  const unlock = existsSync(config.dataDir) ? await lockIfFree(config.dataDir) : null;
  if (unlock === null) return fromInstance(config);
  try {
    const { databases, schemaVersion, logVersion, close } = await openStoppedStore(config.dataDir);
    const parts = {
      folder: config.dataDir,
      databases,
      schemaVersion,
      logVersion,
      version: packageVersion(),
      now: Date.now,
    };
    const archive = await openBackup(parts);
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

/** Null when an instance has it. */
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
  if (answer.statusCode === UNAUTHORIZED) throw notLetIn('the instance', config, credential);
  throw new OperatorError(`the instance refused a backup with HTTP ${answer.statusCode}`);
}
