import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { readPackageVersion } from '../../common/package.ts';
import type { PlatformDependencies } from '../../platform/dependencies.ts';
import type { TrafficLog } from '../../platform/traffic/log/traffic-log.ts';
import type { ReadinessCheck } from '../../products/product.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { registerDocs } from '../docs/reference/routes.ts';
import { registerHealth } from '../health/health.ts';
import type { Prometheus } from '../metrics/prometheus.ts';
import { registerMetrics } from '../metrics/routes.ts';
import { ADMIN_SECURITY, ADMIN_TAGS, documentRoutes } from '../docs/openapi.ts';
import { type Bounds, createServer } from '../server/server.ts';
import type { TlsOptions } from '../http/tls.ts';
import { addAccess, createSecretComparison } from './access/access.ts';
import { type RepeatEvery, repeatEvery } from '../../common/ports/timers.ts';
import { endStreamsOfOthers } from './access/end-streams.ts';
import { SignInCheck } from './access/sign-in.ts';
import { SESSION_ENDPOINTS } from './sessions/session-endpoints.ts';
import { isAdminToken } from '../../platform/credentials/admin-token.ts';
import { registerAdminDocument } from '../portal/portal-data.ts';
import { PORTAL_PATH } from '../portal/portal-pages.ts';
import type { ForwardSource, PublicForward } from './forward/public-forward.ts';
import { BACKUP_ENDPOINTS, type BackupFacts } from './backup/backup-endpoint.ts';
import type { Backups } from './backup/backups.ts';
import { ALERT_ENDPOINTS, type AlertServices } from './alerts/alert-endpoints.ts';
import { SETTINGS_ENDPOINT, type SettingsReports } from './settings/settings-endpoint.ts';
import { joinServices } from './endpoint/admin-endpoint.ts';
import { registerAdminEndpoint } from './endpoint/register-endpoint.ts';
import type { CheckRuns } from '../../rfq/conformance/index.ts';
import { MAKER_ENDPOINTS, type MakerControls } from './makers/maker-endpoints.ts';
import { LEDGER_ENDPOINTS } from './ledger/ledger-endpoints.ts';
import { LANDING_ENDPOINTS } from './landings/landing-endpoints.ts';
import { OPERATION_ENDPOINTS, type ReadOperation } from './operation/operation-endpoints.ts';
import type { OrderLedger } from '../../swaps/ledger/order-ledger.ts';
import type { LandingReports } from '../../transactions/reports/landing-reports.ts';
import { MAKER_STATISTICS_ENDPOINT } from './makers/maker-statistics-endpoint.ts';
import { MAKER_CHECK_ENDPOINTS } from './makers/maker-check-endpoints.ts';
import { NETWORK_ENDPOINTS } from './network/network-endpoints.ts';
import type { AdminNetwork, PoolFollower } from './network/network-services.ts';
import { recordControl } from './network/record-control.ts';
import { registerNetwork } from './network/register-network.ts';
import { type SandboxWallet, WALLET_ENDPOINTS } from './network/wallet-endpoints.ts';
import { createRequestFaults, type RequestFaults } from '../pipeline/request-faults.ts';
import { KEYLESS_LIMITS } from '../../platform/plans/plans.ts';
import type { KeylessSettings } from '../../platform/plans/plan-limits.ts';
import { PLATFORM_ENDPOINTS } from './platform/platform-endpoints.ts';
import { PREDICTION_ENDPOINTS, type PredictionControls } from './predictions/prediction-endpoints.ts';
import { TOKEN_ENDPOINTS, type TokenControls } from './token-decisions/token-endpoints.ts';
import { WAITING_ORDER_ENDPOINTS, type WaitingOrderControls } from './waiting/waiting-endpoints.ts';
import { VAULT_ENDPOINTS, type VaultControls } from './vaults/vault-endpoints.ts';
import { TRAFFIC_ENDPOINTS } from './traffic/traffic-endpoints.ts';
import { LOG_ENDPOINTS } from './traffic/log-endpoints.ts';
import { FIREWALL_PREVIEW_ENDPOINT } from './firewall/firewall-preview-endpoint.ts';
import { FirewallPreviews } from './firewall/firewall-previews.ts';
import { LIVE_LOG_ENDPOINTS } from './traffic/live-log-endpoints.ts';

