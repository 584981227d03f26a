import type { Config } from '../config/config.ts';
import { isLoopbackHost } from '../config/settings/loopback.ts';
import { type BackupParts, openBackup } from '../data-folder/backup/write-backup.ts';
import { keepOperatorCredential, operatorCredentialPath } from '../data-folder/operator-credential.ts';
import { createAdminServer } from '../gateway/admin/server.ts';
import type { Part } from '../gateway/health/health.ts';
import { listen } from '../gateway/http/listen.ts';
import type { Prometheus } from '../gateway/metrics/prometheus.ts';
import type { RateLimiter } from '../gateway/limits/rate-limiter.ts';
import { closeServer } from '../gateway/server/server.ts';
import { packageVersion } from '../common/package.ts';
import { newAdminToken } from '../platform/credentials/admin-token.ts';
import { LOG_VERSION } from '../platform/traffic/log-migrations.ts';
import type { TrafficLog } from '../platform/traffic/traffic-log.ts';
import type { MakerChecks } from '../rfq/conformance/index.ts';
import { copySqlite, LOG_FILE, SCHEMA_VERSION, STORE_FILE, type Store } from '../store/index.ts';
import type { LogDatabase } from '../store/log/log-database.ts';
import type { OpenMakers } from './makers.ts';
import type { Network } from './network.ts';
import type { StartContext } from './opening.ts';
import type { State } from './state.ts';
import { tlsOf } from './tls.ts';

/** What the operator looks after. */
export interface AdminDependencies {
  readonly parts: readonly Part[];
  readonly network: Pick<Network, 'embedded'>;
  readonly limiter: RateLimiter;
  readonly log: TrafficLog;
  readonly makers: Pick<OpenMakers, 'controls'>;
  /** Null where makers cannot be checked. */
  readonly makerChecks: MakerChecks | null;
  readonly metrics: Prometheus;
}

/**
 * Serves the operator's interface.
 * @returns its URL, and the file that keeps its credential; null: that is a setting
 * @throws OperatorError when the port or the certificate cannot be used
 */
export async function openAdmin(
  { config, logger, toClose }: StartContext,
  { folder, store, platform }: State,
  { parts, network, limiter, log, makers, makerChecks, metrics }: AdminDependencies,
): Promise<{ readonly url: string; readonly credentialFile: string | null }> {
  const operator = keepOperator(config, folder);
  const server = await createAdminServer({
    logger,
    parts,
    network: network.embedded,
    makers: makers.controls,
    metrics,
    platform: { parts: platform, limiter, traffic: log },
    ...(makerChecks === null ? {} : { makerChecks }),
    production: config.production,
    credential: operator.credential,
    exposed: !isLoopbackHost(config.adminHost),
    bounds: config.transport.bounds,
    tls: tlsOf(config.transport.adminTls, logger),
    backup: () => openBackup(backupParts(config, folder, { store, log: log.database })),
  });
  toClose(() => closeServer(server));
  const url = await listen(server, {
    host: config.adminHost,
    port: config.adminPort,
    setting: 'admin-port',
  });
  return { url, credentialFile: operator.path };
}

/** A database elsewhere is not in the folder, and has backups of its own. */
function backupParts(
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
function keepOperator({ adminCredential }: Config, folder: string) {
  if (adminCredential !== null) return { credential: adminCredential, path: null };
  const credential = keepOperatorCredential(folder, () => newAdminToken('operator'));
  return { credential, path: operatorCredentialPath(folder) };
}
