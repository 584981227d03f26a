import { afterEach, describe, expect, it } from 'vitest';
import type { KnownKey } from '../platform/callers/key-cache.ts';
import {
  GUARDED,
  type Guard,
  GUARDS,
  GuardedGateway,
  KEY,
  parseFirstStatus,
} from '../testing/gateway/guarded-gateway.ts';

let gateway: GuardedGateway;
afterEach(() => gateway.close());

describe.each(GUARDS)('$name', (guard) => {
  it('refuses the plain request, which would be handled otherwise', async () => {
    await serveBehind(guard);
    expect(parseFirstStatus(await get(GUARDED, `x-api-key: ${KEY}`))).toBe(guard.status);
    expect(gateway.handled).toBe(0);
    await gateway.close();
    await serve({});
    expect(parseFirstStatus(await get(GUARDED, `x-api-key: ${KEY}`))).toBe(200);
    expect(gateway.handled).toBe(1);
  });

  it('is not bypassed by another spelling of the path', async () => {
    await serveBehind(guard);
    for (const path of PATHS) {
      expect([400, 401, 403, 404, 429], path).toContain(
        parseFirstStatus(await get(path, `x-api-key: ${KEY}`)),
      );
      expect(gateway.handled, path).toBe(0);
    }
  });

  it('is not bypassed by another spelling of the headers', async () => {
    await serveBehind(guard);
    for (const header of HEADERS) {
      // A preflight is answered without reaching the handler.
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        await send(`${method} ${GUARDED} HTTP/1.1\r\nhost: a\r\n${header}\r\n\r\n`);
        expect(gateway.handled, `${method} ${header}`).toBe(0);
      }
    }
  });
});

describe('the address of a caller without a key', () => {
  it.each([
    'x-forwarded-for: *',
    'X-Forwarded-For: *, *',
    'x-real-ip: *',
    'forwarded: for=*',
    'cf-connecting-ip: *',
    'true-client-ip: *',
    'x-client-ip: *',
    'x-forwarded-for: *\r\nx-forwarded-for: 127.0.0.1',
  ])('is not changed by %j from an untrusted address', async (header) => {
    await serve(null);
    expect(new Set((await ask(header, 31)).slice(30))).toEqual(new Set([429]));
    expect(gateway.handled).toBe(30);
  });

  it.each([
    'x-forwarded-for: *, 203.0.113.7',
    'x-forwarded-for: *\r\nx-forwarded-for: 203.0.113.7',
    'x-forwarded-for: 10.0.0.1, *, 203.0.113.7, 10.0.0.1',
    'x-forwarded-for: 203.0.113.7\r\nx-real-ip: *',
  ])('is the last address that is not a trusted proxy, in %j', async (header) => {
    await serve(null, ['127.0.0.1', '10.0.0.0/8']);
    expect((await ask(header, 31))[30]).toBe(429);
    expect((await ask('x-forwarded-for: 203.0.113.8', 1))[0]).toBe(200);
  });

  const ask = async (forwarded: string, count: number): Promise<number[]> => {
    const statuses: number[] = [];
    for (let index = 0; index < count; index++) {
      const header = forwarded.replaceAll('*', `198.51.100.${index}`);
      statuses.push(parseFirstStatus(await get(GUARDED, `${header}\r\nconnection: close`)));
    }
    return statuses;
  };
});

/** Targets that a proxy, our router, or both may read as the guarded one. */
const PATHS = [
  GUARDED,
  `${GUARDED}?a=b`,
  `${GUARDED}#a`,
  `${GUARDED}/`,
  `${GUARDED};a=b`,
  `${GUARDED}%3fa`,
  `${GUARDED}%00`,
  `${GUARDED}%20`,
  `/${GUARDED}`,
  '/SWAP/v2/build',
  '/Swap/V2/Build',
  '/%73wap/v2/build',
  '/%2573wap/v2/build',
  '/swap%2fv2%2fbuild',
  '/swap/v2%2Fbuild',
  '/./swap/v2/build',
  '/price/../swap/v2/build',
  '/price/%2e%2e/swap/v2/build',
  '/price/..%2fswap/v2/build',
  '/price/..;/swap/v2/build',
  '/healthz/../swap/v2/build',
  '/docs/../swap/v2/build',
  '/swap//v2/build',
  '/swap\\v2\\build',
  '/swap/v2/./build',
  '/ſwap/v2/build',
  `http://127.0.0.1${GUARDED}`,
  `http://127.0.0.1/price${GUARDED}`,
  `//127.0.0.1${GUARDED}`,
];

const HEADERS = [
  `x-api-key: ${KEY}`,
  `X-API-KEY: ${KEY}`,
  `x-api-key:   ${KEY}   `,
  `x-api-key: ${KEY}\r\nx-api-key: other`,
  `x-api-key: other\r\nX-Api-Key: ${KEY}`,
  `x-api-key: ${KEY}, ${KEY}`,
  `x-api-key : ${KEY}`,
  ` x-api-key: ${KEY}`,
  `x-api-key: ${KEY}\r\nx-original-url: /healthz`,
  `x-api-key: ${KEY}\r\nx-rewrite-url: /healthz`,
  `x-api-key: ${KEY}\r\nx-http-method-override: OPTIONS`,
  `x-api-key: ${KEY}\r\nx-forwarded-for: 127.0.0.1`,
  `x-api-key: ${KEY}\r\nforwarded: for=127.0.0.1`,
  `x-api-key: ${KEY}\r\nx-forwarded-prefix: /price`,
  `x-api-key: ${KEY}\r\nconnection: close, x-api-key`,
  `x-api-key: ${KEY}\r\norigin: http://127.0.0.1\r\naccess-control-request-method: GET`,
  `x-api-key: ${KEY}\r\nexpect: 100-continue`,
  `x-api-key: ${KEY}\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__`,
];

async function serve(known: Partial<KnownKey> | null, trustedProxies: readonly string[] = []): Promise<void> {
  gateway = await GuardedGateway.open(known, { trustedProxies });
}

const send = (bytes: string) => gateway.send(bytes);
const get = (path: string, header: string) => gateway.get(path, header);

/** Resolves when the guard refuses. */
async function serveBehind({ known, spent }: Guard): Promise<void> {
  await serve(known);
  if (spent === true) await get(GUARDED, `x-api-key: ${KEY}`);
  gateway.handled = 0;
}
