import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2, type OutgoingHttpHeaders } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { KnownKey } from '../platform/callers/key-cache.ts';
import { TEST_CERTIFICATES } from '../testing/gateway/certificates.ts';
import {
  createDenyingRules,
  GUARDED,
  type Guard,
  type GuardedOptions,
  GUARDS,
  GuardedGateway,
  KEY,
  KEYLESS_LIMIT,
  REFUSED,
  parseFirstStatus,
} from '../testing/gateway/guarded-gateway.ts';

let gateway: GuardedGateway | null = null;
afterEach(tearDown);

describe.each(GUARDS)('over HTTP/2, $name', (guard) => {
  it('refuses the plain request, and every other spelling of it', async () => {
    const target = await open(guard.known, withTls());
    await spend(target, guard);
    expect(await overHttp2(target, [{ ':path': GUARDED, 'x-api-key': KEY }])).toEqual([guard.status]);
    const statuses = await overHttp2(
      target,
      PSEUDO.map((headers) => ({ ...headers, 'x-api-key': KEY })),
    );
    for (const [index, status] of statuses.entries()) {
      if (status !== 0) expect(REFUSED, JSON.stringify(PSEUDO[index])).toContain(status);
    }
    expect(target.handled).toBe(0);
  });

  it('is not bypassed by a repeated or hidden key', async () => {
    const target = await open(guard.known, withTls());
    await spend(target, guard);
    const spellings: OutgoingHttpHeaders[] = [
      { 'x-api-key': [KEY, 'other'] },
      { 'x-api-key': ['other', KEY] },
      { 'x-api-key': `${KEY},other` },
    ];
    const statuses = await overHttp2(
      target,
      spellings.map((headers) => ({ ':path': GUARDED, ...headers })),
    );
    for (const [index, status] of statuses.entries()) {
      if (status !== 0) expect([400, 401], JSON.stringify(spellings[index])).toContain(status);
    }
    expect(target.handled).toBe(0);
  });

  it('treats an empty key as none', async () => {
    const target = await open(guard.known, withTls());
    await spend(target, guard);
    const [empty, none] = await overHttp2(target, [
      { ':path': GUARDED, 'x-api-key': '' },
      { ':path': GUARDED },
    ]);
    expect(empty).toBe(none);
  });
});

it('a rule about the host matches :authority over HTTP/2', async () => {
  const rules = createDenyingRules({ type: 'header', name: 'host', values: ['inside.example'] });
  const target = await open({ rules }, withTls());
  const asked: OutgoingHttpHeaders[] = [
    { ':authority': 'inside.example' },
    { ':authority': 'inside.example', host: 'other.example' },
    { ':authority': 'other.example', host: 'inside.example' },
    { ':authority': 'other.example' },
  ];
  const statuses = await overHttp2(
    target,
    asked.map((headers) => ({ ':path': GUARDED, 'x-api-key': KEY, ...headers })),
  );
  expect(statuses).toEqual([403, 403, 403, 200]);
});

it('over HTTP/2, callers without a key are counted by their address, whatever their headers claim', async () => {
  const target = await open(null, withTls());
  const requests = Array.from({ length: KEYLESS_LIMIT + 2 }, (_, index) => ({
    ':path': GUARDED,
    'x-forwarded-for': `198.51.100.${index}`,
    forwarded: `for=198.51.100.${index}`,
    'x-real-ip': `198.51.100.${index}`,
  }));
  expect((await overHttp2(target, requests)).slice(KEYLESS_LIMIT)).toEqual([429, 429]);
  expect(target.handled).toBe(KEYLESS_LIMIT);
});

