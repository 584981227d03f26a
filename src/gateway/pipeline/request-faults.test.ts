import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineEndpoint } from '../../products/endpoint.ts';
import { defineProduct } from '../../products/product.ts';
import { DEFAULT_BOUNDS } from '../../testing/server-bounds.ts';
import { createGateway } from '../gateway.ts';
import { createLogger } from '../http/log/log.ts';
import { createInProcessLimiter } from '../limits/rate-limiter.ts';
import { closeServer } from '../server/server.ts';
import { createRequestFaults, type RequestFault } from './request-faults.ts';
import { openForEach } from '../../testing/opened.ts';

let app: FastifyInstance;
/** Delays that began, and how each is ended. */
let delays: { readonly ms: number; readonly end: () => void }[];
let handled: number;

const sample = defineProduct({
  name: 'sample',
  description: 'A sample.',
  basePaths: ['/sample'],
  endpoints: [
    defineEndpoint({
      method: 'GET',
      path: '/sample',
      aliases: ['/older'],
      operationId: 'GetSample',
      summary: 'Sample',
      description: 'Answers.',
      responses: { 200: Type.Object({ ok: Type.Boolean() }) },
      handle: () => {
        handled++;
        return { ok: true };
      },
    }),
  ],
  open: () => ({ services: {} }),
});

const faults = openForEach(() => createRequestFaults());
beforeEach(setUp);
afterEach(() => closeServer(app));

describe('faults of requests', () => {
  it('strike as many requests of the path as they say, and tell which', async () => {
    faults.add({ ...NEXT, count: 2 });
    const answers = [await ask(), await ask('/sample?query=1'), await ask()];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 200]);
    expect(handled).toBe(1);
    expect(faults.waiting).toEqual([]);
    expect(faults.struck).toEqual(
      answers.slice(0, 2).map(({ headers }) => ({
        requestId: headers['x-api-gateway-request-id'],
        method: 'GET',
        path: '/sample',
        status: 503,
        delayMs: 0,
        at: NOW,
      })),
    );
  });

  it('leave other paths alone, and strike by the beginning of a path and by an alias', async () => {
    faults.add({ ...NEXT, path: '/older' });
    expect((await ask()).statusCode).toBe(200);
    expect((await ask('/older')).statusCode).toBe(503);
    faults.add({ ...NEXT, path: '/sam*' });
    expect((await ask('/healthz')).statusCode).toBe(200);
    expect((await ask()).statusCode).toBe(503);
  });

  it.each([
    [
      429,
      { code: 429, message: '[API Gateway] Too many requests' },
      { 'x-ratelimit-remaining': '0', 'retry-after': expect.stringMatching(/^\d+$/) },
    ],
    [500, { code: 500, message: expect.stringContaining('the request id is') }, {}],
    [502, { code: 502, message: 'Bad Gateway' }, {}],
    [503, { code: 503, message: expect.stringContaining('try again') }, { 'retry-after': '1' }],
    [504, { code: 504, message: 'Gateway Timeout' }, {}],
  ] as const)('answer %i as the gateway does', async (status, body, headers) => {
    faults.add({ ...NEXT, status });
    const answer = await ask();
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toEqual(body);
    expect(answer.headers).toMatchObject(headers);
  });

  it('delay a request that is then processed', async () => {
    faults.add({ ...NEXT, status: null, delayMs: 30_000 });
    const answer = ask();
    await expect.poll(() => delays.length).toBe(1);
    expect([delays[0]?.ms, handled]).toEqual([30_000, 0]);
    delays[0]?.end();
    expect((await answer).json()).toEqual({ ok: true });
  });

  it('forget a delayed request whose client leaves', async () => {
    faults.add({ ...NEXT, status: null, delayMs: 30_000 });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const client = new AbortController();
    const left = fetch(`${url}/sample`, { signal: client.signal }).catch(() => 'left');
    await expect.poll(() => delays.length).toBe(1);
    client.abort();
    expect(await left).toBe('left');
    await expect.poll(() => delays.length).toBe(0);
    expect(handled).toBe(0);
  });

  it('apply the oldest of those that match, and at most a hundred wait', async () => {
    faults.add({ ...NEXT, status: 502 });
    for (let count = 1; count < 100; count++) expect(faults.add(NEXT)).toBeNull();
    expect(faults.add(NEXT)).toBe('at most 100 faults can wait; clear them first');
    expect((await ask()).statusCode).toBe(502);
    expect((await ask()).statusCode).toBe(503);
    faults.clear();
    expect((await ask()).statusCode).toBe(200);
    expect(faults.struck).toEqual([]);
  });
});

const NOW = 1_790_000_000_250;
const NEXT: RequestFault = { path: '/sample', status: 503, delayMs: 0, count: 1 };

async function setUp(): Promise<void> {
  delays = [];
  handled = 0;
  app = await createGateway({
    logger: createLogger('silent', { write: () => {} }),
    pipeline: {
      findKey: () => null,
      limiter: createInProcessLimiter(),
      countryOf: () => null,
      now: () => NOW,
      faults: {
        requests: faults,
        timers: {
          now: () => NOW,
          after: (ms, end) => {
            const delay = { ms, end };
            delays.push(delay);
            return () => {
              delays = delays.filter((each) => each !== delay);
            };
          },
        },
      },
    },
    trustedProxies: [],
    bounds: DEFAULT_BOUNDS,
    readiness: [],
    examples: { values: {}, wallet: null },
    products: [await sample.open({})],
  });
}

const ask = (url = '/sample') => app.inject({ url });