export interface AdminServerOptions {
  readonly logger: FastifyBaseLogger;
  /** What `/readyz` checks. */
  readonly readiness: readonly ReadinessCheck[];
  /** The embedded network; null over an outside RPC. */
  readonly network: AdminNetwork | null;
  /** Default: null, the pools cannot follow prices. */
  readonly follower?: PoolFollower | null;
  /** The wallets of the embedded network that the operator may sign with. Default: null, nothing is signed. */
  readonly wallets?: readonly SandboxWallet[] | null;
  readonly platform: PlatformDependencies;
  /** Counts how much of its plan's limits an organisation uses. */
  readonly limiter: RateLimiter;
  /** The request log. Default: nothing is logged or counted. */
  readonly traffic?: TrafficLog;
  /** The limits of callers without a key, for display. Default: the usual limits. */
  readonly keyless?: KeylessSettings;
  /** Default: there are no endpoints for makers. */
  readonly makers?: MakerControls;
  /** Default: there are no conformance checks of makers. */
  readonly makerChecks?: CheckRuns;
  /** Default: there are no endpoints for tokens. */
  readonly tokenControls?: TokenControls;
  /** Default: there are no endpoints for prediction markets. */
  readonly predictions?: PredictionControls;
  /** Default: there are no endpoints for landed transactions. */
  readonly landingReports?: Pick<LandingReports, 'find' | 'list' | 'lost'>;
  /** Default: there are no endpoints for the ledger of orders. */
  readonly ledger?: OrderLedger;
  /** Default: there are no endpoints for orders that wait. */
  readonly waitingOrders?: WaitingOrderControls;
  /** Default: there are no endpoints for vaults. */
  readonly vaults?: VaultControls;
  /** Faults of requests to the public server. Default: of no server. */
  readonly requestFaults?: RequestFaults | null;
  /** Whether the controls of the network are refused. */
  readonly production: boolean;
  /** The operator's credential. */
  readonly credential: string;
  /** Whether the server will listen on other addresses than loopback. Default: false. */
  readonly exposed?: boolean;
  readonly bounds: Bounds;
  /** Default: plain HTTP/1.1. */
  readonly tls?: TlsOptions | null;
  /** Backups of the data folder. Default: there are no endpoints for backups. */
  readonly backup?: { readonly backups: Backups; readonly facts: BackupFacts };
  /** Default: there is no endpoint for the settings. */
  readonly settings?: SettingsReports;
  /** Hands requests for public paths to the public server. Default: there are none. */
  readonly forward?: PublicForward;
  /** Whether the public server has the portal. Default: false. */
  readonly portal?: boolean;
  /** Default: there is no endpoint about the operation of the instance. */
  readonly operation?: ReadOperation;
  /** The alerts that this instance evaluates. Default: there are no endpoints for alerts. */
  readonly alerts?: AlertServices;
  /** Default: there is no `/metrics`. */
  readonly metrics?: Prometheus;
  /** Asks again and again whether the readers of long answers are still let in. Default: by the timers of the system. */
  readonly every?: RepeatEvery;
}

/**
 * Creates the admin server: the platform, the makers, the controls of the embedded network, backups, health and metrics.
 * Returns the server, ready to listen.
 * @throws OperatorError if the certificate files cannot be used
 */
