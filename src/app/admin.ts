import type { Config } from '../config/config.ts';
import { isLoopbackHost } from '../config/settings/kinds/loopback.ts';
import { type BackupOptions, openBackup } from '../data-folder/backup/write-backup.ts';
import { keepOperatorCredential, getOperatorCredentialPath } from '../data-folder/operator-credential.ts';
import type { MasterKeys } from '../custody/keys/master-key.ts';
import type { AlertServices } from '../gateway/admin/alerts/alert-endpoints.ts';
import type { PredictionControls } from '../gateway/admin/predictions/prediction-endpoints.ts';
import { Backups } from '../gateway/admin/backup/backups.ts';
import type { ReadOperation } from '../gateway/admin/operation/operation-endpoints.ts';
import { createAdminServer } from '../gateway/admin/server.ts';
import type { SandboxWallet } from '../gateway/admin/network/wallet-endpoints.ts';
import type { PublicForward } from '../gateway/admin/forward/public-forward.ts';
import type { RequestFaults } from '../gateway/pipeline/request-faults.ts';
import type { ReadinessCheck } from '../products/product.ts';
import { listen } from '../gateway/http/listen.ts';
import type { Prometheus } from '../gateway/metrics/prometheus.ts';
import type { RateLimiter } from '../gateway/limits/rate-limiter.ts';
import { closeServer } from '../gateway/server/server.ts';
import { readPackageVersion } from '../common/package.ts';
import { createAdminToken } from '../platform/credentials/admin-token.ts';
import { recordBackup } from '../platform/audit/backup-records.ts';
import type { TrafficLog } from '../platform/traffic/log/traffic-log.ts';
import type { MakerChecks } from '../rfq/conformance/index.ts';
import { copySqlite, LOG_FILE, STORE_FILE, type Store } from '../store/index.ts';
import type { MarketData } from '../market-data/market-data.ts';
import type { OrderLedger } from '../swaps/ledger/order-ledger.ts';
import type { LandingReports } from '../transactions/reports/landing-reports.ts';
import type { LogDatabase } from '../store/log/log-database.ts';
import type { OpenMakers } from './makers/makers.ts';
import type { OpenedNetwork } from './state/network.ts';
import type { StartContext } from './state/start-context.ts';
import type { PriceFollower } from '../sandbox/price-follower.ts';
import type { AppState } from './state/state.ts';
import type { WaitingOrders } from '../waiting-orders/opening/open-waiting-orders.ts';
import type { InForceFacts } from './settings/in-force.ts';
import { openSettingsReports } from './settings/open-settings.ts';
import { createTlsOptions } from '../gateway/http/tls.ts';
import { LOG_VERSION, SCHEMA_VERSION } from './tables.ts';
import type { OpenTokens } from './market/tokens.ts';

/** What the admin interface shows and controls. */
export interface AdminDependencies {
  readonly readiness: readonly ReadinessCheck[];
  readonly network: Pick<OpenedNetwork, 'embedded' | 'wallets'>;
  /** Null over an outside RPC and in production. */
  readonly follower: PriceFollower | null;
  readonly limiter: RateLimiter;
  readonly log: TrafficLog;
  readonly makers: Pick<OpenMakers, 'controls'>;
  /** Null where makers cannot be checked. */
  readonly makerChecks: MakerChecks | null;
  readonly waitingOrders: Pick<WaitingOrders, 'orders'>;
  readonly tokens: Pick<OpenTokens, 'decisions' | 'requests'>;
  /** Null over an outside RPC, whose prediction markets are not this instance's. */
  readonly predictions: Omit<PredictionControls, 'platform'> | null;
  readonly landingReports: LandingReports;
  readonly ledger: OrderLedger;
  readonly marketData: Pick<MarketData, 'price'>;
  /** The master keys of vaults. Null when this instance has none. */
  readonly masters: MasterKeys | null;
  readonly metrics: Prometheus;
  readonly alerts: AlertServices;
  /** Null over an outside RPC. */
  readonly requestFaults: RequestFaults | null;
  readonly forward: PublicForward;
  readonly operation: ReadOperation;
  /** Returns where the ports listen, once they do. */
  readonly getUrls: () => InForceFacts['urls'];
}

/**
 * Serves the admin interface.
 * Returns its URL, and the file that holds the operator's credential; null when the credential is a setting.
 * @throws OperatorError when the port or the certificate cannot be used
 */
