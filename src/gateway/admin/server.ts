import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { packageVersion } from '../../package.ts';
import { registerDocs } from '../docs/routes.ts';
import { sendGatewayError } from '../errors.ts';
import { type Part, registerHealth } from '../health.ts';
import type { Prometheus } from '../metrics/prometheus.ts';
import { registerMetrics } from '../metrics/routes.ts';
import { collectRoutes } from '../openapi.ts';
import { createServer } from '../server.ts';
import { registerFirewall } from './firewall-routes.ts';
import type { NetworkControls } from './network-controls.ts';
import { registerNetworkControls } from './network-routes.ts';
import { type PlatformControls, registerPlatform } from './platform-routes.ts';

export interface AdminParts {
  readonly logger: FastifyBaseLogger;
  readonly parts: readonly Part[];
  /** Null over a network outside, which nobody controls here. */
  readonly network: NetworkControls | null;
  readonly platform: PlatformControls;
  readonly production: boolean;
  /** Default: there is no page of metrics. */
  readonly metrics?: Prometheus;
}

/** The address that the admin server listens on, whatever `host` is. */
export const ADMIN_HOST = '127.0.0.1';

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/;

/** The operator's server, to listen on loopback only. */
export function createAdminServer({
  logger,
  parts,
  network,
  platform,
  production,
  metrics,
}: AdminParts): Promise<FastifyInstance> {
  return createServer({
    logger,
    trustedProxies: [],
    register: (app) => {
      const buildDocument = collectRoutes(app, packageVersion(), () => [403]);
      addLoopbackCheck(app);
      registerNetworkControls(app, network, production);
      registerPlatform(app, platform);
      registerFirewall(app, platform.parts);
      registerHealth(app, parts);
      if (metrics !== undefined) registerMetrics(app, metrics);
      registerDocs(app, buildDocument, {});
    },
  });
}

/**
 * A browser on this machine reaches loopback too, on behalf of any page it shows: under the page's own host name when
 * that name was pointed here, otherwise with its origin. Both are refused.
 */
function addLoopbackCheck(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }, reply) => {
    const { host = '', origin } = headers;
    const fromHere = origin === undefined || LOOPBACK.test(origin.replace(/^https?:\/\//, ''));
    if (LOOPBACK.test(host) && fromHere) return undefined;
    return sendGatewayError(
      reply,
      403,
      'The admin interface answers requests from this machine to a loopback address only',
    );
  });
}
