import { get } from 'node:http';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { Type } from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import type { KnownKey } from '../../platform/callers/key-cache.ts';
import { type Limits, PLANS } from '../../platform/plans/plans.ts';
import { defineEndpoint } from '../../products/endpoint.ts';
import { defineProduct } from '../../products/product.ts';
import { createProductWithoutEndpoints } from '../../testing/products/opened-product.ts';
import { createGateway } from '../gateway.ts';
import { createLogger } from '../http/log/log.ts';
import { TooManyExecutions } from '../../transactions/prepared/store.ts';
import { closeServer } from '../server/server.ts';
import { createInProcessLimiter, type RateLimiter } from '../limits/rate-limiter.ts';
import { DEFAULT_BOUNDS } from '../../testing/server-bounds.ts';

let app: FastifyInstance;
let now: number;
afterEach(() => closeServer(app));

describe('the rate limit', () => {
  it('reports the remaining requests on 200 and 429, negative beyond the limit', async () => {
    await open({ limits: { main: 2, execute: 1, submit: 1 } });
    const reset = String(Math.ceil((START + 60_000) / 1_000));
    const headersAt = (remaining: string, current: string) => ({
      'x-ratelimit-remaining': remaining,
      'x-ratelimit-current': current,
      'x-ratelimit-reset': reset,
    });
    const sendOne = () => send('/swap/v2/build', 'all');
    expect(await sendOne()).toEqual({ status: 200, body: { ok: true }, limits: headersAt('1', '1') });
    now += 10_000;
    expect(await sendOne()).toEqual({ status: 200, body: { ok: true }, limits: headersAt('0', '2') });
    expect(await sendOne()).toEqual({ status: 429, body: TOO_MANY, limits: headersAt('-1', '3') });
  });

  it('says with each 429 in how many seconds a place is free again', async () => {
    await open({ limits: { main: 2, execute: 1, submit: 1 } });
    const seconds = () => retryAfterOf('/swap/v2/build');
    expect(await seconds()).toBeUndefined();
    now += 10_500;
    // Refused by the handler, and not by the window.
    expect(await retryAfterOf('/swap/v2/crowded')).toBe('1');
    expect(await seconds()).toBe('50');
    now += 49_499;
    expect(await seconds()).toBe('1');
    now += 1;
    expect(await seconds()).toBeUndefined();
  });

  it('reports nothing on other answers, but counts them', async () => {
    await open();
    const silent = [
      ['/swap/v2/refuses', 400],
      ['/nowhere', 404],
      ['/swap/v2/breaks', 500],
    ] as const;
    for (const [url, status] of silent) {
      expect(await send(url, 'all')).toMatchObject({ status, limits: {} });
    }
    expect((await send('/swap/v2/build', 'all')).limits['x-ratelimit-current']).toBe('4');
    for (const [key, status] of [
      ['unknown', 401],
      ['swaps', 403],
    ] as const) {
      expect(await send('/tokens/v2/recent', key)).toMatchObject({ status, limits: {} });
    }
    expect((await send('/swap/v2/build', 'all')).limits['x-ratelimit-current']).toBe('5');
  });

  it('counts the keys of an organisation together, and executions separately', async () => {
    await open({ limits: { main: 2, execute: 1, submit: 1 } });
    const execute = { method: 'POST', url: '/swap/v2/execute' } as const;
    expect((await send('/swap/v2/build', 'all')).status).toBe(200);
    expect((await send('/swap/v2/build', 'other')).status).toBe(200);
    expect((await send('/swap/v2/build', 'swaps')).status).toBe(429);
    expect((await send(execute, 'all')).limits['x-ratelimit-remaining']).toBe('0');
    expect((await send({ ...execute, url: '/swap/v2/%65xecute' }, 'all')).status).toBe(429);
  });

  it('counts callers without a key by their address, and ignores headers about it', async () => {
    await open();
    const from = (remoteAddress: string, forwarded: string) =>
      send({ url: '/swap/v2/build', remoteAddress, headers: { 'x-forwarded-for': forwarded } });
    for (let index = 0; index < 30; index++) {
      expect((await from('198.51.100.1', `203.0.113.${index}`)).status).toBe(200);
    }
    expect((await from('198.51.100.1', '203.0.113.99')).status).toBe(429);
    expect((await from('198.51.100.2', '198.51.100.1')).status).toBe(200);
  });

  it('trusts forwarding headers up to the last address that is not a trusted proxy', async () => {
    await open({ trustedProxies: ['10.0.0.0/8'] });
    const from = async (remoteAddress: string, forwarded: string) => {
      const headers = { 'x-forwarded-for': forwarded };
      return (await send({ url: '/swap/v2/build', remoteAddress, headers })).limits['x-ratelimit-current'];
    };
    expect(await from('10.0.0.1', '203.0.113.1')).toBe('1');
    expect(await from('10.0.0.1', '203.0.113.2')).toBe('1');
    expect(await from('10.0.0.2', '203.0.113.9, 203.0.113.1, 10.9.9.9')).toBe('2');
    expect(await from('203.0.113.1', '203.0.113.2')).toBe('3');
  });

  it('leaves health and documentation out', async () => {
    await open({ limits: { main: 1, execute: 1, submit: 1 } });
    for (const url of ['/healthz', '/readyz', '/healthz']) {
      expect(await send(url, 'all')).toMatchObject({ status: 200, limits: {} });
    }
    expect((await app.inject('/docs')).headers['x-ratelimit-current']).toBeUndefined();
    expect((await app.inject('/openapi.json')).headers['x-ratelimit-current']).toBeUndefined();
  });

  it('waits for an asynchronous limiter, and answers 500 when it fails', async () => {
    const local = createInProcessLimiter();
    await open({
      limiter: { ...local, hit: async (...args) => local.hit(...args) },
      limits: { main: 1, execute: 1, submit: 1 },
    });
    expect((await send('/swap/v2/build', 'all')).status).toBe(200);
    expect(await send('/swap/v2/build', 'all')).toMatchObject({ status: 429, body: TOO_MANY });
    await closeServer(app);
    await open({ limiter: { ...local, hit: () => Promise.reject(new Error('gone')) } });
    expect((await send('/swap/v2/build', 'all')).status).toBe(500);
  });

  it('remembers at most the configured number of addresses', async () => {
    const limiter = createInProcessLimiter(2);
    const hit = (id: string) => limiter.hit({ kind: 'client', id }, 'main', 5, START);
    for (const id of ['a', 'b', 'c']) hit(id);
    expect(limiter.current({ kind: 'client', id: 'a' }, 'main', START)).toBe(0);
    expect(limiter.current({ kind: 'client', id: 'c' }, 'main', START)).toBe(1);
  });
});

