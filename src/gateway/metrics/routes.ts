import type { FastifyInstance } from 'fastify';
import type { Prometheus } from './prometheus.ts';

export function registerMetrics(app: FastifyInstance, { contentType, page }: Prometheus): void {
  app.get(
    '/metrics',
    {
      schema: {
        operationId: 'GetMetrics',
        tags: ['health'],
        summary: 'What this instance does, for Prometheus',
        description: 'The text format of Prometheus. docs/operation.md says what each metric is.',
        hide: true,
      },
    },
    async (_request, reply) => reply.type(contentType).send(await page()),
  );
}
