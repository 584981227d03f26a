import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bounds } from './server/server.ts';
import { Transport } from '../testing/gateway/transport.ts';
import { DEFAULT_BOUNDS } from '../testing/server-bounds.ts';
import { openForEach } from '../testing/opened.ts';

let url: URL;
/** How many connections of the current test the server has closed. Those of earlier tests may still be closing. */
let closed: { count: number };
const sockets: Socket[] = [];
const transport = openForEach(() => new Transport(), 'close');
beforeEach(setUp);
afterEach(tearDown);

const port = () => Number(url.port);

const plain: Connect = (localAddress) => track(connect({ port: port(), host: '127.0.0.1', localAddress }));
const secure: Connect = (localAddress) => {
  const options = { port: port(), host: '127.0.0.1', localAddress, ALPNProtocols: ['http/1.1'] };
  return track(connectTls({ ...options, rejectUnauthorized: false }));
};

describe.each([
  ['HTTP/1.1', false, plain],
  ['HTTP/1.1 over TLS', true, secure],
])('one address on a port that speaks %s', (_protocol, isSecure, from) => {
  it('does not lock others out with connections that are silent after a request', async () => {
    await open({ secure: isSecure });
    for (let index = 0; index < 2 * MAX; index++) expect(await ask(from(CROWD))).toBe(200);
    for (let index = 0; index < 3; index++) expect(await ask(from(OTHER))).toBe(200);
    await expect.poll(() => closed.count).toBeGreaterThanOrEqual(MAX);
  });

  it('does not lock others out with connections that send nothing', async () => {
    await open({ secure: isSecure });
    for (let index = 0; index < 2 * MAX; index++) track(connect({ port: port(), localAddress: CROWD }));
    for (let index = 0; index < 3; index++) expect(await ask(from(OTHER))).toBe(200);
  });

  it('does not lock others out with requests that never end, and none of them is lost', async () => {
    const app = await open({ secure: isSecure });
    let begun = 0;
    app.server.on('request', () => begun++);
    for (let index = 0; index < MAX / 2; index++) from(CROWD).write('GET /never HTTP/1.1\r\nhost: a\r\n\r\n');
    await expect.poll(() => begun).toBe(MAX / 2);
    expect(await ask(from(CROWD))).toBe(0);
    for (let index = 0; index < MAX / 4; index++) expect(await ask(from(OTHER))).toBe(200);
    await expect.poll(() => closed.count).toBe(1);
  });

  it('has room again for each connection that it closes', async () => {
    await open({ secure: isSecure });
    for (let index = 0; index < 3 * MAX; index++) {
      const socket = from(CROWD);
      expect(await ask(socket)).toBe(200);
      const ended = once(socket, 'close');
      socket.end();
      await ended;
    }
    const kept = Array.from({ length: 5 }, () => from(CROWD));
    for (const socket of kept) expect(await ask(socket)).toBe(200);
    for (const socket of kept) expect(await ask(socket)).toBe(200);
  });
});

describe('connections of HTTP/2', () => {
  it('that are idle do not lock out other addresses', async () => {
    await open({ secure: true });
    for (let index = 0; index < 2 * MAX; index++) expect(await askHttp2(http2(CROWD))).toBe(200);
    for (let index = 0; index < 3; index++) expect(await askHttp2(http2(OTHER))).toBe(200);
    await expect.poll(() => closed.count).toBeGreaterThanOrEqual(MAX);
  });

  it('are busy during a request', async () => {
    await open({ secure: true });
    const busy = http2(CROWD);
    const stream = busy.request({ ':path': '/never' });
    stream.on('error', () => {});
    expect(await askHttp2(busy)).toBe(200);
    for (let index = 0; index < 2 * MAX; index++) expect(await askHttp2(http2(CROWD))).toBe(200);
    expect(busy.destroyed).toBe(false);
    expect(await askHttp2(busy)).toBe(200);
  });

  it('serve others while one address opens and resets requests endlessly', async () => {
    await open({ secure: true });
    const attacker = http2(CROWD);
    let opened = 0;
    while (opened < 3_000 && !attacker.destroyed && !attacker.closed) {
      for (let index = 0; index < 100 && !attacker.destroyed && !attacker.closed; index++) {
        const stream = attacker.request({ ':path': '/never' });
        stream.on('error', () => {});
        stream.close(constants.NGHTTP2_CANCEL);
        opened++;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await askHttp2(http2(OTHER))).toBe(200);
    for (let index = 0; index < 2 * MAX; index++) expect(await askHttp2(http2(CROWD))).toBe(200);
  });

  it('end with the client that cancels requests at once, before many of them have begun', async () => {
    const app = await open({ secure: true });
    let begun = 0;
    app.server.on('request', () => begun++);
    const attacker = track(
      connectTls({ port: port(), host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] }),
    );
    attacker.write(Buffer.concat([PREFACE, frame(FrameType.SETTINGS, 0, 0, Buffer.alloc(0))]));
    const cancelled = Array.from({ length: 900 }, (_, index) => cancelledRequest(2 * index + 1));
    attacker.write(Buffer.concat(cancelled));
    attacker.resume();
    await once(attacker, 'close');
    // A hundred at a time, two hundred that were cancelled, and the one at which the session ends.
    expect(begun).toBeLessThanOrEqual(301);
    expect(await askHttp2(http2(OTHER))).toBe(200);
  });

  it('serve a client on as it cancels no more requests than are answered', async () => {
    await open({ secure: true });
    const client = http2(CROWD);
    for (let index = 0; index < 250; index++) {
      const stream = client.request({ ':path': '/never' });
      stream.on('error', () => {});
      stream.close(constants.NGHTTP2_CANCEL);
      expect(await askHttp2(client)).toBe(200);
    }
    expect(client.destroyed).toBe(false);
  });

  it('serve others while one address holds as many requests as it may', async () => {
    const app = await open({ secure: true });
    let begun = 0;
    app.server.on('request', () => begun++);
    const attacker = http2(CROWD);
    for (let index = 0; index < 300; index++) {
      attacker.request({ ':path': '/never' }).on('error', () => {});
    }
    await expect.poll(() => begun).toBe(100);
    expect(await askHttp2(http2(OTHER))).toBe(200);
    expect(begun).toBe(101);
  });

  /** A request in one frame, and its cancelling in the next. */
  function cancelledRequest(stream: number): Buffer {
    const fields = { ':method': 'GET', ':scheme': 'https', ':path': '/never', ':authority': 'a' };
    // Literal fields without indexing: RFC 7541, section 6.2.2.
    const text = (value: string) => Buffer.from([value.length, ...Buffer.from(value)]);
    const headers = Object.entries(fields).flatMap(([name, value]) => [
      Buffer.of(0),
      text(name),
      text(value),
    ]);
    return Buffer.concat([
      frame(FrameType.HEADERS, WHOLE, stream, Buffer.concat(headers)),
      frame(FrameType.RST_STREAM, 0, stream, Buffer.of(0, 0, 0, constants.NGHTTP2_CANCEL)),
    ]);
  }

  async function askHttp2(session: ClientHttp2Session): Promise<number> {
    const stream = session.request({ ':path': '/who' });
    stream.on('error', () => {});
    const [headers] = await Promise.race([once(stream, 'response'), once(stream, 'close').then(() => [{}])]);
    stream.resume();
    return Number(headers[':status'] ?? 0);
  }
});

