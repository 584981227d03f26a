import { Type } from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { defineEndpoint } from '../products/endpoint.ts';
import { defineProduct } from '../products/product.ts';
import { createInProcessLimiter } from './limits/rate-limiter.ts';
import { REQUEST_ID_HEADER } from './http/log/request-id.ts';
import { closeServer } from './server/server.ts';
import { closeGateways, createSampleGateway, KEY, UUID } from '../testing/gateway/sample-gateway.ts';

afterEach(closeGateways);

describe('the request pipeline', () => {
  it('gives every answer its own id, whatever the client sends', async () => {
    const app = await createSampleGateway();
    const urls = ['/healthz', '/nowhere', '/sample/a?limit=9', '/breaks', '/%zz'];
    const ids = new Set<unknown>();
    for (const url of urls) {
      const { headers } = await app.inject({
        url,
        headers: { [REQUEST_ID_HEADER]: 'mine', 'request-id': 'mine' },
      });
      expect(headers[REQUEST_ID_HEADER], url).toMatch(UUID);
      ids.add(headers[REQUEST_ID_HEADER]);
    }
    expect(ids.size).toBe(urls.length);
  });

  it('answers without a key, with an empty or a known one, and refuses any other', async () => {
    const app = await createSampleGateway();
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    for (const key of [KEY, '', ' ']) {
      const answer = await app.inject({ url: '/healthz', headers: { 'x-api-key': key } });
      expect(answer.statusCode, key).toBe(200);
    }
    for (const key of ['jup_', `${KEY}0`, `${KEY}, ${KEY}`]) {
      const refused = await app.inject({ url: '/healthz', headers: { 'x-api-key': key } });
      expect(refused.statusCode, key).toBe(401);
      expect(refused.json()).toEqual({ code: 401, message: 'Unauthorized' });
    }
  });

  it('answers a preflight from any site, even if its key would be refused', async () => {
    const app = await createSampleGateway();
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/sample',
      headers: {
        origin: 'https://wallet.example',
        'access-control-request-method': 'POST',
        'x-api-key': 'wrong',
      },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
    expect(preflight.headers['access-control-allow-methods']).toContain('POST');
    expect(preflight.headers['access-control-allow-headers']).toContain('x-api-key');
    const answer = await app.inject({ url: '/healthz', headers: { origin: 'https://wallet.example' } });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    expect(answer.headers['access-control-expose-headers']).toContain(REQUEST_ID_HEADER);
  });

  it('allows the headers that the libraries of pages add', async () => {
    const app = await createSampleGateway();
    const allowed = async (headers: string) => {
      const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': headers };
      const answer = await app.inject({ method: 'OPTIONS', url: '/sample', headers: asked });
      return answer.headers['access-control-allow-headers'];
    };
    const libraries = 'content-type,solana-client,traceparent,x-api-key,x-client-platform';
    expect(await allowed(libraries)).toBe(libraries);
    expect(await allowed('x(')).toBe('content-type, x-api-key, authorization');
    expect(await allowed('x'.repeat(1_025))).toBe('content-type, x-api-key, authorization');
  });

  it('treats a query parameter without a value as absent', async () => {
    const app = await createSampleGateway();
    expect((await app.inject('/sample/a?limit=2&flag=')).json()).toEqual({ limit: 2 });
    const needed = await app.inject('/sample/a?limit=&flag=true');
    expect(needed.json()).toMatchObject({ error: expect.stringContaining('limit must be a whole number') });
  });

  it('finds an endpoint under its path and its alias, and matches both exactly', async () => {
    const app = await createSampleGateway({
      products: [await sampleWithAliases.open({})],
    });
    for (const url of ['/swap/v2/order', '/ultra/v1/order']) {
      expect((await app.inject(`${url}?amount=5`)).json()).toEqual({
        order: { amount: '5' },
        path: '/swap/v2/order',
      });
    }
    expect((await app.inject({ method: 'POST', url: '/ultra/v1/execute' })).json()).toEqual({
      path: 'execute',
    });
    expect((await app.inject('/v6/quote')).json()).toEqual({ path: 'quote' });
    for (const url of [
      '/ultra/v1',
      '/ultra/v1/orders',
      '/v6/quotes',
      '/swap/v2/order/x',
      '/swap/v2/order/',
      '/v6/quote/',
    ]) {
      expect((await app.inject(url)).statusCode, url).toBe(404);
    }
  });

  it('allows only the named origins', async () => {
    const app = await createSampleGateway({
      pipeline: {
        findKey: () => null,
        limiter: createInProcessLimiter(),
        countryOf: () => null,
        now: () => 0,
        corsOrigins: ['https://wallet.example'],
      },
    });
    for (const [origin, allowed] of [
      ['https://wallet.example', 'https://wallet.example'],
      ['https://wallet.example.evil', undefined],
      ['http://wallet.example', undefined],
      ['null', undefined],
    ] as const) {
      const { headers } = await app.inject({
        method: 'OPTIONS',
        url: '/sample',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
      expect(headers['access-control-allow-origin'], origin).toBe(allowed);
      expect(headers.vary).toBe('origin');
    }
  });

  it('sets the security headers', async () => {
    const { headers } = await (await createSampleGateway()).inject('/healthz');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('logs one line per request with its id, and never a key', async () => {
    const log: string[] = [];
    const app = await createSampleGateway({}, log);
    const secrets = [KEY, 'jup_wrong', 'Bearer token', 'query-secret'];
    const { headers } = await app.inject({
      url: '/sample/a?limit=2&token=query-secret',
      headers: { 'x-api-key': KEY, authorization: 'Bearer token' },
    });
    await app.inject({ url: '/breaks', headers: { 'x-api-key': KEY } });
    await app.inject({ url: '/healthz', headers: { 'x-api-key': 'jup_wrong' } });
    app.log.info({ headers: { 'x-api-key': KEY, authorization: 'Bearer token' } }, 'headers');
    const lines = log.map((line) => JSON.parse(line));
    expect(lines.filter((line) => line.reqId === headers[REQUEST_ID_HEADER])).toMatchObject([
      { path: '/sample/a', status: 400, method: 'GET', msg: 'answered' },
    ]);
    expect(lines.filter((line) => line.msg === 'answered')).toHaveLength(3);
    for (const secret of secrets) expect(log.join(''), secret).not.toContain(secret);
  });
});

describe('health', () => {
  it('is ready only if every check passes, and names the ones that fail', async () => {
    let reason: string | null = 'slots do not advance';
    const app = await createSampleGateway({
      readiness: [
        { name: 'chain', unhealthy: () => reason },
        { name: 'rpc', unhealthy: async () => null },
      ],
    });
    const unready = await app.inject('/readyz');
    expect(unready.statusCode).toBe(503);
    expect(unready.json()).toEqual({ ready: false, parts: { chain: 'slots do not advance', rpc: 'ok' } });
    expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' });
    reason = null;
    const ready = await app.inject('/readyz');
    expect(ready.statusCode).toBe(200);
    expect(ready.json()).toEqual({ ready: true, parts: { chain: 'ok', rpc: 'ok' } });
  });

  it('reports a check that throws as failed, without its message', async () => {
    const app = await createSampleGateway({
      readiness: [{ name: 'rpc', unhealthy: () => Promise.reject(new Error('refused')) }],
    });
    expect((await app.inject('/readyz')).json()).toEqual({ ready: false, parts: { rpc: 'it failed' } });
  });
});

describe('closing', () => {
  it('lets a request in flight finish', async () => {
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let entered: (() => void) | undefined;
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const app = await createSampleGateway({
      products: [],
      registerRoutes: (products) => {
        products.get('/slow', async () => {
          entered?.();
          await held;
          return { done: true };
        });
      },
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const answer = fetch(`${url}/slow`);
    await inside;
    const closing = closeServer(app);
    release?.();
    expect(await (await answer).json()).toEqual({ done: true });
    await closing;
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
});

const responses = { 200: Type.Object({ path: Type.String(), order: Type.Optional(Type.Unknown()) }) };
const text = { summary: 'Sample', description: 'Sample.', responses };
/** Endpoints with aliases. */
const sampleWithAliases = defineProduct({
  name: 'swap',
  description: 'A sample.',
  basePaths: ['/swap'],
  endpoints: [
    defineEndpoint({
      ...text,
      method: 'GET',
      path: '/swap/v2/order',
      aliases: ['/ultra/v1/order'],
      operationId: 'order',
      query: Type.Object({ amount: Type.String() }),
      handle: (_services: null, { query }) => ({ order: query, path: '/swap/v2/order' }),
    }),
    defineEndpoint({
      ...text,
      method: 'POST',
      path: '/swap/v2/execute',
      aliases: ['/ultra/v1/execute'],
      operationId: 'execute',
      handle: () => ({ path: 'execute' }),
    }),
    defineEndpoint({
      ...text,
      method: 'GET',
      path: '/swap/v1/quote',
      aliases: ['/v6/quote'],
      operationId: 'quote',
      handle: () => ({ path: 'quote' }),
    }),
  ],
  open: () => ({ services: null }),
});
