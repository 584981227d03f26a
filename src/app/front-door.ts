import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config/config.ts';
import type { BackupParts } from '../data-folder/backup/write-backup.ts';
import { keepOperatorCredential, operatorCredentialPath } from '../data-folder/operator-credential.ts';
import type { TlsFiles, TlsOptions } from '../gateway/tls.ts';
import { packageVersion } from '../package.ts';
import { newAdminToken } from '../platform/admin-token.ts';
import { LOG_VERSION } from '../platform/traffic/log-migrations.ts';
import { copySqlite, LOG_FILE, SCHEMA_VERSION, STORE_FILE, type Store } from '../store/index.ts';
import type { LogDatabase } from '../store/log-database.ts';

/** How a port speaks TLS by these files; null: it does not. */
export function tlsOf(
  files: TlsFiles | null,
  every: TlsOptions['every'],
  logger: FastifyBaseLogger,
): TlsOptions | null {
  if (files === null) return null;
  const onDefect = (error: unknown) =>
    logger.error({ err: error }, 'the new certificate cannot be used; the one before stays');
  return { files, every, onDefect };
}

/** A database elsewhere is not in the folder, and has backups of its own. */
export function backupParts(
  { databaseUrl }: Config,
  folder: string,
  { store, log }: { readonly store: Store; readonly log: LogDatabase },
): BackupParts {
  const databases = [
    { name: STORE_FILE, copyTo: (path: string) => copySqlite(store.db, path) },
    { name: LOG_FILE, copyTo: async (path: string) => void (await log.query('vacuum into $1', [path])) },
  ];
  return {
    folder,
    databases: databaseUrl === null ? databases : [],
    version: packageVersion(),
    schemaVersion: databaseUrl === null ? SCHEMA_VERSION : 0,
    logVersion: databaseUrl === null ? LOG_VERSION : 0,
    now: Date.now,
  };
}

/** The setting goes before the folder's, and is written nowhere. */
export function keepOperator({ adminCredential }: Config, folder: string) {
  if (adminCredential !== null) return { credential: adminCredential, path: null };
  const credential = keepOperatorCredential(folder, () => newAdminToken('operator'));
  return { credential, path: operatorCredentialPath(folder) };
}