describe('requests that do not wait for answers', () => {
  it('are answered in order, up to a number', async () => {
    await open();
    const socket = plain(CROWD);
    let answers = '';
    socket.on('data', (data) => {
      answers += String(data);
    });
    socket.write(lines('/who', 60));
    await expect.poll(() => answers.match(/HTTP\/1\.1 200 /g)?.length).toBe(60);
  });

  it.each([
    ['HTTP', plain, {}],
    ['HTTPS', secure, { secure: true }],
  ])('beyond it close the connection, so that others need not wait: %s', async (_, connectBy, options) => {
    await open(options);
    const socket = connectBy(CROWD);
    socket.write(lines('/never', 100));
    await once(socket, 'close');
    expect(await ask(connectBy(OTHER))).toBe(200);
  });

  const lines = (path: string, count: number) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`.repeat(count);
});

describe('a trusted proxy', () => {
  it('may have all connections, and keeps its idle ones', async () => {
    await open({ trustedProxies: [CROWD] });
    const ofProxy = Array.from({ length: MAX - 2 }, () => plain(CROWD));
    for (const socket of ofProxy) expect(await ask(socket)).toBe(200);
    for (let index = 0; index < 5; index++) expect(await ask(plain(OTHER))).toBe(200);
    for (const socket of ofProxy) expect(await ask(socket)).toBe(200);
  });
});

const MAX = 20;
const bounds: Bounds = { ...DEFAULT_BOUNDS, maxConnections: MAX };
const CROWD = '127.0.0.2';
const OTHER = '127.0.0.3';

const sessions: ClientHttp2Session[] = [];

function setUp(): void {
  closed = { count: 0 };
}

function tearDown(): void {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const session of sessions.splice(0)) session.destroy();
}

async function open(options: Parameters<Transport['serve']>[0] = {}): Promise<FastifyInstance> {
  const opened = await transport.serve({ bounds, ...options });
  url = opened.url;
  return opened.app;
}

function countClosing(connection: Socket | ClientHttp2Session): void {
  const ofThisTest = closed;
  connection.on('close', () => ofThisTest.count++);
}

function track<T extends Socket>(socket: T): T {
  sockets.push(socket);
  socket.on('error', () => {});
  countClosing(socket);
  return socket;
}

type Connect = (localAddress: string) => Socket;

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const FrameType = { HEADERS: 1, RST_STREAM: 3, SETTINGS: 4 } as const;
/** The request is whole with its headers. */
const WHOLE = 5;

/** A frame of HTTP/2: RFC 9113, section 4.1. */
function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** The status of a request over HTTP/1.1; 0 when the connection was closed without an answer. */
async function ask(socket: Socket, path = '/who'): Promise<number> {
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
  const answer = await new Promise((resolve) => {
    socket.once('data', resolve);
    socket.once('close', () => resolve(''));
  });
  return Number(String(answer).slice(9, 12));
}

function http2(localAddress: string): ClientHttp2Session {
  const session = connectHttp2(url, { rejectUnauthorized: false, localAddress } as object);
  sessions.push(session);
  session.on('error', () => {});
  countClosing(session);
  return session;
}
