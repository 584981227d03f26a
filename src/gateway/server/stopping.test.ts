import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { registerHealth } from '../health/health.ts';
import { listen } from '../http/listen.ts';
import { createLogger } from '../http/log/log.ts';
import { createServer } from './server.ts';
import { type Stopping, createStopping } from './stopping.ts';
import { DEFAULT_BOUNDS } from '../../testing/server-bounds.ts';
import { openForEach } from '../../testing/opened.ts';

let app: FastifyInstance;
let url: string;
let leaving: Stopping;
let endRequest: () => void;
let entered: Promise<void>;
let endExecution: () => void;
const timers = openForEach(() => new ManualTimers());
beforeEach(setUp);

describe('stopping', () => {
  it('answers /readyz with 503 first, then stops listening, and finishes what was begun', async () => {
    expect((await ask('/readyz')).status).toBe(200);
    const answer = ask('/held');
    await entered;
    const stopped = leaving.stop(app);
    expect(await ask('/readyz')).toEqual({
      status: 503,
      body: { ready: false, parts: { instance: 'it is stopping' } },
    });
    expect((await ask('/quick')).status).toBe(200);
    timers.advance(500);
    await expect
      .poll(() =>
        fetch(`${url}/quick`).then(
          ({ status }) => status,
          () => 'refused',
        ),
      )
      .toBe('refused');
    endRequest();
    expect((await answer).body).toEqual({ ok: true });
    await waitsForExecutions();
    endExecution();
    await stopped;
    expect(timers.waiting).toBe(0);
  });

  it('stops waiting for an execution when the time is over', async () => {
    const stopped = leaving.stop(app);
    timers.advance(500);
    await waitsForExecutions();
    timers.advance(60_000);
    await stopped;
  });
});

async function setUp(): Promise<void> {
  const settled = new Promise<void>((resolve) => {
    endExecution = resolve;
  });
  leaving = createStopping({ delayMs: 500, graceMs: 60_000, settled: () => settled, timers });
  const held = new Promise<void>((resolve) => {
    endRequest = resolve;
  });
  app = await createServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    trustedProxies: [],
    register: (server) => {
      registerHealth(server, [], leaving.hasBegun);
      entered = new Promise((enter) => {
        server.get('/held', async () => {
          enter();
          await held;
          return { ok: true };
        });
      });
      server.get('/quick', async () => ({ ok: true }));
    },
  });
  url = await listen(app, { host: '127.0.0.1', port: 0, setting: 'rest-port' });
}

/** The server is closed at this point, and executions have this long to end. */
const waitsForExecutions = () => expect.poll(() => timers.waiting).toBe(1);

/** Not over a persistent connection, which the server would have to wait for. */
async function ask(path: string) {
  const response = await fetch(`${url}${path}`, { headers: { connection: 'close' } });
  return { status: response.status, body: await response.json() };
}
