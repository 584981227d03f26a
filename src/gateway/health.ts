import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';

/** Something that must answer before requests make sense. */
export interface Part {
  readonly name: string;
  /** Null when it works; otherwise why not, as a sentence. */
  readonly unhealthy: () => string | null | Promise<string | null>;
}

const Health = Type.Object({ status: Type.Literal('ok') });
const Readiness = Type.Object({
  ready: Type.Boolean(),
  parts: Type.Record(Type.String(), Type.String({ description: '`ok`, or why the part does not work.' })),
});

export function registerHealth(app: FastifyInstance, parts: readonly Part[]): void {
  app.get(
    '/healthz',
    {
      config: { free: true },
      schema: { tags: ['health'], summary: 'Whether the process is alive', response: { 200: Health } },
    },
    async () => ({ status: 'ok' }),
  );
  app.get(
    '/readyz',
    {
      config: { free: true },
      schema: {
        tags: ['health'],
        summary: 'Whether every part answers',
        response: { 200: Readiness, 503: Readiness },
      },
    },
    async (_request, reply) => {
      const states = await Promise.all(parts.map(async (part) => [part.name, await stateOf(part)] as const));
      const ready = states.every(([, state]) => state === 'ok');
      return reply.code(ready ? 200 : 503).send({ ready, parts: Object.fromEntries(states) });
    },
  );
}

async function stateOf(part: Part): Promise<string> {
  try {
    return (await part.unhealthy()) ?? 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
