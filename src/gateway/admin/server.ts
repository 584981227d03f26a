import type { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { packageVersion } from '../../common/package.ts';
import { registerDocs } from '../docs/routes.ts';
import { type Part, registerHealth } from '../health/health.ts';
import type { Prometheus } from '../metrics/prometheus.ts';
import { registerMetrics } from '../metrics/routes.ts';
import { ADMIN_SECURITY, documentRoutes } from '../docs/openapi.ts';
import { type Bounds, createServer, DEFAULT_BOUNDS } from '../server/server.ts';
import type { TlsOptions } from '../http/tls.ts';
import { addAccess } from './access.ts';
import { registerBackup } from './backup-routes.ts';
import { registerFirewall } from './firewall-routes.ts';
import type { CheckRuns } from '../../rfq/conformance/index.ts';
import { type MakerControls, registerMakers } from './maker-routes.ts';
import { registerMakerChecks } from './maker-check-routes.ts';
import { registerMembers } from './member-routes.ts';
import type { NetworkControls } from './network-controls.ts';
import { registerNetworkControls } from './network-routes.ts';
import { type PlatformControls, registerPlatform } from './platform-routes.ts';
import { registerTraffic } from './traffic-routes.ts';

export interface AdminParts {
  readonly logger: FastifyBaseLogger;
  readonly parts: readonly Part[];
  /** Null over a network outside, which nobody controls here. */
  readonly network: NetworkControls | null;
  readonly platform: PlatformControls;
  /** Default: makers cannot be managed here. */
  readonly makers?: MakerControls;
  /** Default: makers cannot be checked here. */
  readonly makerChecks?: CheckRuns;
  readonly production: boolean;
  /** The operator's credential. */
  readonly credential: string;
  /** Whether it is to listen beyond this machine; default: it is not. */
  readonly exposed?: boolean;
  /** Default: `DEFAULT_BOUNDS`. */
  readonly bounds?: Bounds;
  /** Default: plain HTTP/1.1. */
  readonly tls?: TlsOptions | null;
  /** Begins a backup of the data folder; default: none can be made. */
  readonly backup?: () => Promise<Readable>;
  /** Default: there is no page of metrics. */
  readonly metrics?: Prometheus;
}

/** The operator's server. */
export function createAdminServer({
  logger,
  parts,
  network,
  platform,
  makers,
  makerChecks,
  production,
  credential,
  exposed = false,
  bounds = DEFAULT_BOUNDS,
  tls = null,
  backup,
  metrics,
}: AdminParts): Promise<FastifyInstance> {
  return createServer({
    logger,
    trustedProxies: [],
    bounds,
    tls,
    register: async (app) => {
      const buildDocument = await documentRoutes(
        app,
        packageVersion(),
        (free) => (free ? [403] : [401, 403]),
        ADMIN_SECURITY,
      );
      addAccess(app, { platform: platform.parts, credential, exposed });
      registerNetworkControls(app, network, production, (scope) => {
        if (makers !== undefined && makerChecks !== undefined)
          registerMakerChecks(scope, makers.makers, makerChecks);
      });
      registerPlatform(app, platform);
      registerMembers(app, platform.parts);
      registerFirewall(app, platform.parts);
      if (makers !== undefined) registerMakers(app, makers);
      if (platform.traffic !== undefined) registerTraffic(app, platform.parts, platform.traffic);
      if (backup !== undefined) registerBackup(app, backup);
      registerHealth(app, parts);
      if (metrics !== undefined) registerMetrics(app, metrics);
      registerDocs(app, buildDocument, {});
    },
  });
}
