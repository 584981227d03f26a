import { once } from 'node:events';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { NO_METRICS } from '../../common/ports/metrics.ts';
import { listen } from '../http/listen.ts';
import { createLogger } from '../http/log/log.ts';
import { closeServer, createServer } from '../server/server.ts';
import { addOverload } from './overload.ts';
import { DEFAULT_BOUNDS } from '../../testing/server-bounds.ts';
import { openForEach } from '../../testing/opened.ts';

let app: FastifyInstance;
let url: string;
/** Functions that end the requests in flight, one by one. */
let ends: (() => void)[];
const timers = openForEach(() => new ManualTimers());
beforeEach(setUp);
afterEach(tearDown);

describe('too many requests at once', () => {
  it('wait, and are refused beyond the queue, except health and executions', async () => {
    const first = fetch(`${url}/held`);
    await underWay(1);
    const second = fetch(`${url}/held`);
    await waiting();
    const refused = await fetch(`${url}/held`);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('x-api-gateway-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await refused.json()).toEqual({
      code: 503,
      message: 'Too many requests are under way; try again in a second',
    });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const execution = fetch(`${url}/swap/v2/execute`, { method: 'POST' });
    await underWay(2);
    expect(ends.length).toBe(2);
    ends[0]?.();
    expect((await first).status).toBe(200);
    await underWay(3);
    for (const end of ends) end();
    expect([(await second).status, (await execution).status]).toEqual([200, 200]);
    const after = fetch(`${url}/held`);
    await underWay(4);
    ends[3]?.();
    expect((await after).status).toBe(200);
  });

  it('are refused after they have waited too long', async () => {
    const first = fetch(`${url}/held`);
    await underWay(1);
    const second = fetch(`${url}/held`);
    await waiting();
    timers.advance(2_000);
    expect((await second).status).toBe(503);
    ends[0]?.();
    expect((await first).status).toBe(200);
  });

  it('make room when their clients leave', async () => {
    const { hostname, port } = new URL(url);
    const open = () => {
      const socket = connect(Number(port), hostname);
      socket.write('GET /held HTTP/1.1\r\nhost: localhost\r\n\r\n');
      return socket;
    };
    const first = open();
    await underWay(1);
    const second = open();
    await waiting();
    second.destroy();
    await once(second, 'close');
    await expect.poll(() => timers.waiting).toBe(0);
    first.destroy();
    const third = fetch(`${url}/held`);
    await underWay(2);
    ends[1]?.();
    expect((await third).status).toBe(200);
  });
});

async function setUp(): Promise<void> {
  ends = [];
  const held = () => new Promise<object>((resolve) => ends.push(() => resolve({ ok: true })));
  app = await createServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    trustedProxies: [],
    register: (server) => {
      const after = (delay: number, callback: () => void) => timers.after(delay, callback);
      addOverload(server, { maxInside: 1, maxWaiting: 1, after, metrics: NO_METRICS });
      server.get('/held', held);
      server.post('/swap/v2/execute', { config: { bucket: 'execute' } }, held);
      server.get('/healthz', { config: { free: true } }, async () => ({ status: 'ok' }));
    },
  });
  url = await listen(app, { host: '127.0.0.1', port: 0, setting: 'rest-port' });
}

async function tearDown(): Promise<void> {
  for (const end of ends) end();
  await closeServer(app);
}

const underWay = (count: number) => expect.poll(() => ends.length).toBe(count);
const waiting = () => expect.poll(() => timers.waiting).toBe(1);
