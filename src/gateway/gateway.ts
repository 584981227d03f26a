import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type Metrics, NO_METRICS } from '../common/ports/metrics.ts';
import { packageVersion } from '../common/package.ts';
import type { Examples } from './docs/page.ts';
import type { RunningProduct } from '../products/product.ts';
import { registerProduct } from './product-routes.ts';
import { registerDocs } from './docs/routes.ts';
import { type Part, registerHealth } from './health/health.ts';
import { aliasResolver } from './pipeline/path-aliases.ts';
import { documentRoutes } from './docs/openapi.ts';
import type { Tracing } from '../common/ports/tracing.ts';
import { type Bounds, createServer, DEFAULT_BOUNDS } from './server/server.ts';
import { addPublicSteps, type PipelineOptions } from './server/steps.ts';
import type { TlsOptions } from './http/tls.ts';

export interface GatewayParts {
  readonly logger: FastifyBaseLogger;
  readonly pipeline: PipelineOptions;
  readonly trustedProxies: readonly string[];
  /** Default: `DEFAULT_BOUNDS`. */
  readonly bounds?: Bounds;
  /** Default: plain HTTP/1.1. */
  readonly tls?: TlsOptions | null;
  /** What `/readyz` asks. */
  readonly parts: readonly Part[];
  /** Whether no more requests should come; `/readyz` says so. */
  readonly isStopping?: () => boolean;
  /** Default: nobody watches. */
  readonly metrics?: Metrics;
  /** Null, or left out: requests are not traced. */
  readonly tracing?: Tracing | null;
  /** Values that the documentation's forms are filled in with. */
  readonly examples: Examples;
  readonly products: readonly RunningProduct[];
  /** Registers routes that belong to no product. Default: there are none. */
  readonly registerRoutes?: (app: FastifyInstance) => void;
}

/** The public front door, ready to listen. */
export function createGateway({
  logger,
  pipeline,
  trustedProxies,
  bounds = DEFAULT_BOUNDS,
  tls = null,
  parts,
  isStopping,
  metrics = NO_METRICS,
  tracing = null,
  examples,
  products,
  registerRoutes,
}: GatewayParts): Promise<FastifyInstance> {
  return createServer({
    logger,
    trustedProxies,
    bounds,
    tls,
    resolvePath: aliasResolver(products),
    register: async (app) => {
      const buildDocument = await documentRoutes(app, packageVersion(), (free) =>
        free ? [401] : [401, 403, 429, 503],
      );
      addPublicSteps(app, { tracing, metrics, pipeline, products });
      for (const product of products) registerProduct(app, product);
      registerRoutes?.(app);
      registerHealth(app, parts, isStopping);
      registerDocs(app, buildDocument, examples);
    },
  });
}
