import type { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { readPackageVersion } from '../../common/package.ts';
import type { PlatformDependencies } from '../../platform/dependencies.ts';
import type { TrafficLog } from '../../platform/traffic/log/traffic-log.ts';
import type { ReadinessCheck } from '../../products/product.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { registerDocs } from '../docs/routes.ts';
import { registerHealth } from '../health/health.ts';
import type { Prometheus } from '../metrics/prometheus.ts';
import { registerMetrics } from '../metrics/routes.ts';
import { ADMIN_SECURITY, ADMIN_TAGS, documentRoutes } from '../docs/openapi.ts';
import { type Bounds, createServer } from '../server/server.ts';
import type { TlsOptions } from '../http/tls.ts';
import { addAccess } from './access/access.ts';
import { registerBackup } from './backup/backup-endpoint.ts';
import { registerFirewall } from './platform/firewall-endpoints.ts';
import type { CheckRuns } from '../../rfq/conformance/index.ts';
import { type MakerControls, registerMakers } from './makers/maker-endpoints.ts';
import { registerLanding } from './landings/landing-endpoints.ts';
import type { LandingReports } from '../../transactions/reports/landing-reports.ts';
import { registerMakerChecks } from './makers/maker-check-endpoints.ts';
import { registerMembers } from './platform/member-endpoints.ts';
import type { AdminNetwork } from './network/network-controls.ts';
import { registerNetworkControls } from './network/network-endpoints.ts';
import { registerRequestFaults } from './network/request-fault-endpoints.ts';
import { registerReset } from './network/reset-endpoint.ts';
import type { RequestFaults } from '../pipeline/request-faults.ts';
import { registerAudit } from './platform/audit-endpoints.ts';
import { registerKeys } from './platform/key-endpoints.ts';
import { KEYLESS_LIMITS } from '../../platform/plans/plans.ts';
import type { KeylessSettings } from '../../platform/plans/plan-limits.ts';
import { registerOrganisations } from './platform/organisation-endpoints.ts';
import { registerPlans } from './platform/plan-endpoints.ts';
import { registerTeamMembers } from './platform/team-member-endpoints.ts';
import { registerTeams } from './platform/team-endpoints.ts';
import { registerTokens, type TokenControls } from './token-decisions/token-endpoints.ts';
import { registerTraffic } from './traffic/traffic-endpoints.ts';
import { registerLog } from './traffic/log-endpoints.ts';
import { registerLiveLog } from './traffic/live-log-endpoints.ts';

/** What the admin server is created with. */
export interface AdminServerOptions {
  readonly logger: FastifyBaseLogger;
  /** What `/readyz` checks. */
  readonly readiness: readonly ReadinessCheck[];
  /** The controls of the embedded network; null over an outside RPC. */
  readonly network: AdminNetwork | null;
  readonly platform: PlatformDependencies;
  /** Counts how much of its plan's limits an organisation uses. */
  readonly limiter: RateLimiter;
  /** The request log. Default: nothing is logged or counted. */
  readonly traffic?: TrafficLog;
  /** The limits of callers without a key, for display. Default: the usual limits. */
  readonly keyless?: KeylessSettings;
  /** Default: there are no routes for makers. */
  readonly makers?: MakerControls;
  /** Default: there are no conformance checks of makers. */
  readonly makerChecks?: CheckRuns;
  /** Default: there are no routes for tokens. */
  readonly tokenControls?: TokenControls;
  /** Default: there are no routes for landed transactions. */
  readonly landingReports?: Pick<LandingReports, 'find'>;
  /** Faults of requests to the public server. Default: null, there are no routes for them. */
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
  /** Begins a backup of the data folder. Default: there is no route for backups. */
  readonly backup?: () => Promise<Readable>;
  /** Default: there is no `/metrics`. */
  readonly metrics?: Prometheus;
}

/**
 * Creates the admin server: the platform, the makers, the controls of the embedded network, backups, health and metrics.
 * @returns the server, ready to listen
 * @throws OperatorError if the certificate files cannot be used
 */
export function createAdminServer({
  logger,
  readiness,
  network,
  platform,
  limiter,
  traffic,
  keyless = { main: KEYLESS_LIMITS.main, local: KEYLESS_LIMITS.main },
  makers,
  makerChecks,
  tokenControls,
  landingReports,
  requestFaults = null,
  production,
  credential,
  exposed = false,
  bounds,
  tls = null,
  backup,
  metrics,
}: AdminServerOptions): Promise<FastifyInstance> {
  return createServer({
    logger,
    trustedProxies: [],
    bounds,
    tls,
    register: async (app) => {
      const buildDocument = await documentRoutes(app, {
        version: readPackageVersion(),
        refusals: (free) => (free ? [403] : [401, 403]),
        tags: ADMIN_TAGS,
        security: ADMIN_SECURITY,
      });
      addAccess(app, { platform, credential, exposed });
      registerNetworkControls(app, network, production, (scope) => {
        if (makers !== undefined && makerChecks !== undefined)
          registerMakerChecks(scope, makers, makerChecks);
        if (requestFaults !== null) registerRequestFaults(scope, requestFaults);
        if (network !== null) registerReset(scope, network, requestFaults);
      });
      registerPlans(app, platform, keyless);
      registerOrganisations(app, platform, limiter, traffic ?? null);
      registerTeams(app, platform);
      registerTeamMembers(app, platform);
      registerKeys(app, platform);
      registerAudit(app, platform);
      registerMembers(app, platform);
      registerFirewall(app, platform);
      if (makers !== undefined) registerMakers(app, makers);
      if (tokenControls !== undefined) registerTokens(app, tokenControls);
      if (landingReports !== undefined) registerLanding(app, platform, landingReports);
      if (traffic !== undefined) {
        registerLog(app, platform, traffic);
        registerLiveLog(app, platform, traffic);
        registerTraffic(app, platform, traffic);
      }
      if (backup !== undefined) registerBackup(app, backup);
      registerHealth(app, readiness);
      if (metrics !== undefined) registerMetrics(app, metrics);
      registerDocs(app, buildDocument, '/docs');
    },
  });
}
