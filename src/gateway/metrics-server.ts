import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { createServer } from './server/server.ts';
import type { Prometheus } from './metrics/prometheus.ts';
import { registerMetrics } from './metrics/routes.ts';

/** A server with the metrics alone, for a network from which the admin interface must not be reached. */
export function createMetricsServer(
  logger: FastifyBaseLogger,
  metrics: Prometheus,
): Promise<FastifyInstance> {
  return createServer({
    logger,
    trustedProxies: [],
    register: (app) => registerMetrics(app, metrics),
  });
}
