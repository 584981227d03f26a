import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../docs/openapi.ts';
import { AS_OPERATOR, OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import {
  type ForwardPair,
  type ForwardPairOptions,
  openForwardPair,
} from '../../../testing/gateway/forward-pair.ts';
import { FIXTURE_PAGE } from '../../../testing/gateway/portal-fixture.ts';
import { openForAll } from '../../../testing/opened.ts';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import { openFolder } from '../../../testing/test-folder.ts';
import { TEST_CERTIFICATES } from '../../../testing/gateway/certificates.ts';
import { askHttp2, openHttp2, receiveAll } from '../../../testing/gateway/transport.ts';

describe('the admin port', () => {
  it('serves the portal, and says on which port it is', async () => {
    for (const path of ['/portal', '/portal/playground']) {
      expect(await (await ask(path)).text()).toBe(FIXTURE_PAGE);
    }
    const instance = await (await ask('/portal/data/instance')).json();
    expect(instance).toMatchObject({ port: 'admin', controls: true });
    const onRest = await (await fetch(new URL('/portal/data/instance', pair.rest))).json();
    expect(onRest).toMatchObject({ port: 'rest', controls: false });
    const home = await fetch(new URL('/', pair.admin), {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    });
    expect(home.headers.get('location')).toBe('/portal');
  });

  it('keeps the ports of operators, and the controls, from whom a proxy on this machine lets in', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const instance = await (await ask('/portal/data/instance', { headers })).json();
    expect(instance).toMatchObject({ port: 'admin', controls: false, urls: { admin: null, rpc: null } });
  });

  it('has both OpenAPI documents, its own under a path of its own', async () => {
    const paths = async (path: string) =>
      Object.keys(((await (await ask(path)).json()) as OpenApiDocument).paths);
    expect(await paths('/portal/data/openapi')).toContain('/swap/v2/seen');
    const own = await paths('/portal/data/openapi/admin');
    expect(own).toContain('/admin/v1/network');
    expect(own).not.toContain('/swap/v2/seen');
    expect(await paths('/openapi.json')).toEqual(own);
  });

  it('keeps its own paths', async () => {
    expect(await (await ask('/docs')).text()).toContain('/admin/v1/network');
    expect((await ask('/admin/v1/network')).status).toBe(401);
    expect((await ask('/admin/v1/nothing')).status).toBe(404);
    expect((await ask('/nothing')).status).toBe(404);
    expect((await ask('/docs/platform.md')).status).toBe(200);
    for (const path of ['/docs/lifecycle', '/docs/lifecycle.md', '/docs/site.css']) {
      expect([path, (await ask(path)).status]).toEqual([path, 200]);
    }
  });

  it('passes on bodies, streams, errors and unknown paths of products', async () => {
    const text = 'ü'.repeat(20_000);
    const headers = { 'content-type': 'application/json' };
    const echo = await ask('/swap/v2/echo', { method: 'POST', headers, body: JSON.stringify({ text }) });
    expect(await echo.json()).toEqual({ text });
    const broken = await ask('/swap/v2/breaks');
    expect([broken.status, await broken.text()]).toEqual([500, expect.not.stringContaining('hunter2')]);
    const unknown = await ask('/swap/v2/nothing');
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { message: 'Not Found' }]);
    expect((await ask('/swap/v2/seen', { method: 'POST' })).status).toBe(405);
    pair.parts.write('one');
    const answer = await ask('/swap/v2/parts');
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('one');
    pair.parts.end('two');
    expect((await reader?.read())?.value).toBe('two');
    expect((await reader?.read())?.done).toBe(true);
  });

  it('refuses a body that is too large as the public server does', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(5_000_000) });
    const large = await ask('/swap/v2/echo', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
      .then(({ status }) => status)
      .catch(() => 'closed');
    expect([413, 'closed']).toContain(large);
    expect((await ask('/swap/v2/seen')).status).toBe(200);
  });

  it('counts and logs a request as the public server does, once', async () => {
    const log: string[] = [];
    await open({ log });
    const answer = await ask('/swap/v2/seen?amount=1');
    expect(answer.headers.get('x-ratelimit-current')).toBe('1');
    const lines = log.filter((line) => line.includes('"answered"'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ path: '/swap/v2/seen', status: 200 });
  });

  it('answers 404 as before to public paths while there is no public server', async () => {
    await open({ forward: false });
    expect((await ask('/swap/v2/seen')).status).toBe(404);
    expect((await ask('/portal')).status).toBe(404);
  });
});

