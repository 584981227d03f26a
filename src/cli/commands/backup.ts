import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Manifest } from '../../data-folder/backup/manifest.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { ADMIN_SETTINGS } from '../admin-client/admin-call.ts';
import type { Command } from '../command-line/command.ts';
import { UsageError } from '../command-line/command-line.ts';

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
      const { saveBackup } = await loadBackupFiles();
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
      const { KNOWN_VERSIONS, restoreBackup } = await loadBackupFiles();
      const { manifest, replaced } = await restoreBackup({
        file: resolve(cwd, name),
        dataDir: config.dataDir,
        replace: replace === 'yes',
        known: KNOWN_VERSIONS,
        now: Date.now,
      });
      const made = new Date(manifest.createdAt).toISOString();
      write(`restored ${config.dataDir} as it was at ${made}\n`);
      if (!hasDatabase(manifest)) {
        write('The backup holds no database. If the instance has a database-url, restore that one too.\n');
      }
      write(
        'Keys of vaults in it need the master key of then, which no backup holds: see custody-key-file.\n',
      );
      if (replaced !== null) write(`the previous contents are in ${replaced}\n`);
      return 0;
    },
  },
];

/** Loads what reads and writes the databases, which other commands do not need. */
function loadBackupFiles() {
  return import('./backup-files.ts');
}

/** Whether the backup contains the databases, which it does not when they are on PostgreSQL. */
function hasDatabase({ schemaVersion }: Manifest): boolean {
  return schemaVersion > 0;
}
