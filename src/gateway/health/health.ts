import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { removeStatement } from '../../common/outage-log.ts';
import { SYSTEM_TIMERS, type Timers } from '../../common/ports/timers.ts';
import type { ReadinessCheck } from '../../products/product.ts';

/** A load balancer does not wait long for an answer, and the answer should still name the check that is slow. */
const MAX_CHECK_MS = 3_000;

const Health = Type.Object({ status: Type.Literal('ok') }, { title: 'Health' });
const Readiness = Type.Object(
  {
    ready: Type.Boolean(),
    parts: Type.Record(Type.String(), Type.String({ description: '`ok`, or why the part does not work.' })),
  },
  { title: 'Readiness' },
);

/**
 * Registers `GET /healthz`, which answers while the process lives, and `GET /readyz`, which runs the readiness checks.
 * `/health` and `/status` are the same under the names that the public service uses.
 * @param checks - What `/readyz` runs; read at each request, so that checks may be added until the server listens.
 * @param isStopping - Returns whether the instance is shutting down: `/readyz` then answers 503.
 */
export function registerHealth(
  app: FastifyInstance,
  checks: readonly ReadinessCheck[],
  isStopping: () => boolean = () => false,
  after: Timers['after'] = SYSTEM_TIMERS.after,
): void {
  const runChecks = shareCheckRuns(checks, after);
  for (const url of ['/healthz', '/health']) {
    app.get(
      url,
      {
        config: { free: true },
        exposeHeadRoute: true,
        schema: { tags: ['health'], summary: 'Whether the process is alive', response: { 200: Health } },
      },
      async () => ({ status: 'ok' }),
    );
  }
  for (const url of ['/readyz', '/status']) {
    app.get(
      url,
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
        const results = await runChecks();
        const ready =
          !isStopping() && results.every(({ state, optional }) => state === 'ok' || optional === true);
        const parts = Object.fromEntries(results.map(({ name, state }) => [name, state]));
        if (isStopping()) parts.instance = 'it is stopping';
        return reply.code(ready ? 200 : 503).send({ ready, parts });
      },
    );
  }
}

/** A check with its outcome: `ok`, or why the part does not work. */
interface CheckResult extends ReadinessCheck {
  readonly state: string;
}

/** Anybody may ask for `/readyz`, at any rate, so requests that arrive while the checks run share one run. */
function shareCheckRuns(
  checks: readonly ReadinessCheck[],
  after: Timers['after'],
): () => Promise<readonly CheckResult[]> {
  let running: Promise<readonly CheckResult[]> | null = null;
  return () => {
    running ??= Promise.all(
      checks.map(async (check) => ({ ...check, state: await runReadinessCheck(check, after) })),
    ).finally(() => {
      running = null;
    });
    return running;
  };
}

/**
 * Runs one readiness check, for at most 3 seconds.
 * Returns `ok`, or why the part does not work; never rejects.
 */
export async function runReadinessCheck(
  check: ReadinessCheck,
  after: Timers['after'] = SYSTEM_TIMERS.after,
): Promise<string> {
  let cancel = () => {};
  const late = new Promise<string>((resolve) => {
    const sentence = `it has not answered within ${MAX_CHECK_MS / 1_000} seconds`;
    cancel = after(MAX_CHECK_MS, () => resolve(sentence));
  });
  const outcome = async () => {
    const reason = await check.unhealthy();
    return reason === null ? 'ok' : removeInternals(reason);
  };
  try {
    return await Promise.race([outcome(), late]);
  } catch (error) {
    return `it failed${describeErrorCode(error)}`;
  } finally {
    cancel();
  }
}

/** The code of a failed system call, and what Node.js writes after it: addresses, ports, host names, paths. */
const SYSTEM_ERROR = /\b(E[A-Z]{3,}(?:_[A-Z]+)*)\b.*$/s;

/** Anybody may read the reason, and must not learn from it how the operator's network and database are built. */
function removeInternals(reason: string): string {
  return removeStatement(reason).replace(SYSTEM_ERROR, '$1');
}

/** An error that a check throws has a message that was not written for clients. */
function describeErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return ` with ${error.code}`;
  return describeErrorCode(error.cause);
}
