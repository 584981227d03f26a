import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { SYSTEM_TIMERS, type Timers } from '../../common/ports/timers.ts';

/** Something that must answer before requests make sense. */
export interface Part {
  readonly name: string;
  /** Null when it works; otherwise why not, as a sentence. */
  readonly unhealthy: () => string | null | Promise<string | null>;
  /** Without it requests are still answered: its state is shown, and the instance is ready all the same. */
  readonly optional?: true;
}

/** A load balancer does not wait for long, and wants to know all the same which part it is. */
const MAX_ANSWER_MS = 3_000;

const Health = Type.Object({ status: Type.Literal('ok') });
const Readiness = Type.Object({
  ready: Type.Boolean(),
  parts: Type.Record(Type.String(), Type.String({ description: '`ok`, or why the part does not work.' })),
});

/** @param isStopping whether no more requests should come, though those that do are answered */
export function registerHealth(
  app: FastifyInstance,
  parts: readonly Part[],
  isStopping: () => boolean = () => false,
  after: Timers['after'] = SYSTEM_TIMERS.after,
): void {
  const ask = askedOnce(parts, after);
  app.get(
    '/healthz',
    {
      config: { free: true },
      exposeHeadRoute: true,
      schema: { tags: ['health'], summary: 'Whether the process is alive', response: { 200: Health } },
    },
    async () => ({ status: 'ok' }),
  );
  app.get(
    '/readyz',
    {
      config: { free: true },
      exposeHeadRoute: true,
      schema: {
        tags: ['health'],
        summary: 'Whether every part answers',
        response: { 200: Readiness, 503: Readiness },
      },
    },
    async (_request, reply) => {
      const states = await ask();
      const ready =
        !isStopping() && states.every(({ state, optional }) => state === 'ok' || optional === true);
      const shown = Object.fromEntries(states.map(({ name, state }) => [name, state]));
      if (isStopping()) shown.instance = 'it is stopping';
      return reply.code(ready ? 200 : 503).send({ ready, parts: shown });
    },
  );
}

/** Anybody may ask, as often as the line allows; who asks while the parts are being asked shares the answer. */
function askedOnce(
  parts: readonly Part[],
  after: Timers['after'],
): () => Promise<readonly (Part & { readonly state: string })[]> {
  let asking: ReturnType<ReturnType<typeof askedOnce>> | null = null;
  return () => {
    asking ??= Promise.all(
      parts.map(async (part) => ({ ...part, state: await stateOf(part, after) })),
    ).finally(() => {
      asking = null;
    });
    return asking;
  };
}

/** `ok`, or why it does not work. */
export async function stateOf(part: Part, after: Timers['after'] = SYSTEM_TIMERS.after): Promise<string> {
  let cancel = () => {};
  const late = new Promise<string>((resolve) => {
    const sentence = `it has not answered within ${MAX_ANSWER_MS / 1_000} seconds`;
    cancel = after(MAX_ANSWER_MS, () => resolve(sentence));
  });
  const asked = async () => (await part.unhealthy()) ?? 'ok';
  try {
    return await Promise.race([asked(), late]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    cancel();
  }
}
