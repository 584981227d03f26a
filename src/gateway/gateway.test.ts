import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { ChainUnavailable } from '../chain/chain.ts';
import { Unavailable } from '../unavailable.ts';
import type { KnownKey } from '../platform/key-cache.ts';
import { PLANS } from '../platform/plans.ts';
import { createGateway, type GatewayParts } from './gateway.ts';
import { createLogger } from './log.ts';
import { inProcessLimiter } from './pipeline/rate-limiter.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';
import { closeServer } from './server.ts';

const KEY = 'jup_0123456789abcdef';
const KNOWN: KnownKey = {
  id: 'k1',
  name: 'key',
  teamId: 't1',
  organisationId: 'o1',
  rules: null,
  limits: PLANS.pro,
  products: null,
  expiresAt: null,
};
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

class Refused extends Error {
  readonly statusCode = 400;
}

function registerSample(app: FastifyInstance): void {
  const querystring = Type.Object(
    { limit: Type.Integer({ minimum: 1, maximum: 5 }), flag: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  );
  app.get(
    '/sample/:id',
    { schema: { tags: ['sample'], params: Type.Object({ id: Type.String() }), querystring } },
    async (request) => request.query,
  );
  app.post(
    '/sample',
    { schema: { body: Type.Object({ count: Type.Integer() }) } },
    async (request) => request.body,
  );
  app.get('/refuses', async () => {
    throw new Refused('amount must be more');
  });
  app.get('/breaks', async () => {
    throw new Error('the password is hunter2');
  });
  app.get('/offline', async () => {
    throw new ChainUnavailable('connection refused');
  });
  app.get('/wrapped', async () => {
    throw new Error('asked in vain', { cause: new Unavailable('The database does not answer') });
  });
}

const opened: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await closeServer(app);
});

async function gateway(overrides: Partial<GatewayParts> = {}, log: string[] = []): Promise<FastifyInstance> {
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      log.push(String(chunk));
      done();
    },
  });
  const app = await createGateway({
    logger: createLogger('trace', destination),
    pipeline: {
      findKey: (key) => (key === KEY ? KNOWN : null),
      limiter: inProcessLimiter(),
      countryOf: () => null,
      now: () => 0,
    },
    trustedProxies: [],
    parts: [],
    examples: {},
    registerProducts: registerSample,
    ...overrides,
  });
  opened.push(app);
  return app;
}

