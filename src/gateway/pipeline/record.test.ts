import { writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:http2';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileRules } from '../../platform/firewall/evaluate.ts';
import type { KnownKey } from '../../platform/callers/key-cache.ts';
import type { RequestEntry } from '../../platform/traffic/log/request-entry.ts';
import { createProductWithoutEndpoints } from '../../testing/products/opened-product.ts';
import { createGateway } from '../gateway.ts';
import { listen } from '../http/listen.ts';
import { createLogger } from '../http/log/log.ts';
import { closeServer } from '../server/server.ts';
import type { TlsOptions } from '../http/tls.ts';
import { TEST_CERTIFICATES } from '../../testing/gateway/certificates.ts';
import { createInProcessLimiter } from '../limits/rate-limiter.ts';
import { DEFAULT_BOUNDS } from '../../testing/server-bounds.ts';
import { openTestFolder } from '../../testing/test-folder.ts';

let app: FastifyInstance;
let entries: RequestEntry[];
/** Functions that answer the waiting requests for `/swap/v2/held`. */
let answers: (() => void)[];
let folder: string;
afterEach(() => closeServer(app));
beforeEach(setUp);

describe('the record of a request', () => {
  it.each([
    ['629bddf3-0038-43a6-8956-f5433d6b1191', '629bddf3-0038-43a6-8956-f5433d6b1191'],
    ['\u0000\n"x', '%00%0A"x'],
    ['5'.repeat(64), '[redacted]'],
    ['a-'.repeat(500), 'a-'.repeat(32)],
  ])(
    'names the order that is executed, with its router, code and signature: %#',
    async (requestId, noted) => {
      const payload = { requestId };
      const { order } = await send('/swap/v2/noted', KEY, { method: 'POST', payload });
      expect(order).toEqual({ requestId: noted, router: 'metis', code: -2_004, signature: 's'.repeat(88) });
    },
  );

  it('has the decision, whole microseconds, and what the client sent without secrets', async () => {
    const entry = await send('/swap/v2/build?taker=abc&api-key=secret&amount=5', KEY, {
      headers: {
        authorization: 'Bearer secret',
        cookie: 'secret',
        'user-agent': 'client/1.0',
        referer: 'https://example.org/page?session=secret',
        host: 'api.example.org',
      },
      remoteAddress: '2001:db8::1',
    });
    expect(entry).toEqual({
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      at: NOW,
      owner: OWNER,
      method: 'GET',
      path: '/swap/v2/build',
      endpoint: '/swap/v2/build',
      status: 200,
      decision: 'admitted',
      firewall: null,
      credits: 1,
      gatewayUs: expect.any(Number),
      handlerUs: expect.any(Number),
      sendUs: expect.any(Number),
      client: '2001:db8:0:0::/64',
      country: 'CH',
      asn: 64_500,
      host: 'api.example.org',
      referrer: 'https://example.org/page',
      userAgent: 'client/1.0',
      query: 'taker=abc&api-key=[redacted]&amount=5',
      bytesReceived: 0,
      bytesSent: '{"ok":true}'.length,
      order: null,
    });
    for (const part of [entry.gatewayUs, entry.handlerUs, entry.sendUs]) {
      expect(Number.isInteger(part) && part >= 0).toBe(true);
    }
    expect(JSON.stringify(entry)).not.toMatch(/secret|0123456789abcdef/);
  });

  it('has the size of the body that was read, however its length was stated', async () => {
    const payload = JSON.stringify({ text: 'é'.repeat(10) });
    const post = { method: 'POST', payload, headers: { 'content-type': 'application/json' } } as const;
    expect(await send('/swap/v2/execute', KEY, post)).toMatchObject({
      bytesReceived: Buffer.byteLength(payload),
    });
    expect(await send('/swap/v2/execute', 'other', post)).toMatchObject({ bytesReceived: 0, status: 401 });
    expect(await send('/swap/v2/execute', KEY, { method: 'POST' })).toMatchObject({ bytesReceived: 0 });
  });

  it.each([
    ['https://ann:secret@example.org/page', 'https://example.org/page'],
    ['https://ann:se@cret@example.org', 'https://example.org'],
    ['https://example.org/page#token=secret', 'https://example.org/page'],
    ['https://example.org/@ann', 'https://example.org/@ann'],
  ])('has only the page of the referrer %s', async (referer, referrer) => {
    expect(await send('/swap/v2/build', KEY, { headers: { referer } })).toMatchObject({ referrer });
  });

  it('has bounded texts, whatever the client sends', async () => {
    const long = 'x-'.repeat(2_000);
    const headers = { 'user-agent': long, referer: `https://${long}`, host: long };
    const { userAgent, referrer, host, query } = await send(`/swap/v2/build?${long}`, KEY, { headers });
    expect([userAgent, referrer, host, query].map(({ length }) => length)).toEqual([256, 256, 128, 512]);
    const none = await send('/swap/v2/build', KEY, { headers: { 'user-agent': '' } });
    expect(none).toMatchObject({ userAgent: '', referrer: '', query: '' });
  });

  it.each([
    ['/portfolio/v1/positions/abc', 100, '/portfolio/v1/positions/:address'],
    ['/tokens/v2/toptraded/1h', 5, '/tokens/v2/:category/:interval'],
    ['/tokens/v2/search?query=x', 10, '/tokens/v2/search'],
    ['/swap/v2/build', 1, '/swap/v2/build'],
    ['/swap/v2/breaks', 0, '/swap/v2/breaks'],
    ['/swap/v2/nowhere', 0, ''],
    ['/portfolio/v1/positions', 0, ''],
  ])('of %s has %d credits of %j', async (url, credits, endpoint) => {
    expect(await send(url)).toMatchObject({ credits, endpoint, decision: 'admitted' });
  });

  it('has no credits for executions, other methods and refusals', async () => {
    expect(await send('/swap/v2/execute', KEY, { method: 'POST' })).toMatchObject({
      credits: 0,
      status: 200,
    });
    expect(await send('/swap/v2/build', KEY, { method: 'DELETE' })).toMatchObject({
      credits: 0,
      status: 405,
    });
    expect(await send('/tokens/v2/tag')).toMatchObject({
      decision: 'firewall-deny',
      status: 403,
      credits: 0,
      firewall: { outcome: 'deny', rule: 'no tags', matched: ['no tags'] },
    });
    expect(await send('/price/v3')).toMatchObject({ decision: 'no-access', status: 403, credits: 0 });
    for (let index = 0; index < 3; index++)
      expect(await send('/swap/v2/build')).toMatchObject({ credits: 1 });
    expect(await send('/swap/v2/build')).toMatchObject({ decision: 'plan-limit', status: 429, credits: 0 });
  });

  it('has no owner without a key, and with an unknown key', async () => {
    expect(await send('/swap/v2/build', null)).toMatchObject({
      owner: null,
      decision: 'admitted',
      credits: 0,
    });
    expect(await send('/swap/v2/build', 'other')).toMatchObject({
      owner: null,
      decision: 'unauthorised',
      status: 401,
      credits: 0,
    });
  });

  it.each([[[]], [['127.0.0.1']]])(
    'names the client of a connection that is closed with its answer, with trusted proxies %j',
    async (trustedProxies) => {
      const secure = await open(trustedProxies, certificateFiles());
      const url = await listen(secure, { host: '127.0.0.1', port: 0, setting: 'rest-port' });
      const session = connect(url, { rejectUnauthorized: false });
      session.on('error', () => undefined);
      const stream = session.request({ ':path': '/swap/v2/leaves', 'x-api-key': KEY });
      stream.on('error', () => undefined);
      await expect
        .poll(() => entries)
        .toMatchObject([{ client: '127.0.0.1', endpoint: '/swap/v2/leaves', status: 200 }]);
      session.destroy();
      await closeServer(secure);
    },
  );

  it('has status 499 and no credits if the client left before the answer', async () => {
    const url = await listen(app, { host: '127.0.0.1', port: 0, setting: 'rest-port' });
    const client = connectPlain(Number(new URL(url).port), '127.0.0.1');
    await once(client, 'connect');
    const head = `GET /swap/v2/held HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${KEY}\r\n\r\n`;
    // The second request waits behind the first.
    client.write(head + head);
    await expect.poll(() => answers.length).toBe(2);
    client.destroy();
    const left = { status: 499, credits: 0, decision: 'admitted', endpoint: '/swap/v2/held', owner: OWNER };
    await expect.poll(() => entries).toMatchObject([left, left]);
    for (const answer of answers) answer();
    await fetch(`${url}/swap/v2/build`, { headers: { 'x-api-key': KEY } });
    await expect.poll(() => entries.map(({ status }) => status)).toEqual([499, 499, 200]);
  });

  it('has the path alone of a target in absolute form, without its user and password, and no fragment', async () => {
    const { port } = new URL(await listen(app, { host: '127.0.0.1', port: 0, setting: 'rest-port' }));
    const ask = async (path: string, method = 'GET') => {
      entries.length = 0;
      const asked = request({ host: '127.0.0.1', port, path, method, headers: { 'x-api-key': KEY } }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      await once(answer, 'end');
      await expect.poll(() => entries.length).toBe(1);
      return { status: answer.statusCode, path: entries[0]?.path, query: entries[0]?.query };
    };
    const build = { status: 200, path: '/swap/v2/build' };
    const absolute = 'http://user:password@a.example/swap/v2';
    expect(await ask(`${absolute}/build?amount=5`)).toEqual({ ...build, query: 'amount=5' });
    expect(await ask('/swap/v2/build#password')).toEqual({ ...build, query: '' });
    expect(await ask(`${absolute}/none`)).toEqual({ status: 404, path: '/swap/v2/none', query: '' });
    expect(await ask(`${absolute}/build`, 'PROPFIND')).toEqual({ ...build, status: 405, query: '' });
  });

  it('truncates a long path', async () => {
    expect((await send(`/${'x'.repeat(1_000)}`, null)).path).toHaveLength(256);
  });

  it('is not written for health, documentation and preflights', async () => {
    await app.inject('/healthz');
    await app.inject('/docs');
    await app.inject({
      url: '/swap/v2/build',
      method: 'OPTIONS',
      headers: { origin: 'https://example.com', 'access-control-request-method': 'GET' },
    });
    expect(entries).toEqual([]);
  });
});

const NOW = 1_790_000_000_250;
const KEY = 'jup_0123456789abcdef';
const OWNER = { organisationId: 'o', teamId: 't', keyId: 'k' };

async function setUp(): Promise<void> {
  entries = [];
  answers = [];
  folder = openTestFolder('record');
  app = await open([]);
}

function certificateFiles(): TlsOptions {
  const [{ certificate, key }] = TEST_CERTIFICATES;
  const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  writeFileSync(files.certificate, certificate);
  writeFileSync(files.key, key);
  return { files, every: () => () => undefined, onDefect: () => undefined };
}

function open(trustedProxies: readonly string[], tls: TlsOptions | null = null): Promise<FastifyInstance> {
  const known: KnownKey = {
    id: 'k',
    name: 'key',
    teamId: 't',
    organisationId: 'o',
    rules: compileRules([
      {
        id: 'r',
        name: 'no tags',
        enabled: true,
        groups: [[{ type: 'path', name: null, values: ['/tokens/v2/tag'] }]],
        action: { type: 'deny' },
        createdAt: 0,
      },
    ]),
    limits: { main: 4, execute: 4, submit: 4 },
    products: ['swap', 'tokens', 'portfolio'],
    expiresAt: null,
  };
  return createGateway({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    pipeline: {
      findKey: (key) => (key === KEY ? known : null),
      limiter: createInProcessLimiter(),
      countryOf: () => 'CH',
      asnOf: () => 64_500,
      now: () => NOW,
      record: (entry) => entries.push(entry),
    },
    trustedProxies,
    tls,
    readiness: [],
    examples: { values: {}, wallet: null },
    products: [
      createProductWithoutEndpoints('swap', '/swap'),
      createProductWithoutEndpoints('tokens', '/tokens'),
      createProductWithoutEndpoints('portfolio', '/portfolio'),
    ],
    registerRoutes: (server) => {
      server.get('/swap/v2/build', async () => ({ ok: true }));
      server.post('/swap/v2/noted', async ({ body, noteOrder }) => {
        const { requestId } = body as { readonly requestId: string };
        noteOrder({ requestId, router: 'metis', code: null, signature: '' });
        noteOrder({ requestId, router: 'metis', code: -2_004, signature: 's'.repeat(88) });
        return { ok: true };
      });
      server.get('/swap/v2/held', async () => {
        await new Promise<void>((resolve) => answers.push(resolve));
        return { ok: true };
      });
      server.get('/swap/v2/leaves', async (request, reply) => {
        reply.raw.prependOnceListener('finish', () => request.raw.socket.destroy());
        return { ok: true };
      });
      server.post('/swap/v2/execute', { config: { bucket: 'execute', credits: 0 } }, async () => ({
        ok: true,
      }));
      server.get('/portfolio/v1/positions/:address', { config: { credits: 100 } }, async () => ({
        ok: true,
      }));
      server.get('/tokens/v2/:category/:interval', { config: { credits: 5 } }, async () => ({ ok: true }));
      server.get('/tokens/v2/tag', { config: { credits: 50 } }, async () => ({ ok: true }));
      server.get('/tokens/v2/search', { config: { credits: 10 } }, async (_request, reply) =>
        reply.code(400).send({ error: 'no' }),
      );
      server.get('/swap/v2/breaks', async () => {
        throw new Error('broken');
      });
    },
  });
}

async function send(
  url: string,
  key: string | null = KEY,
  options: InjectOptions = {},
): Promise<RequestEntry> {
  const headers = { ...options.headers, ...(key === null ? {} : { 'x-api-key': key }) };
  await app.inject({ ...options, url, headers });
  const entry = entries.at(-1);
  if (entry === undefined || entries.length !== 1) throw new Error(`${entries.length} entries`);
  entries.length = 0;
  return entry;
}
