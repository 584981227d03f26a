import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEST_CERTIFICATES } from './certificates-for-tests.ts';
import { listen } from './listen.ts';
import { createLogger } from './log.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';
import { type Bounds, closeServer, createServer, DEFAULT_BOUNDS } from './server.ts';

const LISTEN = { host: '127.0.0.1', port: 0, setting: 'rest-port' };

let folder: string;
let opened: FastifyInstance[];
let reload: () => void;
let defects: unknown[];
const files = () => ({ certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') });

function writeCertificate(index: 0 | 1): void {
  writeFileSync(files().certificate, TEST_CERTIFICATES[index].certificate);
  writeFileSync(files().key, TEST_CERTIFICATES[index].key);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-transport-'));
  opened = [];
  defects = [];
  writeCertificate(0);
});
afterEach(async () => {
  for (const app of opened) await closeServer(app, 100);
  rmSync(folder, { recursive: true });
});

async function serve({
  bounds = DEFAULT_BOUNDS,
  secure = false,
  longestAnswerMs = 30_000,
}: {
  bounds?: Bounds;
  secure?: boolean;
  longestAnswerMs?: number;
} = {}) {
  const app = await createServer({
    logger: createLogger('silent', { write: () => {} }),
    trustedProxies: [],
    bounds,
    longestAnswerMs,
    tls: secure
      ? {
          files: files(),
          every: (_milliseconds, work) => {
            reload = work;
            return () => {};
          },
          onDefect: (error) => defects.push(error),
        }
      : null,
    register: (root) => {
      root.get('/who', async ({ raw, headers }) => ({
        version: raw.httpVersion,
        host: headers.host ?? null,
      }));
      root.post(
        '/echo',
        { schema: { body: Type.Object({ text: Type.String() }) } },
        async ({ body }) => body,
      );
      root.get('/never', () => new Promise(() => {}));
      root.get('/large', async () => 'x'.repeat(1_000_000));
      root.get('/patient', { handlerTimeout: 60_000 }, async () => {
        await new Promise((resolve) => setTimeout(resolve, 500));
        return { done: true };
      });
    },
  });
  opened.push(app);
  return { app, url: new URL(await listen(app, LISTEN)) };
}

/** What comes back for these bytes, until the other side closes. */
async function exchange(url: URL, ...parts: string[]): Promise<string> {
  const socket = connect(Number(url.port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  for (const part of parts) socket.write(part);
  await once(socket, 'close');
  return text;
}

async function handshake(url: URL, protocols: string[]): Promise<TLSSocket> {
  const socket = connectTls({
    port: Number(url.port),
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ALPNProtocols: protocols,
  });
  await once(socket, 'secureConnect');
  return socket;
}

async function askHttp2(session: ClientHttp2Session, headers: Record<string, string>, body?: string) {
  const stream = session.request({ ':path': '/who', ...headers });
  stream.end(body);
  const [answer] = (await once(stream, 'response')) as [Record<string, string | number>];
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return { status: answer[':status'], headers: answer, text };
}

const http2 = (url: URL) => connectHttp2(url.href, { rejectUnauthorized: false });

describe('with a certificate', () => {
  it('speaks HTTP/2 or HTTP/1.1, whichever the client takes', async () => {
    const { url } = await serve({ secure: true });
    expect(url.protocol).toBe('https:');
    const session = http2(url);
    const answer = await askHttp2(session, {});
    expect(answer).toMatchObject({ status: 200, text: JSON.stringify({ version: '2.0', host: null }) });
    expect(answer.headers[REQUEST_ID_HEADER]).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    session.close();
    const socket = await handshake(url, ['http/1.1']);
    expect(socket.alpnProtocol).toBe('http/1.1');
    socket.write('GET /who HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    await once(socket, 'close');
    expect(text).toContain('{"version":"1.1","host":"a"}');
  });

  it('holds HTTP/2 to the same bounds', async () => {
    const { url } = await serve({ secure: true });
    const session = http2(url);
    const json = { ':method': 'POST', ':path': '/echo', 'content-type': 'application/json' };
    expect((await askHttp2(session, json, '{"text":"a"}')).status).toBe(200);
    expect((await askHttp2(session, json, JSON.stringify({ text: 'x'.repeat(70_000) }))).status).toBe(413);
    expect((await askHttp2(session, { ':path': '/nowhere' })).status).toBe(404);
    const large = session.request({ ':path': '/who', 'x-large': 'y'.repeat(30_000) });
    const end = await new Promise((resolve) => {
      large.on('response', (headers) => resolve(headers[':status']));
      large.on('error', () => resolve('refused'));
      large.on('close', () => resolve('refused'));
    });
    expect([431, 'refused']).toContain(end);
    session.destroy();
  });

  it('goes over to a new certificate without closing what is open, and keeps the one before a broken one', async () => {
    const { url } = await serve({ secure: true });
    const nameOf = async () => {
      const socket = await handshake(url, ['h2']);
      const subject = socket.getPeerX509Certificate()?.subject;
      socket.destroy();
      return subject;
    };
    const session = http2(url);
    expect(await nameOf()).toBe('CN=sluice test 1');
    writeCertificate(1);
    reload();
    expect(await nameOf()).toBe('CN=sluice test 2');
    writeFileSync(files().certificate, TEST_CERTIFICATES[0].certificate);
    reload();
    expect(defects).toHaveLength(1);
    expect(await nameOf()).toBe('CN=sluice test 2');
    expect((await askHttp2(session, {})).status).toBe(200);
    session.close();
  });

  it('does not speak what is older than TLS 1.2', async () => {
    const { url } = await serve({ secure: true });
    const speaking = async (version: 'TLSv1.1' | 'TLSv1.2') => {
      const socket = connectTls({
        port: Number(url.port),
        host: '127.0.0.1',
        rejectUnauthorized: false,
        ciphers: 'DEFAULT@SECLEVEL=0',
        minVersion: version,
        maxVersion: version,
      });
      const spoken = await Promise.race([
        once(socket, 'secureConnect').then(() => socket.getProtocol()),
        once(socket, 'close').then(() => null),
      ]).catch((error: NodeJS.ErrnoException) => error.code);
      socket.destroy();
      return spoken;
    };
    expect(await speaking('TLSv1.2')).toBe('TLSv1.2');
    expect(await speaking('TLSv1.1')).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
  });

  it('does not start with files that are none', async () => {
    writeFileSync(files().key, 'none');
    await expect(serve({ secure: true })).rejects.toThrow(/cannot be used as certificate and key/);
    rmSync(files().key);
    await expect(serve({ secure: true })).rejects.toThrow(/key\.pem cannot be read/);
  });

  it('closes though clients keep their connections', async () => {
    const { app, url } = await serve({ secure: true });
    const session = http2(url);
    await askHttp2(session, {});
    const idle = await handshake(url, ['http/1.1']);
    const gone = Promise.all([once(session, 'close'), once(idle, 'close')]);
    await closeServer(app, 100);
    await gone;
  });
});

describe('a slow or greedy client', () => {
  const bounds: Bounds = {
    ...DEFAULT_BOUNDS,
    requestTimeoutMs: 300,
    idleTimeoutMs: 300,
    maxBodyBytes: 1_024,
    maxHeaderBytes: 2_048,
  };

  it.each([
    ['headers that never end', 'GET /who HTTP/1.1\r\nhost: a\r\nx: '],
    [
      'a body that never ends',
      'POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    ],
  ])('is cut off: %s', async (_what, bytes) => {
    const { url } = await serve({ bounds });
    expect(await exchange(url, bytes)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('is cut off over TLS too: headers and bodies that never end, by HTTP/1.1 and HTTP/2', async () => {
    const { url } = await serve({ bounds, secure: true });
    const post =
      'POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{';
    for (const bytes of ['GET /who HTTP/1.1\r\nhost: a\r\nx: ', post]) {
      const socket = await handshake(url, ['http/1.1']);
      socket.write(bytes);
      const [first] = (await once(socket, 'data')) as [Buffer];
      expect(String(first)).toMatch(/^HTTP\/1\.1 408 /);
      socket.destroy();
    }
    const session = http2(url);
    const json = { ':method': 'POST', ':path': '/echo', 'content-type': 'application/json' };
    const stream = session.request(json);
    const drops = setInterval(() => stream.write(' '), 20);
    const closed = once(stream, 'close');
    const [answer] = (await once(stream, 'response')) as [Record<string, string | number>];
    expect(answer[':status']).toBe(408);
    expect(answer[REQUEST_ID_HEADER]).toMatch(/^[0-9a-f-]{36}$/);
    stream.resume();
    await closed;
    clearInterval(drops);
    expect((await askHttp2(session, json, '{"text":"a"}')).status).toBe(200);
    session.destroy();
  });

  it('is cut off when it takes nothing of its answer over HTTP/2', async () => {
    const { url } = await serve({ bounds, secure: true, longestAnswerMs: 100 });
    const session = http2(url);
    const stream = session.request({ ':path': '/large' });
    await once(stream, 'response');
    stream.on('error', () => undefined);
    await once(stream, 'close');
    expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
    session.destroy();
  });

  it('is let wait for what may take longer than nothing may come or go otherwise', async () => {
    const patient = { bounds, longestAnswerMs: 100 };
    const { url } = await serve(patient);
    const text = await exchange(url, 'GET /patient HTTP/1.1\r\nhost: a\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 200 .*\{"done":true\}$/s);
    const { url: secureUrl } = await serve({ ...patient, secure: true });
    const session = http2(secureUrl);
    expect((await askHttp2(session, { ':path': '/patient' })).text).toBe('{"done":true}');
    session.destroy();
  });

  it('is cut off when it is idle, or says nothing at all', async () => {
    const { url } = await serve({ bounds });
    expect(await exchange(url, 'GET /who HTTP/1.1\r\nhost: a\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await exchange(url)).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  it('is held to the limits that are set', async () => {
    const { url } = await serve({ bounds });
    const header = `GET /who HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(3_000)}\r\n\r\n`;
    expect(await exchange(url, header)).toMatch(/^HTTP\/1\.1 431 /);
    const body = JSON.stringify({ text: 'x'.repeat(2_000) });
    const post = `POST /echo HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    expect(await exchange(url, post)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('gets no more connections than there are to be', async () => {
    const { url } = await serve({ bounds: { ...DEFAULT_BOUNDS, maxConnections: 1 } });
    const first = connect(Number(url.port), '127.0.0.1');
    first.write('GET /never HTTP/1.1\r\nhost: a\r\n\r\n');
    await once(first, 'connect');
    expect(await exchange(url)).toBe('');
    first.destroy();
  });
});

describe('headers', () => {
  it.each([
    [128, 200],
    [129, 431],
  ])('are taken as many as are read, and more are refused: %d', async (count, status) => {
    const { url } = await serve();
    const others = Array.from({ length: count - 2 }, (_, index) => `x-${index}: y\r\n`).join('');
    const bytes = `GET /who HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${others}\r\n`;
    expect(await exchange(url, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});

describe('headers that may be there once', () => {
  it.each(['x-api-key', 'X-Api-Key', 'Authorization', 'Host', 'Content-Type'])(
    '%s twice is refused',
    async (name) => {
      const { url } = await serve();
      const text = await exchange(
        url,
        `GET /who HTTP/1.1\r\nhost: a\r\n${name}: one\r\n${name.toLowerCase()}: two\r\nconnection: close\r\n\r\n`,
      );
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
      expect(text).toContain('"code":400');
    },
  );

  it('are taken once', async () => {
    const { url } = await serve();
    const once =
      'GET /who HTTP/1.1\r\nhost: a\r\nx-api-key: one\r\naccept: a\r\naccept: b\r\nconnection: close\r\n\r\n';
    expect(await exchange(url, once)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