export async function openAdmin(
  { config, logger, toClose, start }: StartContext,
  { folder, store, platform }: AppState,
  {
    readiness,
    network,
    follower,
    limiter,
    log,
    makers,
    makerChecks,
    waitingOrders,
    tokens,
    predictions,
    landingReports,
    ledger,
    marketData,
    masters,
    metrics,
    alerts,
    requestFaults,
    forward,
    operation,
    getUrls,
  }: AdminDependencies,
): Promise<{ readonly url: string; readonly credentialFile: string | null }> {
  const operator = resolveOperatorCredential(config, folder);
  const settings = await openSettingsReports(
    { config, ...(start === undefined ? {} : { start }) },
    { folder, store, schemaVersion: SCHEMA_VERSION },
    () => ({
      folder,
      urls: getUrls(),
      hasMasterKey: masters !== null,
    }),
  );
  const server = await createAdminServer({
    ...(settings === undefined ? {} : { settings }),
    logger,
    readiness,
    network: network.embedded,
    wallets: isLoopbackHost(config.adminHost) ? listSandboxWallets(network) : null,
    follower,
    makers: makers.controls,
    metrics,
    alerts,
    requestFaults,
    forward,
    operation,
    portal: config.portal,
    platform,
    limiter,
    traffic: log,
    keyless: { main: config.keylessLimit, local: config.keylessLocalLimit },
    ...(makerChecks === null ? {} : { makerChecks }),
    tokenControls: { platform, decisions: tokens.decisions, requests: tokens.requests },
    ...(predictions === null ? {} : { predictions: { platform, ...predictions } }),
    landingReports,
    ledger,
    waitingOrders: {
      store,
      orders: waitingOrders.orders,
      priceOf: (mint) => marketData.price(mint)?.usdPrice ?? null,
    },
    vaults: { platform, masters },
    production: config.production,
    credential: operator.credential,
    exposed: !isLoopbackHost(config.adminHost),
    bounds: config.transport.bounds,
    tls: createTlsOptions(config.transport.adminTls, logger),
    backup: {
      backups: new Backups({
        open: () => openBackup(backupOptions(config, folder, { store, log: log.database })),
        record: (actor, record) =>
          recordBackup(platform, actor, record).catch((error: unknown) =>
            logger.warn({ err: error, ...record }, 'a backup could not be written to the audit log'),
          ),
        now: Date.now,
      }),
      facts: {
        dataFolder: folder,
        ephemeral: config.ephemeral,
        database: config.databaseUrl === null,
        masterKey: masters !== null,
      },
    },
  });
  toClose(() => closeServer(server));
  const url = await listen(server, {
    host: config.adminHost,
    port: config.adminPort,
    setting: 'admin-port',
  });
  return { url, credentialFile: operator.path };
}

/** Returns the wallets whose keypair files the data folder has. */
function listSandboxWallets({ wallets }: Pick<OpenedNetwork, 'wallets'>): readonly SandboxWallet[] {
  if (wallets === null) return [];
  return [
    { name: 'demo', keypair: wallets.demo },
    { name: 'demo-maker', keypair: wallets.demoMaker },
    { name: 'demo-webhook-maker', keypair: wallets.webhookMaker },
    { name: 'liquidator', keypair: wallets.liquidator },
  ];
}

/** Databases on PostgreSQL are not part of the backup. */
function backupOptions(
  { databaseUrl }: Config,
  folder: string,
  { store, log }: { readonly store: Store; readonly log: LogDatabase },
): BackupOptions {
  const databases = [
    { name: STORE_FILE, copyTo: (path: string) => copySqlite(store.db, path) },
    { name: LOG_FILE, copyTo: async (path: string) => void (await log.query('vacuum into $1', [path])) },
  ];
  return {
    folder,
    databases: databaseUrl === null ? databases : [],
    version: readPackageVersion(),
    schemaVersion: databaseUrl === null ? SCHEMA_VERSION : 0,
    logVersion: databaseUrl === null ? LOG_VERSION : 0,
    now: Date.now,
  };
}

/** The setting takes precedence over the data folder's credential, and is never written to disk. */
function resolveOperatorCredential({ adminCredential }: Config, folder: string) {
  if (adminCredential !== null) return { credential: adminCredential, path: null };
  const credential = keepOperatorCredential(folder, () => createAdminToken('operator'));
  return { credential, path: getOperatorCredentialPath(folder) };
}
