import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ReadinessCheck } from '../products/product.ts';
import { registerHealth } from './health/health.ts';
import { type Bounds, createServer } from './server/server.ts';
import type { Prometheus } from './metrics/prometheus.ts';
import { registerMetrics } from './metrics/routes.ts';

/** The health checks that a process without a REST port serves beside its metrics. */
export interface ServedHealth {
  readonly readiness: readonly ReadinessCheck[];
  readonly isStopping: () => boolean;
}

/**
 * Creates a server that serves `/metrics`, for a network that must not reach the admin interface.
 * @param health - Served too; null where the REST port serves it.
 * @returns the server, ready to listen
 */
export function createMetricsServer(
  logger: FastifyBaseLogger,
  metrics: Prometheus,
  bounds: Bounds,
  health: ServedHealth | null = null,
): Promise<FastifyInstance> {
  return createServer({
    logger,
    trustedProxies: [],
    bounds,
    register: (app) => {
      registerMetrics(app, metrics);
      if (health !== null) registerHealth(app, health.readiness, health.isStopping);
    },
  });
}
