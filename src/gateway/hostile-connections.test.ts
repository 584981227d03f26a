import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2, type OutgoingHttpHeaders } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { KnownKey } from '../platform/key-cache.ts';
import { TEST_CERTIFICATES } from './certificates-for-tests.ts';
import {
  denying,
  GUARDED,
  type Guard,
  type GuardedOptions,
  GUARDS,
  GuardedGateway,
  KEY,
  statusesOf,
  statusOf,
} from './guarded-for-tests.ts';

/** Requests in a minute from one address without a key. */
const KEYLESS = 30;
const REFUSED = new Set([400, 401, 403, 404, 405, 408, 414, 417, 429, 431, 501, 505]);

let gateway: GuardedGateway | null = null;
const folders: string[] = [];
afterEach(async () => {
  await gateway?.close();
  gateway = null;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

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

/** The statuses of these requests over one connection of HTTP/2; 0 for one that was cut off. */
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
        // What was answered counts, also where the rest was cut off.
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

  it('is not passed by a key that is there twice, or hidden', async () => {
    const target = await open(guard.known, withTls());
    await spend(target, guard);
    const spellings: OutgoingHttpHeaders[] = [
      { 'x-api-key': [KEY, 'other'] },
      { 'x-api-key': ['other', KEY] },
      { 'x-api-key': `${KEY},other` },
      { 'x-api-key': '' },
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
});

it('over HTTP/2, callers without a key are counted by their address, whatever they say of it', async () => {
  const target = await open(null, withTls());
  const requests = Array.from({ length: KEYLESS + 2 }, (_, index) => ({
    ':path': GUARDED,
    'x-forwarded-for': `198.51.100.${index}`,
    forwarded: `for=198.51.100.${index}`,
    'x-real-ip': `198.51.100.${index}`,
  }));
  expect((await overHttp2(target, requests)).slice(KEYLESS)).toEqual([429, 429]);
  expect(target.handled).toBe(KEYLESS);
});

describe('bytes that two readers would read differently', () => {
  const inner = `GET ${GUARDED} HTTP/1.1\r\nhost: a\r\n\r\n`;
  const chunked = `0\r\n\r\n${inner}`;
  const post = (headers: string, body: string) =>
    `POST /price/v3 HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${body}`;

  it.each([
    ['a coding after a vertical tab', post('transfer-encoding: \x0bchunked', chunked)],
    ['a coding in quotes', post('transfer-encoding: "chunked"', chunked)],
    ['a coding with a parameter', post('transfer-encoding: chunked;q=1', chunked)],
    ['a coding twice in one header', post('transfer-encoding: chunked, chunked', chunked)],
    ['an empty coding', post('transfer-encoding:', chunked)],
    ['a length that is folded', post('content-length: 0\r\n 40', inner)],
    ['an empty length', post('content-length:', inner)],
    ['a length with a space inside', post('content-length: 0 0', inner)],
    ['a length beyond all numbers', post('content-length: 99999999999999999999', inner)],
    ['a length with a fraction', post('content-length: 0.0', inner)],
    ['both lengths, one with another case', post('Content-Length: 4\r\nTRANSFER-ENCODING: chunked', chunked)],
    [
      'a chunk that is larger than all numbers',
      post('transfer-encoding: chunked', `fffffffffffffffff\r\n${inner}`),
    ],
    ['a chunk of a negative size', post('transfer-encoding: chunked', `-1\r\n${inner}`)],
    ['a chunk of no size', post('transfer-encoding: chunked', `\r\n${inner}`)],
    ['a chunk that is longer than it says', post('transfer-encoding: chunked', `1\r\nAAAA\r\n${chunked}`)],
    ['an extension with a line end', post('transfer-encoding: chunked', `0;a=\n\r\n\r\n${inner}`)],
    ['lines that end without CR', `GET /price/v3 HTTP/1.1\nhost: a\n\n${inner}`],
    ['lines that end without LF', `GET /price/v3 HTTP/1.1\rhost: a\r\r${inner}`],
    ['a header without a colon', `GET ${GUARDED} HTTP/1.1\r\nhost: a\r\nx-api-key\r\n\r\n`],
    ['a header whose name has a space', `GET ${GUARDED} HTTP/1.1\r\nhost: a\r\nx api key: b\r\n\r\n`],
    ['a header whose name has a control character', `GET ${GUARDED} HTTP/1.1\r\nhost: a\r\nx\x01: b\r\n\r\n`],
    ['a first header that is folded', `GET ${GUARDED} HTTP/1.1\r\n folded: a\r\nhost: a\r\n\r\n`],
    ['no version', `GET ${GUARDED}\r\n\r\n`],
    ['a method in small letters', `get ${GUARDED} HTTP/1.1\r\nhost: a\r\n\r\n`],
    ['a method that nobody knows', `GETT ${GUARDED} HTTP/1.1\r\nhost: a\r\n\r\n`],
    ['a tunnel', `CONNECT ${GUARDED} HTTP/1.1\r\nhost: a\r\n\r\n`],
    ['a NUL in the path', `GET ${GUARDED}\0 HTTP/1.1\r\nhost: a\r\n\r\n`],
    ['a tab before the version', `GET ${GUARDED}\tHTTP/1.1\r\nhost: a\r\n\r\n`],
    ['the beginning of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${inner}`],
    [
      'more headers than anybody needs',
      `GET ${GUARDED} HTTP/1.1\r\nhost: a\r\n${'x: y\r\n'.repeat(5_000)}\r\n`,
    ],
  ])('are refused, and nothing in them is handled: %s', async (_what, bytes) => {
    const target = await open(null);
    const text = await target.send(bytes);
    expect(target.handled).toBe(0);
    const statuses = statusesOf(text);
    // A tunnel is closed without a word; a head may be answered before what is wrong comes.
    for (const status of statuses.slice(0, 1)) expect(REFUSED).toContain(status);
    expect([[], [400]]).toContainEqual(statuses.slice(1));
  });

  it('are judged one by one where they are several whole requests', async () => {
    const target = await open({ limits: { main: 2, execute: 2 } });
    const one = (header: string) => `GET ${GUARDED} HTTP/1.1\r\nhost: a\r\n${header}\r\n`;
    const last = one('x-api-key: unknown\r\nconnection: close\r\n');
    const key = one(`x-api-key: ${KEY}\r\n`);
    const text = await target.converse(one('x-api-key: unknown\r\n') + key + one('') + key + key + last);
    expect(statusesOf(text)).toEqual([401, 200, 200, 200, 429, 401]);
    expect(target.handled).toBe(3);
  });

  it('do not count as headers when they come after the body', async () => {
    const target = await open({});
    const request = `POST ${GUARDED} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntrailer: x-api-key\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n2\r\n{}\r\n0\r\nx-api-key: ${KEY}\r\nx-forwarded-for: *\r\n\r\n`;
    const statuses: number[] = [];
    for (let index = 0; index <= KEYLESS; index++) statuses.push(statusOf(await target.send(request)));
    expect(statuses.slice(KEYLESS - 1)).toEqual([200, 429]);
  });

  it.each(['', ' ', '\t', '  \t '])(
    'a key that is %j is none that works, and no caller without a key',
    async (key) => {
      const target = await open({});
      expect(statusOf(await target.get(GUARDED, `x-api-key:${key}\r\nconnection: close`))).toBe(401);
      expect(target.handled).toBe(0);
    },
  );
});

describe('one address in many spellings', () => {
  const TRUSTED = ['127.0.0.1', '10.0.0.0/8', '2001:db8:ffff::/48'];
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
  ];
  const V6 = ['2001:db8::*', '[2001:db8::*]', '[2001:db8::*]:443', '2001:DB8:0:0:*::', '2001:0db8:0000::0:*'];

  it.each([...V4.map((text) => [text, V4] as const), ...V6.map((text) => [text, V6] as const)])(
    'is counted once, and met by the firewall: x-forwarded-for %j',
    async (forwarded, [plain = '']) => {
      const rules = denying({ type: 'ip', values: ['203.0.113.7', '2001:db8::/64'] });
      const target = await open({ rules }, { trustedProxies: TRUSTED });
      const ask = async (text: string, index: number, header = '') => {
        const value = text.replaceAll('*', String(index + 1));
        return statusOf(await target.get(GUARDED, `x-forwarded-for: ${value}\r\n${header}connection: close`));
      };
      expect(await ask(forwarded, 0, `x-api-key: ${KEY}\r\n`)).toBe(403);
      for (let index = 0; index < KEYLESS; index++) expect(await ask(forwarded, index)).toBe(200);
      expect(await ask(forwarded, KEYLESS)).toBe(429);
      expect(await ask(plain, 0)).toBe(429);
      expect(await ask('203.0.113.8', 0, `x-api-key: ${KEY}\r\n`)).toBe(200);
      expect(await ask('203.0.113.8', 0)).toBe(200);
    },
  );

  it('is one on a port for both kinds of addresses, and a proxy there is trusted as what it is', async () => {
    const rules = denying({ type: 'ip', values: ['127.0.0.1'] });
    const target = await open({ rules }, { host: '::' });
    for (let index = 0; index <= KEYLESS; index++) {
      const header = `x-forwarded-for: 198.51.100.${index}\r\nconnection: close`;
      expect(statusOf(await target.get(GUARDED, header))).toBe(index < KEYLESS ? 200 : 429);
    }
    expect(statusOf(await target.get(GUARDED, `x-api-key: ${KEY}\r\nconnection: close`))).toBe(403);
    await target.close();
    const behind = await open({ rules }, { host: '::', trustedProxies: ['127.0.0.1'] });
    const from = async (address: string) =>
      statusOf(
        await behind.get(GUARDED, `x-forwarded-for: ${address}\r\nx-api-key: ${KEY}\r\nconnection: close`),
      );
    expect(await from('198.51.100.1')).toBe(200);
    expect(await from('::ffff:127.0.0.1')).toBe(403);
  });
});
