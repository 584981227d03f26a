import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayOptions } from '../gateway.ts';
import { createInProcessLimiter } from '../limits/rate-limiter.ts';
import { closeGateways, createSampleGateway, KEY, SAMPLE_KEY } from '../../testing/gateway/sample-gateway.ts';
import { createDenyingRules } from '../../testing/gateway/guarded-gateway.ts';
import * as fixture from '../../testing/gateway/portal-fixture.ts';
import { openFolder, openTestFolder } from '../../testing/test-folder.ts';

describe('the pages of the portal', () => {
  it.each(['/portal', '/portal/', '/portal/playground', '/portal/routes?id=1', '/portal/index.html'])(
    'are one page at %s, which is asked for again each time and cannot be framed',
    async (url) => {
      const answer = await app.inject({ url });
      expect([answer.statusCode, answer.body]).toEqual([200, fixture.FIXTURE_PAGE]);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(answer.headers['content-security-policy']).not.toContain('unsafe');
    },
  );

  it('are not sent again to a browser that has them', async () => {
    const { headers } = await app.inject({ url: '/portal' });
    const again = await app.inject({ url: '/portal', headers: { 'if-none-match': String(headers.etag) } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it.each([
    [undefined, undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['identity', undefined],
    ['br;q=0.5, identity', undefined],
    ['BR', 'br'],
    ['br;q=nonsense', undefined],
  ])('have assets for a year, to a browser that accepts %s as %s', async (accepted, encoding) => {
    const answer = await app.inject({
      url: SCRIPT,
      headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    expect(answer.headers['content-encoding']).toBe(encoding);
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((raw: Buffer) => raw);
    expect(decode(answer.rawPayload).toString()).toBe(fixture.FIXTURE_SCRIPT);
  });

  it.each([
    '/portal/assets/index-old.js',
    '/portal/assets/',
    '/portal/assets/index-1a2b3c.js.br',
    '/portal/assets/index-1a2b3c.js.map',
    '/portal/assets/..%2f.built-from',
    '/portal/assets/..%5c.built-from',
    '/portal/assets//etc/passwd',
    '/portal/assets/%2fetc%2fpasswd',
    '/portal/assets/index-1a2b3c.js%00.svg',
    '/portal/data/nothing',
  ])('have nothing at %s', async (url) => {
    const answer = await app.inject({ url });
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain('a fixture');
  });

  it('are not files beside them', async () => {
    expect((await app.inject({ url: '/portal/.built-from' })).body).toBe(fixture.FIXTURE_PAGE);
  });

  it('are where / leads a browser; others get to the documentation', async () => {
    const asBrowser = await app.inject({
      url: '/',
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });
    expect([asBrowser.statusCode, asBrowser.headers.location]).toEqual([302, '/portal']);
    expect(asBrowser.headers.vary).toBe('accept');
    expect((await app.inject({ url: '/' })).headers.location).toBe('/docs');
  });

  it('take no key and no credits, and stand where a key is required', async () => {
    const other = await openOther({
      pipeline: { ...PIPELINE, keyless: () => null },
    });
    for (const url of ['/portal', SCRIPT]) expect((await other.inject({ url })).statusCode).toBe(200);
    expect((await other.inject({ url: '/portal/data/instance' })).statusCode).toBe(401);
    const withKey = { url: '/portal/data/instance', headers: { ...LOCAL, 'x-api-key': KEY } };
    expect((await other.inject(withKey)).statusCode).toBe(200);
  });

  it('obey the rules of the firewall that name their path, and no others', async () => {
    const statusUnder = async (condition: Parameters<typeof createDenyingRules>[0]) => {
      const other = await openOther({
        pipeline: { ...PIPELINE, findKey: () => ({ ...SAMPLE_KEY, rules: createDenyingRules(condition) }) },
      });
      return (await other.inject({ url: SCRIPT, headers: { 'x-api-key': KEY } })).statusCode;
    };
    expect(await statusUnder({ type: 'path', values: ['/portal'] })).toBe(403);
    expect(await statusUnder({ type: 'path', values: ['/swap', '/portal/assets'] })).toBe(403);
    expect(await statusUnder({ type: 'path', values: ['/portal/data'] })).toBe(200);
    expect(await statusUnder({ type: 'path', values: ['/', '/p'] })).toBe(200);
    expect(await statusUnder({ type: 'method', values: ['GET'] })).toBe(200);
  });

  it('say how to build them where there is no build, and appear once there is one', async () => {
    const own = openTestFolder('portal');
    const other = await openOther({ portal: fixture.createFixturePortal(own) });
    const missing = await other.inject({ url: '/portal' });
    expect([missing.statusCode, missing.headers['retry-after']]).toEqual([503, '15']);
    expect(missing.body).toContain('npm ci --include=dev\nnpm run build');
    expect(missing.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    for (const [, url = ''] of missing.body.matchAll(/(?:href|src)="([^"]+)"/g)) {
      expect([url, (await other.inject({ url })).statusCode]).toEqual([url, 200]);
    }
    fixture.writePortalFixture(own);
    expect((await other.inject({ url: '/portal' })).body).toBe(fixture.FIXTURE_PAGE);
  });

  it('are absent where the portal is turned off', async () => {
    const other = await openOther({ portal: null });
    for (const url of ['/portal', SCRIPT, '/portal/data/instance']) {
      expect((await other.inject({ url })).statusCode).toBe(404);
    }
    const asBrowser = await other.inject({ url: '/', headers: { accept: 'text/html' } });
    expect(asBrowser.headers.location).toBe('/docs');
  });
});

describe('the data of the portal', () => {
  it('describes the instance, with all its ports to a page on this machine', async () => {
    const answer = await get(app, '/portal/data/instance', LOCAL);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      port: 'rest',
      production: false,
      requiresKey: false,
      network: { kind: 'embedded', genesis: 'GENESIS' },
      urls: {
        rest: 'http://127.0.0.1:8787',
        admin: 'http://127.0.0.1:8788',
        grpc: '127.0.0.1:50051',
        rpc: 'http://127.0.0.1:8899',
        ws: 'ws://127.0.0.1:8900',
      },
      demoWallet: 'WALLET',
      products: [],
      controls: false,
    });
  });

  it.each([
    ['another machine', { remoteAddress: '203.0.113.7', headers: { host: 'gateway.example' } }],
    ['another machine that says localhost', { remoteAddress: '203.0.113.7', headers: LOCAL }],
    ['this machine under a public name', { headers: { host: 'gateway.example' } }],
    ['a proxy on this machine', { headers: { ...LOCAL, 'x-forwarded-for': '203.0.113.7' } }],
  ])('keeps the ports of operators from %s', async (_, request) => {
    const other = await openOther({
      portal: fixture.createFixturePortal(folder, { isLoopbackOnly: false }),
    });
    const answer = await other.inject({ url: '/portal/data/instance', ...request });
    expect(answer.json().urls).toEqual({
      rest: 'http://127.0.0.1:8787',
      admin: null,
      grpc: '127.0.0.1:50051',
      rpc: null,
      ws: null,
    });
  });

  it('answers 503 until the ports listen', async () => {
    const { facts } = fixture.createFixturePortal(folder);
    const other = await openOther({
      portal: fixture.createFixturePortal(folder, { facts: { ...facts, getUrls: () => null } }),
    });
    expect((await get(other, '/portal/data/instance', LOCAL)).statusCode).toBe(503);
  });

  it('is the OpenAPI document of the public server', async () => {
    const document = await get(app, '/portal/data/openapi', LOCAL);
    expect(document.json()).toEqual((await get(app, '/openapi.json', {})).json());
    expect(Object.keys(document.json().paths).filter((path) => path.startsWith('/portal'))).toEqual([]);
    expect((await get(app, '/portal/data/openapi/admin', LOCAL)).statusCode).toBe(404);
    const compressed = await get(app, '/portal/data/openapi', { ...LOCAL, 'accept-encoding': 'br, gzip' });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(compressed.rawPayload).toString()).toBe(document.body);
  });

  it('is counted, and open to a key that is confined to a product', async () => {
    const other = await openOther({
      pipeline: { ...PIPELINE, limiter: createInProcessLimiter(), findKey: () => CONFINED },
    });
    const answer = await get(other, '/portal/data/instance', { ...LOCAL, 'x-api-key': KEY });
    expect([answer.statusCode, answer.headers['x-ratelimit-current']]).toEqual([200, '1']);
  });

  it.each([
    ['its own page', { ...LOCAL, 'sec-fetch-site': 'same-origin', origin: 'http://localhost:8787' }, 200],
    ['its own page, in an old browser', { ...LOCAL, origin: 'http://localhost:8787' }, 200],
    ['a user who entered the address', { ...LOCAL, 'sec-fetch-site': 'none' }, 200],
    ['a page behind a proxy that ends TLS', { ...LOCAL, origin: 'https://localhost:8787' }, 200],
    ['a page of another site', { ...LOCAL, 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of another port', { ...LOCAL, 'sec-fetch-site': 'same-site' }, 403],
    ['another site, in an old browser', { ...LOCAL, origin: 'https://evil.example' }, 403],
    ['another port, in an old browser', { ...LOCAL, origin: 'http://localhost:3000' }, 403],
    ['a page in a sandbox', { ...LOCAL, origin: 'null' }, 403],
    ['a name that was pointed to this machine', { host: 'evil.example:8787' }, 403],
    ['such a name, with its origin', { host: 'evil.example', origin: 'http://evil.example' }, 403],
    ['such a name, whose page is the same', { host: 'a.example', 'sec-fetch-site': 'same-origin' }, 403],
    ['a name that begins like this machine', { host: 'localhost.evil.example' }, 403],
  ])('answers %s', async (_, headers, status) => {
    const answer = await get(app, '/portal/data/instance', headers);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});

const get = (server: FastifyInstance, url: string, headers: Record<string, string>) =>
  server.inject({ url, headers });
const SCRIPT = '/portal/assets/index-1a2b3c.js';
const LOCAL = { host: 'localhost:8787' };
const CONFINED = { ...SAMPLE_KEY, products: ['price'] };
const PIPELINE = {
  findKey: (key: string) => (key === KEY ? SAMPLE_KEY : null),
  limiter: createInProcessLimiter(),
  countryOf: () => null,
  now: () => 0,
};

const folder = openFolder('portal');
let app: FastifyInstance;
beforeAll(async () => {
  fixture.writePortalFixture(folder);
  app = await createSampleGateway({ portal: fixture.createFixturePortal(folder) });
});
afterAll(closeGateways);

function openOther(overrides: Partial<GatewayOptions>): Promise<FastifyInstance> {
  return createSampleGateway({ portal: fixture.createFixturePortal(folder), ...overrides });
}