describe('the request pipeline', () => {
  it('gives every answer an id of its own, whatever the client sends', async () => {
    const app = await gateway();
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

  it('answers without a key and with a known one, and refuses any other', async () => {
    const app = await gateway();
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    expect((await app.inject({ url: '/healthz', headers: { 'x-api-key': KEY } })).statusCode).toBe(200);
    for (const key of ['', 'jup_', `${KEY}0`, `${KEY}, ${KEY}`]) {
      const refused = await app.inject({ url: '/healthz', headers: { 'x-api-key': key } });
      expect(refused.statusCode, key).toBe(401);
      expect(refused.json()).toEqual({ code: 401, message: 'Unauthorized' });
    }
  });

  it('answers a preflight from any site, also where a key would be refused', async () => {
    const app = await gateway();
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

  it('lets pages send whatever headers their libraries add', async () => {
    const app = await gateway();
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

  it('takes a query parameter without a value for an absent one', async () => {
    const app = await gateway();
    expect((await app.inject('/sample/a?limit=2&flag=')).json()).toEqual({ limit: 2 });
    const needed = await app.inject('/sample/a?limit=&flag=true');
    expect(needed.json()).toMatchObject({ error: expect.stringContaining('limit must be a whole number') });
  });

  it('finds a path with and without a slash at its end, and under the name that it had before', async () => {
    const app = await gateway({
      registerProducts: (routes) => {
        routes.get('/swap/v2/order', (request) => ({ order: request.query, path: request.routeOptions.url }));
        routes.post('/swap/v2/execute', () => ({ path: 'execute' }));
        routes.get('/swap/v1/quote', () => ({ path: 'quote' }));
      },
    });
    for (const url of ['/swap/v2/order', '/swap/v2/order/', '/ultra/v1/order']) {
      expect((await app.inject(`${url}?amount=5`)).json()).toEqual({
        order: { amount: '5' },
        path: '/swap/v2/order',
      });
    }
    expect((await app.inject({ method: 'POST', url: '/ultra/v1/execute' })).json()).toEqual({
      path: 'execute',
    });
    expect((await app.inject('/v6/quote')).json()).toEqual({ path: 'quote' });
    for (const url of ['/ultra/v1', '/ultra/v1/orders', '/v6/quotes', '/swap/v2/order/x']) {
      expect((await app.inject(url)).statusCode, url).toBe(404);
    }
  });

  it('lets only the pages of the sites call that are named', async () => {
    const app = await gateway({
      pipeline: {
        findKey: () => null,
        limiter: inProcessLimiter(),
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
    const { headers } = await (await gateway()).inject('/healthz');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('logs one line per request with its id, and never a key', async () => {
    const log: string[] = [];
    const app = await gateway({}, log);
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

describe('error bodies', () => {
  it.each([
    ['/sample/a?limit=9', 'query parameter limit must be <= 5, got 9'],
    ['/sample/a?limit=1.5', 'query parameter limit must be a whole number, got "1.5"'],
    ['/sample/a', 'query parameter limit is missing'],
    ['/sample/a?limit=1&limit=2', 'query parameter limit is given 2 times; give it once'],
    ['/sample/a?limit=1&limt=2', 'query parameter limt is not known; known are limit, flag'],
    ['/sample/a?limit=1&flag=yes', 'query parameter flag must be true or false, got "yes"'],
    ['/refuses', 'amount must be more'],
  ])('says of %s: %s', async (url, error) => {
    const answer = await (await gateway()).inject(url);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ error });
  });

  it('reads typed values from the query, and converts nothing in a body', async () => {
    const app = await gateway();
    expect((await app.inject('/sample/a?limit=2&flag=true')).json()).toEqual({ limit: 2, flag: true });
    const answer = await app.inject({ method: 'POST', url: '/sample', payload: { count: '5' } });
    expect(answer.json()).toEqual({ error: 'body field count must be a whole number, got "5"' });
  });

  it('has the gateway’s shape for what the gateway refuses', async () => {
    const app = await gateway();
    const json = { 'content-type': 'application/json' };
    const cases = [
      [{ url: '/nowhere?a=b' }, 404, '/nowhere is not a path of this server'],
      [{ method: 'DELETE', url: '/sample/a' }, 405, 'DELETE is not allowed here; allowed are GET, HEAD'],
      [{ method: 'POST', url: '/sample', headers: json, payload: '{' }, 400, /JSON/],
      [
        { method: 'POST', url: '/sample', headers: json, payload: '{"__proto__":{"a":1}}' },
        400,
        /JSON|proto/,
      ],
      [
        { method: 'POST', url: '/sample', headers: json, payload: `{"a":"${'x'.repeat(70_000)}"}` },
        413,
        /large/,
      ],
      [
        { method: 'POST', url: '/sample', headers: { 'content-type': 'text/plain' }, payload: 'a' },
        415,
        /text\/plain/,
      ],
      [{ url: '/offline' }, 503, /network does not answer/],
      [{ url: '/wrapped' }, 503, /^The database does not answer$/],
    ] as const;
    for (const [request, code, message] of cases) {
      const answer = await app.inject(request);
      expect(answer.statusCode, JSON.stringify(request).slice(0, 200)).toBe(code);
      expect(answer.json()).toEqual({ code, message: expect.stringMatching(message) });
    }
  });

  it('names the methods that a path has', async () => {
    const app = await gateway();
    expect((await app.inject({ method: 'PUT', url: '/sample' })).headers.allow).toBe('POST');
    const options = await app.inject({ method: 'OPTIONS', url: '/sample' });
    expect(options.statusCode).toBe(204);
    expect(options.headers.allow).toBe('POST');
  });

  it('tells of a defect only the request id, and logs the rest', async () => {
    const log: string[] = [];
    const app = await gateway({}, log);
    const answer = await app.inject('/breaks');
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      code: 500,
      message: `Internal server error; the request id is ${answer.headers[REQUEST_ID_HEADER]}`,
    });
    expect(log.join('')).toContain('hunter2');
  });
});

describe('on a socket', () => {
  async function exchange(app: FastifyInstance, bytes: string): Promise<string> {
    await app.listen({ port: 0, host: '127.0.0.1' });
    const address = app.server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      connect(address.port, '127.0.0.1')
        .on('data', (chunk) => chunks.push(chunk))
        .on('error', reject)
        .on('close', () => resolve(Buffer.concat(chunks).toString()))
        .end(bytes);
    });
  }

  it.each([
    ['GARBAGE\r\n\r\n', 400, 'Bad Request'],
    [
      `GET /healthz HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      431,
      'Request Header Fields Too Large',
    ],
  ])('answers malformed bytes with an id and the gateway’s body', async (bytes, code, message) => {
    const text = await exchange(await gateway(), bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${code} `));
    expect(text).toMatch(new RegExp(`${REQUEST_ID_HEADER}: [0-9a-f-]{36}`));
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toEqual({ code, message });
  });

  it.each([
    ['GET /healthz HTTP/1.1\r\n\r\n', 400, '"message":"header host is missing, which HTTP/1.1 needs"'],
    ['GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: much\r\n\r\n', 200, '{"status":"ok"}'],
    ['GET /healthz HTTP/1.0\r\n\r\n', 200, '{"status":"ok"}'],
  ])(
    'answers %j, which Node would or would not by itself, with an id and a body',
    async (bytes, code, body) => {
      const text = await exchange(await gateway(), bytes);
      expect(text).toMatch(new RegExp(`^HTTP/1.1 ${code} `));
      expect(text).toMatch(new RegExp(`${REQUEST_ID_HEADER}: [0-9a-f-]{36}`));
      expect(text).toContain(body);
    },
  );
});

describe('health', () => {
  it('is ready only when every part answers, and says which does not', async () => {
    let reason: string | null = 'slots do not advance';
    const app = await gateway({
      parts: [
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

  it('takes a part that throws for one that does not answer', async () => {
    const app = await gateway({
      parts: [{ name: 'rpc', unhealthy: () => Promise.reject(new Error('refused')) }],
    });
    expect((await app.inject('/readyz')).json()).toEqual({ ready: false, parts: { rpc: 'refused' } });
  });
});

describe('documentation', () => {
  it('is a valid OpenAPI 3.1 document of every route', async () => {
    const document = (await (await gateway()).inject('/openapi.json')).json();
    const result = await new Validator().validate(structuredClone(document));
    expect(result).toEqual({ valid: true });
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(Object.keys(document.paths).sort()).toEqual(
      [
        '/breaks',
        '/healthz',
        '/offline',
        '/readyz',
        '/refuses',
        '/sample',
        '/sample/{id}',
        '/wrapped',
      ].sort(),
    );
    expect(document.paths['/sample/{id}'].get.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'limit', in: 'query', required: true, schema: { type: 'integer', minimum: 1, maximum: 5 } },
      { name: 'flag', in: 'query', required: false, schema: { type: 'boolean' } },
    ]);
    expect(document.paths['/sample'].post.requestBody.content['application/json'].schema.required).toEqual([
      'count',
    ]);
    expect(Object.keys(document.paths['/sample'])).toEqual(['post']);
  });

  it('is a page that asks no other host for anything', async () => {
    const app = await gateway({ examples: { limit: '3', id: '"><script>' } });
    expect(await app.inject('/')).toMatchObject({ statusCode: 302, headers: { location: '/docs' } });
    const page = await app.inject('/docs');
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect(page.body).toContain('/sample/{id}');
    expect(page.body).toContain('value="3"');
    expect(page.body).not.toContain('"><script>');
    const links = [...page.body.matchAll(/(?:src|href)="([^"#]+)"/g)].map((match) => match[1] ?? '');
    expect(links).toEqual(['/docs/docs.css', '/docs/docs.js', '/openapi.json']);
    for (const url of links) expect((await app.inject(url)).statusCode, url).toBe(200);
  });
});

describe('closing', () => {
  it('lets a request under way end', async () => {
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let entered: (() => void) | undefined;
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const app = await gateway({
      registerProducts: (products) => {
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