describe('the header x-api-key', () => {
  it.each(['', ' ', '\t '])('is no key when it is %j', async (key) => {
    await open();
    expect(await send('/swap/v2/build', key)).toMatchObject({
      status: 200,
      limits: { 'x-ratelimit-remaining': '29' },
    });
  });

  it.each([
    ['all', 'all'],
    ['', 'all'],
  ])('is refused when it is sent twice, as %j and %j', async (...keys) => {
    await open();
    const port = new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port;
    const answer = await new Promise<number | undefined>((resolve) => {
      get({ port, path: '/swap/v2/build', headers: { 'x-api-key': keys } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
    });
    expect(answer).toBe(401);
  });
});

describe('a key with an allow-list', () => {
  it('opens its products; swap includes the submission of transactions', async () => {
    await open();
    expect((await send('/swap/v2/build', 'swaps')).status).toBe(200);
    expect((await send({ method: 'POST', url: '/tx/v1/submit' }, 'swaps')).status).toBe(200);
    expect(await send('/healthz', 'swaps')).toMatchObject({ status: 200 });
  });

  it('does not open an alias outside its products, though it opens the endpoint itself', async () => {
    await open();
    expect((await send('/swap/v3/quote', 'swaps')).status).toBe(200);
    expect(await send('/old/v1/quote?x=1', 'swaps')).toMatchObject({ status: 403, body: NO_ACCESS });
    expect((await send('/old/v1/quote?x=1', 'all')).status).toBe(200);
  });

  it.each([
    '/tokens/v2/recent',
    '/%74okens/v2/recent',
    '/tokens/v2/recent?x=/swap/',
    '/swap/../tokens/v2/recent',
    '/swap/%2e%2e/tokens/v2/recent',
    '/Swap/v2/build',
    '/swapped',
    '//swap/v2/build',
  ])('does not open %s', async (url) => {
    await open();
    const { status, body } = await send(url, 'swaps');
    if (status !== 404) expect(body).toEqual(NO_ACCESS);
    expect([403, 404]).toContain(status);
  });
});

const START = 1_790_000_000_250;
const TOO_MANY = { code: 429, message: '[API Gateway] Too many requests' };
const NO_ACCESS = { code: 403, message: 'API key does not have access to this endpoint' };

interface Setup {
  readonly limiter?: RateLimiter;
  readonly trustedProxies?: readonly string[];
  readonly limits?: Limits;
}

const products: Readonly<Record<string, readonly string[] | null>> = {
  all: null,
  other: null,
  swaps: ['swap'],
};

/** A product that answers `/old/v1/quote` like `/swap/v3/quote`. */
const quotes = defineProduct({
  name: 'quotes',
  description: 'A sample.',
  basePaths: ['/quotes'],
  endpoints: [
    defineEndpoint({
      method: 'GET',
      path: '/swap/v3/quote',
      aliases: ['/old/v1/quote'],
      operationId: 'GetQuote',
      summary: 'Quote',
      description: 'Answers.',
      responses: { 200: Type.Object({ ok: Type.Boolean() }) },
      handle: () => ({ ok: true }),
    }),
  ],
  open: () => ({ services: {} }),
});

async function open({
  limiter = createInProcessLimiter(),
  trustedProxies = [],
  limits = PLANS.free,
}: Setup = {}) {
  now = START;
  const findKey = (key: string): KnownKey | null =>
    Object.hasOwn(products, key)
      ? {
          id: key,
          name: key,
          teamId: 't',
          organisationId: 'o',
          rules: null,
          limits,
          products: products[key] ?? null,
          expiresAt: null,
        }
      : null;
  app = await createGateway({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    pipeline: { findKey, limiter, countryOf: () => null, now: () => now },
    trustedProxies,
    readiness: [],
    examples: { values: {}, wallet: null },
    products: [
      createProductWithoutEndpoints('swap', '/swap', '/tx'),
      createProductWithoutEndpoints('tokens', '/tokens'),
      await quotes.open({}),
    ],
    registerRoutes: (server) => {
      server.get('/swap/v2/build', async () => ({ ok: true }));
      server.post('/swap/v2/execute', { config: { bucket: 'execute' } }, async () => ({ ok: true }));
      server.post('/tx/v1/submit', async () => ({ ok: true }));
      server.get('/tokens/v2/recent', async () => ({ ok: true }));
      server.get('/swap/v2/refuses', async (_request, reply) => reply.code(400).send({ error: 'no' }));
      server.get('/swap/v2/crowded', async () => {
        throw new TooManyExecutions(1, 'swaps');
      });
      server.get('/swap/v2/breaks', async () => {
        throw new Error('broken');
      });
    },
  });
}

async function send(options: InjectOptions | string, key?: string) {
  const request = typeof options === 'string' ? { url: options } : options;
  const headers = { ...request.headers, ...(key === undefined ? {} : { 'x-api-key': key }) };
  const answer = await app.inject({ ...request, headers });
  const limits = Object.fromEntries(
    Object.entries(answer.headers).filter(([name]) => name.startsWith('x-ratelimit')),
  );
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json(), limits };
}

const retryAfterOf = async (url: string) =>
  (await app.inject({ url, headers: { 'x-api-key': 'all' } })).headers['retry-after'];