describe('a request that is forwarded', () => {
  it.each([
    ['the operator’s credential', AS_OPERATOR.authorization],
    ['a setting in another form', 'Bearer a-credential-that-is-a-setting-of-the-operator'],
    ['the credential with a lower-case scheme and more blanks', `bearer   ${OPERATOR_CREDENTIAL}`],
    ['a member’s token', `Bearer sluice_member_${'1'.repeat(64)}`],
    ['a token that is no longer valid', `Bearer sluice_operator_${'f'.repeat(64)}`],
  ])('does not carry %s', async (_, authorization) => {
    const log: string[] = [];
    const credential = 'a-credential-that-is-a-setting-of-the-operator';
    await open({ log, ...(authorization.endsWith(credential) ? { admin: { credential } } : {}) });
    const seen = await see({ authorization });
    expect(seen.headers.authorization).toBeUndefined();
    expect(seen.raw).not.toContain('authorization');
    const token = authorization.split(' ').at(-1) ?? '';
    expect(JSON.stringify(seen) + log.join('')).not.toContain(token);
  });

  it('does not carry either half of a session of the admin port', async () => {
    await open({});
    const cookie = `a=b; __Secure-sluice-session-8788=${'c'.repeat(43)}`;
    const seen = await see({ cookie, 'x-sluice-session': 'p'.repeat(43), 'x-test': 'kept' });
    expect(seen.headers).toMatchObject({ 'x-test': 'kept' });
    expect(JSON.stringify([seen.headers, seen.raw])).not.toMatch(/c{43}|p{43}/);
  });

  it('carries the token of a wallet, and an API key', async () => {
    const authorization = 'Bearer eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ3In0.c2ln';
    const seen = await see({ authorization, 'x-test': 'kept' });
    expect(seen.headers).toMatchObject({ authorization, 'x-test': 'kept' });
    expect((await ask('/swap/v2/seen', { headers: { 'x-api-key': 'jup_unknown' } })).status).toBe(401);
  });

  it('does not say by a header that it comes from elsewhere, even where proxies on this machine are trusted', async () => {
    await open({ gateway: { trustedProxies: ['127.0.0.1'] } });
    const forged = {
      'X-Forwarded-For': '203.0.113.7',
      forwarded: 'for=203.0.113.7',
      'x-real-ip': '203.0.113.7',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'X-Country': 'XX',
    };
    const seen = await see(forged);
    expect(seen.ip).toBe('127.0.0.1');
    for (const name of Object.keys(forged)) {
      expect(seen.headers[name.toLowerCase()]).toBeUndefined();
      expect(seen.raw).not.toContain(name.toLowerCase());
    }
    const onRest = await see(forged, pair.rest);
    expect(onRest.ip).toBe('203.0.113.7');
  });

  it.each([
    ['a name that was pointed to this machine', 'evil.example', ''],
    ['such a name with the port', 'evil.example:8788', ''],
    ['a page of another site', 'localhost', 'origin: https://evil.example\r\n'],
    ['a page in a sandbox', 'localhost', 'origin: null\r\n'],
  ])('is refused from %s, on every path', async (_, host, more) => {
    for (const path of ['/portal', '/portal/data/instance', '/swap/v2/seen', '/swap/v2/nothing', '/docs']) {
      const text = await exchange(
        `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${more}connection: close\r\n\r\n`,
      );
      expect([path, text.split('\r\n')[0]]).toEqual([path, 'HTTP/1.1 403 Forbidden']);
    }
  });

  it('from another name passes where both servers are exposed, and not where one is', async () => {
    const request = `GET /swap/v2/seen HTTP/1.1\r\nhost: gateway.example\r\nconnection: close\r\n\r\n`;
    await open({ exposed: true, admin: { exposed: true } });
    expect(await exchange(request)).toMatch(/^HTTP\/1\.1 200 /);
    await open({ exposed: false, admin: { exposed: true } });
    expect(await exchange(request)).toMatch(/^HTTP\/1\.1 404 /);
    await open({ exposed: true, admin: { exposed: false } });
    expect(await exchange(request)).toMatch(/^HTTP\/1\.1 403 /);
  });

  it.each([
    '/%61dmin/v1/network',
    '/swap/../admin/v1/network',
    '/portal/../admin/v1/network',
    '/portal/%2e%2e/admin/v1/network',
    '/portal/data/../../admin/v1/network',
    '/swap/v2/..%2f..%2fadmin/v1/network',
  ])('does not lead around the credential by %s', async (path) => {
    const text = await exchange(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
    expect(text).not.toContain('rpcUrl');
    expect(text).not.toMatch(/^HTTP\/1\.1 5/);
  });

  it('is answered for a client that sends its body slowly, and given up for one that stops', async () => {
    await open({ admin: { bounds: SHORT } });
    const body = '{"text":"slow"}';
    const head = `POST /swap/v2/echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
    const socket = connect(Number(pair.admin.port), '127.0.0.1');
    await once(socket, 'connect');
    const answered = receiveAll(socket);
    for (const part of [head, ...body]) await new Promise((sent) => socket.write(part, sent));
    expect(await answered).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\{"text":"slow"\}$/);
    expect(await exchange(head, '{"te')).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('is answered over HTTP/2 and TLS, without what it must not carry', async () => {
    const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    writeFileSync(files.certificate, TEST_CERTIFICATES[0].certificate);
    writeFileSync(files.key, TEST_CERTIFICATES[0].key);
    await open({ admin: { tls: { files, every: () => () => {}, onDefect: () => {} } } });
    const session = openHttp2(pair.admin);
    const seen = await askHttp2(session, {
      ':path': '/swap/v2/seen',
      'x-forwarded-for': '203.0.113.7',
      ...AS_OPERATOR,
    });
    const echo = await askHttp2(
      session,
      { ':path': '/swap/v2/echo', ':method': 'POST', 'content-type': 'application/json' },
      '{"text":"over HTTP/2"}',
    );
    const foreign = await askHttp2(session, { ':path': '/swap/v2/seen', ':authority': 'evil.example' });
    session.close();
    expect(seen.status).toBe(200);
    expect(JSON.parse(seen.text).headers).not.toHaveProperty('x-forwarded-for');
    expect(JSON.parse(seen.text).headers).not.toHaveProperty('authorization');
    expect(JSON.parse(echo.text)).toEqual({ text: 'over HTTP/2' });
    expect(foreign.status).toBe(403);
  });

  it('ends with the servers', async () => {
    await open({});
    pair.parts.write('one');
    const answer = await ask('/swap/v2/parts');
    const reader = answer.body?.getReader();
    await reader?.read();
    const closed = pair.close();
    pair.parts.end();
    await closed;
    expect((await reader?.read())?.done).toBe(true);
  });
});

const SHORT = {
  maxBodyBytes: 65_536,
  maxHeaderBytes: 24_576,
  requestTimeoutMs: 600,
  idleTimeoutMs: 1_000,
  maxConnections: 100,
};

interface SeenRequest {
  readonly ip: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: readonly string[];
}

const platform = openForAll(openTestPlatform, 'cleanUp');
const folder = openFolder('forward');
const shared = openForAll(() => openForwardPair({ platform, folder }), 'close');
const others: ForwardPair[] = [];
let pair: ForwardPair = shared;
afterEach(async () => {
  pair = shared;
  for (const other of others.splice(0)) await other.close();
});

/** Opens a pair of its own for the test. */
async function open(options: Partial<ForwardPairOptions>): Promise<void> {
  pair = await openForwardPair({ platform, folder, ...options });
  others.push(pair);
}

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(new URL(path, pair.admin), init);
}

/** Returns what the public server sees of a request. */
async function see(headers: Record<string, string>, url = pair.admin): Promise<SeenRequest> {
  return (await (await fetch(new URL('/swap/v2/seen', url), { headers })).json()) as SeenRequest;
}

function exchange(...parts: string[]): Promise<string> {
  return receiveAll(connect(Number(pair.admin.port), '127.0.0.1'), ...parts);
}
