import type { FastifyInstance } from 'fastify';
import type { Prometheus } from './prometheus.ts';

/** Registers `GET /metrics`. */
export function registerMetrics(app: FastifyInstance, { contentType, page }: Prometheus): void {
  app.get(
    '/metrics',
    {
      schema: {
        operationId: 'GetMetrics',
        tags: ['health'],
        summary: 'The metrics of this instance',
        description: 'In Prometheus’ text format. docs/operation.md lists the metrics.',
        hide: true,
      },
    },
    async (_request, reply) => reply.type(contentType).send(await page()),
  );
}
