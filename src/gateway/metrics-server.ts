import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type Bounds, createServer } from './server/server.ts';
import type { Prometheus } from './metrics/prometheus.ts';
import { registerMetrics } from './metrics/routes.ts';

/**
 * Creates a server that serves `/metrics` and nothing else, for a network that must not reach the admin interface.
 * Returns the server, ready to listen.
 */
export function createMetricsServer(
  logger: FastifyBaseLogger,
  metrics: Prometheus,
  bounds: Bounds,
): Promise<FastifyInstance> {
  return createServer({
    logger,
    trustedProxies: [],
    bounds,
    register: (app) => registerMetrics(app, metrics),
  });
}
