import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { ExtraPorts } from './http/extra-ports.ts';
import { type Metrics, NO_METRICS } from '../common/ports/metrics.ts';
import { packageRoot, readPackageVersion } from '../common/package.ts';
import type { Examples } from './docs/examples.ts';
import type { ReadinessCheck, RunningProduct } from '../products/product.ts';
import { type PortalOptions, registerPortal } from './portal/portal.ts';
import { PORTAL_PATH } from './portal/portal-pages.ts';
import { registerProduct } from './product-routes.ts';
import { EventStreams, type EventStreamsOptions } from './streams/event-streams.ts';
import { registerDocs } from './docs/reference/routes.ts';
import { registerSite } from './docs/site/routes.ts';
import { registerHealth } from './health/health.ts';
import { documentRoutes, GATEWAY_TAGS } from './docs/openapi.ts';
import type { Tracing } from '../common/ports/tracing.ts';
import { type Bounds, createServer } from './server/server.ts';
import { addPublicSteps, type PublicStepsOptions } from './server/steps.ts';
import type { TlsOptions } from './http/tls.ts';

export interface GatewayOptions {
  readonly logger: FastifyBaseLogger;
  readonly pipeline: PublicStepsOptions;
  readonly trustedProxies: readonly string[];
  readonly bounds: Bounds;
  /** Default: plain HTTP/1.1. */
  readonly tls?: TlsOptions | null;
  /** The further ports of the server, which close with it. Default: it has none. */
  readonly extraPorts?: ExtraPorts;
  readonly readiness: readonly ReadinessCheck[];
  /** Returns whether the instance is shutting down; `/readyz` then answers 503. Default: it never is. */
  readonly isStopping?: () => boolean;
  /** Default: nothing is measured. */
  readonly metrics?: Metrics;
  /** Default: null, requests are not traced. */
  readonly tracing?: Tracing | null;
  /** Values that the forms of the documentation page are prefilled with. */
  readonly examples: Examples;
  readonly products: readonly RunningProduct[];
  /** Default: those of `EventStreams`. */
  readonly streams?: Partial<EventStreamsOptions>;
  /** Whether a header of each answer names the query parameters that its endpoint does not know. Default: false. */
  readonly namesUnknownParameters?: boolean;
  /** Default: null, there is no portal. */
  readonly portal?: PortalOptions | null;
  /** Registers routes that belong to no product. Default: there are none. */
  readonly registerRoutes?: (app: FastifyInstance) => void;
}

/**
 * Creates the public server: the steps of the pipeline, the routes of the products, health and documentation.
 * Returns the server, ready to listen.
 * @throws Error if two endpoints share a path or an alias, or if a certificate cannot be used
 *
 * @example
 * ```ts
 * import { createGateway } from './gateway.ts';
 * import { listen } from './http/listen.ts';
 * import { createLogger } from './http/log/log.ts';
 * import { createInProcessLimiter } from './limits/rate-limiter.ts';
 *
 * const gateway = await createGateway({
 *   logger: createLogger('info', process.stdout),
 *   pipeline: { findKey: () => null, limiter: createInProcessLimiter(), countryOf: () => null, now: Date.now },
 *   trustedProxies: [],
 *   bounds: {
 *     maxBodyBytes: 65_536,
 *     maxHeaderBytes: 24_576,
 *     requestTimeoutMs: 15_000,
 *     idleTimeoutMs: 72_000,
 *     maxConnections: 10_000,
 *   },
 *   readiness: [],
 *   examples: { values: {}, wallet: null },
 *   products: [],
 * });
 * const url = await listen(gateway, { host: '127.0.0.1', port: 0, setting: 'rest-port' });
 * ```
 */
export function createGateway({
  logger,
  pipeline,
  trustedProxies,
  bounds,
  tls = null,
  extraPorts = new ExtraPorts(),
  readiness,
  isStopping,
  metrics = NO_METRICS,
  tracing = null,
  examples,
  products,
  streams = {},
  namesUnknownParameters = false,
  portal = null,
  registerRoutes,
}: GatewayOptions): Promise<FastifyInstance> {
  return createServer({
    logger,
    trustedProxies,
    bounds,
    tls,
    targetOf: (request) => extraPorts.targetOf(request),
    register: async (app) => {
      const buildDocument = await documentRoutes(app, {
        version: readPackageVersion(),
        refusals: (free) => (free ? [401] : [401, 403, 429, 503]),
        tags: [...products, ...GATEWAY_TAGS],
        examples,
      });
      addPublicSteps(app, { tracing, metrics, pipeline, products });
      const eventStreams = new EventStreams({ metrics, ...streams });
      let isClosed = Promise.resolve();
      app.addHook('preClose', () => {
        isClosed = extraPorts.close();
        return eventStreams.close();
      });
      app.addHook('onClose', () => isClosed);
      for (const product of products) registerProduct(app, product, eventStreams, namesUnknownParameters);
      registerRoutes?.(app);
      registerHealth(app, readiness, isStopping);
      registerDocs(app, buildDocument, '/docs/api', portal === null ? '/docs' : PORTAL_PATH);
      if (portal !== null) registerPortal(app, { ...portal, products, buildDocument, streams: eventStreams });
      registerSite(app, packageRoot, buildDocument, portal !== null);
    },
  });
}