describe('one address in many spellings', () => {
  const V4 = [
    '203.0.113.7',
    '203.0.113.7:4711',
    '203.0.113.7:*',
    ' 203.0.113.7\t',
    '::ffff:203.0.113.7',
    '::FFFF:cb00:7107',
    '[::ffff:203.0.113.7]:*',
    '198.51.100.*, 203.0.113.7',
    '198.51.100.*,,203.0.113.7,',
    'unknown, 203.0.113.7, 10.0.0.*',
    '10.0.0.1, 198.51.100.*, 203.0.113.7, 10.0.0.1, 10.0.0.*',
    '198.51.100.*, 203.0.113.7, 2001:db8:ffff::*',
    '198.51.100.*, 203.0.113.7, ::ffff:10.0.0.*',
    '198.51.100.*, 203.0.113.7:4711, 10.0.0.1:44*',
    '198.51.100.*, 203.0.113.7, [2001:db8:ffff::*]:443, [::ffff:10.0.0.1]',
  ];
  const V6 = ['2001:db8::*', '[2001:db8::*]', '[2001:db8::*]:443', '2001:DB8:0:0:*::', '2001:0db8:0000::0:*'];

  it.each([...V4.map((text) => [text, V4] as const), ...V6.map((text) => [text, V6] as const)])(
    'is counted as one client, and the firewall checks it: x-forwarded-for %j',
    async (forwarded, [plain = '']) => {
      const rules = createDenyingRules({ type: 'ip', values: ['203.0.113.7', '2001:db8::/64'] });
      const target = await open({ rules }, { trustedProxies: TRUSTED });
      const ask = async (text: string, index: number, header = '') => {
        const value = text.replaceAll('*', String(index + 1));
        return parseFirstStatus(
          await target.get(GUARDED, `x-forwarded-for: ${value}\r\n${header}connection: close`),
        );
      };
      expect(await ask(forwarded, 0, `x-api-key: ${KEY}\r\n`)).toBe(403);
      for (let index = 0; index < KEYLESS_LIMIT; index++) expect(await ask(forwarded, index)).toBe(200);
      expect(await ask(forwarded, KEYLESS_LIMIT)).toBe(429);
      expect(await ask(plain, 0)).toBe(429);
      expect(await ask('203.0.113.8', 0, `x-api-key: ${KEY}\r\n`)).toBe(200);
      expect(await ask('203.0.113.8', 0)).toBe(200);
    },
  );

  it('is one address on a dual-stack port, and a proxy there is trusted by its IPv4 address', async () => {
    const rules = createDenyingRules({ type: 'ip', values: ['127.0.0.1'] });
    const target = await open({ rules }, { host: '::' });
    for (let index = 0; index <= KEYLESS_LIMIT; index++) {
      const header = `x-forwarded-for: 198.51.100.${index}\r\nconnection: close`;
      expect(parseFirstStatus(await target.get(GUARDED, header))).toBe(index < KEYLESS_LIMIT ? 200 : 429);
    }
    expect(parseFirstStatus(await target.get(GUARDED, `x-api-key: ${KEY}\r\nconnection: close`))).toBe(403);
    await target.close();
    const behind = await open({ rules }, { host: '::', trustedProxies: ['127.0.0.1'] });
    const from = async (address: string) =>
      parseFirstStatus(
        await behind.get(GUARDED, `x-forwarded-for: ${address}\r\nx-api-key: ${KEY}\r\nconnection: close`),
      );
    expect(await from('198.51.100.1')).toBe(200);
    expect(await from('::ffff:127.0.0.1')).toBe(403);
  });

  const TRUSTED = ['127.0.0.1', '10.0.0.0/8', '2001:db8:ffff::/48'];
});

const folders: string[] = [];

async function tearDown(): Promise<void> {
  await gateway?.close();
  gateway = null;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
}

async function open(known: Partial<KnownKey> | null, options: GuardedOptions = {}): Promise<GuardedGateway> {
  gateway = await GuardedGateway.open(known, options);
  return gateway;
}

function withTls(): Pick<GuardedOptions, 'tls'> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-hostile-'));
  folders.push(folder);
  const [{ certificate, key }] = TEST_CERTIFICATES;
  const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  writeFileSync(files.certificate, certificate);
  writeFileSync(files.key, key);
  return { tls: { files, every: () => () => {}, onDefect: () => {} } };
}

/** The statuses of these requests over one HTTP/2 connection; 0 for a request that was cut off. */
async function overHttp2(
  { url }: GuardedGateway,
  requests: readonly OutgoingHttpHeaders[],
): Promise<readonly number[]> {
  const session = connectHttp2(url.href, { rejectUnauthorized: false });
  session.on('error', () => {});
  const statuses: number[] = [];
  for (const headers of requests) {
    const status = await new Promise<number>((resolve) => {
      try {
        const stream = session.request(headers);
        let answered = 0;
        stream.on('response', (answer) => {
          answered = answer[':status'] ?? 0;
          stream.resume();
        });
        // Answered requests count, even if the rest was cut off.
        stream.on('error', () => {});
        stream.on('close', () => resolve(answered));
        stream.end();
      } catch {
        // The client's own library refuses to send it.
        resolve(0);
      }
    });
    statuses.push(status);
  }
  session.destroy();
  return statuses;
}

const PSEUDO: readonly OutgoingHttpHeaders[] = [
  { ':path': `${GUARDED}?a=b` },
  { ':path': `${GUARDED}#a` },
  { ':path': `${GUARDED}/` },
  { ':path': `/${GUARDED}` },
  { ':path': GUARDED.slice(1) },
  { ':path': '/%73wap/v2/build' },
  { ':path': '/SWAP/v2/build' },
  { ':path': '/price/../swap/v2/build' },
  { ':path': '/price/%2e%2e/swap/v2/build' },
  { ':path': '/healthz/..;/swap/v2/build' },
  { ':path': '*' },
  { ':path': '' },
  { ':path': `https://127.0.0.1${GUARDED}` },
  { ':path': GUARDED, ':authority': 'other' },
  { ':path': GUARDED, ':authority': 'one', host: 'two' },
  { ':path': GUARDED, ':scheme': 'http' },
  { ':path': GUARDED, ':scheme': 'file' },
  { ':path': GUARDED, ':method': 'HEAD' },
  { ':path': GUARDED, ':method': 'POST', 'content-type': 'application/json' },
  { ':path': GUARDED, ':method': 'get' },
  { ':path': GUARDED, ':method': 'TRACE' },
  { ':path': GUARDED, 'x-http-method-override': 'OPTIONS' },
  { ':path': GUARDED, 'x-original-url': '/healthz' },
  { ':path': GUARDED, 'x-forwarded-for': '198.51.100.7' },
  { ':path': GUARDED, 'content-length': '5' },
];

async function spend(target: GuardedGateway, { spent }: Guard): Promise<void> {
  if (spent === true) await overHttp2(target, [{ ':path': GUARDED, 'x-api-key': KEY }]);
  target.handled = 0;
}