export function createAdminServer(options: AdminServerOptions): Promise<FastifyInstance> {
  const { logger, readiness, platform, traffic, production, credential, bounds, metrics } = options;
  const { exposed = false, tls = null, forward, portal = false, every = repeatEvery } = options;
  const isOperator = createSecretComparison(credential);
  const signIn = new SignInCheck({ platform, credential, isOperatorToken: isOperator });
  let source: ForwardSource | null = null;
  return createServer({
    logger,
    trustedProxies: [],
    bounds,
    tls,
    ...(forward === undefined
      ? {}
      : {
          takeOver: (request, response) => source !== null && forward.takeOver(source, request, response),
        }),
    register: async (app) => {
      source = { app, exposed, isAdminToken: (token) => isAdminToken(token) || isOperator(token) };
      const buildDocument = await documentRoutes(app, {
        version: readPackageVersion(),
        refusals: (free) => (free ? [403] : [401, 403]),
        tags: ADMIN_TAGS,
        security: ADMIN_SECURITY,
      });
      addAccess(app, { platform, isOperatorToken: isOperator, operatorHash: signIn.operatorHash, exposed });
      endStreamsOfOthers(app, platform, every);
      registerNetwork(app, joinNetworkEndpoints(options), production);
      for (const endpoint of joinServices('sessions', SESSION_ENDPOINTS, signIn))
        registerAdminEndpoint(app, endpoint);
      for (const endpoint of joinEndpoints(options)) registerAdminEndpoint(app, endpoint);
      // An open connection to the live log would keep the server from closing.
      app.addHook('preClose', async () => traffic?.live.close());
      registerHealth(app, readiness);
      if (metrics !== undefined) registerMetrics(app, metrics);
      if (portal) registerAdminDocument(app, buildDocument);
      registerDocs(app, buildDocument, '/docs', portal ? PORTAL_PATH : '/docs');
    },
  });
}

/** Returns all endpoints but those of the embedded network. */
function joinEndpoints({
  platform,
  limiter,
  traffic,
  keyless = { main: KEYLESS_LIMITS.main, local: KEYLESS_LIMITS.main },
  makers,
  tokenControls,
  predictions,
  landingReports,
  ledger,
  waitingOrders,
  vaults,
  backup,
  operation,
  alerts,
  settings,
}: AdminServerOptions) {
  const trafficServices = traffic && { platform, log: traffic };
  return [
    ...joinServices('platform', PLATFORM_ENDPOINTS, { platform, limiter, traffic: traffic ?? null, keyless }),
    ...joinServices('makers', MAKER_ENDPOINTS, makers),
    ...joinServices('makers', [MAKER_STATISTICS_ENDPOINT], makers && ledger && { ...makers, ledger }),
    ...joinServices('token decisions', TOKEN_ENDPOINTS, tokenControls),
    ...joinServices('prediction markets', PREDICTION_ENDPOINTS, predictions),
    ...joinServices('landings', LANDING_ENDPOINTS, landingReports && { platform, reports: landingReports }),
    ...joinServices('orders', LEDGER_ENDPOINTS, ledger && { platform, ledger }),
    ...joinServices('orders', WAITING_ORDER_ENDPOINTS, waitingOrders),
    ...joinServices('vaults', VAULT_ENDPOINTS, vaults),
    ...joinServices(
      'platform',
      [...LOG_ENDPOINTS, ...LIVE_LOG_ENDPOINTS, ...TRAFFIC_ENDPOINTS],
      trafficServices,
    ),
    ...joinServices(
      'platform',
      [FIREWALL_PREVIEW_ENDPOINT],
      trafficServices && new FirewallPreviews(trafficServices),
    ),
    ...joinServices('instance', BACKUP_ENDPOINTS, backup && { platform, ...backup }),
    ...joinServices('instance', OPERATION_ENDPOINTS, operation),
    ...joinServices('instance', ALERT_ENDPOINTS, alerts),
    ...joinServices('instance', [SETTINGS_ENDPOINT], settings),
  ];
}

/** Returns the endpoints of the embedded network; null over an outside RPC. */
function joinNetworkEndpoints({
  network,
  platform,
  follower = null,
  wallets = null,
  requestFaults,
  makers,
  makerChecks,
}: AdminServerOptions) {
  if (network === null) return null;
  const services = { network, follower, requestFaults: requestFaults ?? createRequestFaults() };
  const controls = [
    ...joinServices('network', NETWORK_ENDPOINTS, services),
    ...joinServices('network', WALLET_ENDPOINTS, { platform, wallets }),
    ...joinServices(
      'makers',
      MAKER_CHECK_ENDPOINTS,
      makers && makerChecks && { ...makers, checks: makerChecks },
    ),
  ];
  return controls.map((control) => recordControl(platform, control));
}
