import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import { CallDeadline } from './call-deadline.ts';
import { WebhookClient, type WebhookClientOptions } from './http-client.ts';

let server: Server;
/** What each connection has sent so far, in the order in which they were opened. */
let heard: string[];
let sockets: Socket[];
/** What the server writes when a request is complete. */
let answerTo: (request: string, socket: Socket) => void;
beforeEach(setUp);
afterEach(tearDown);

describe('a call of a webhook', () => {
  it('goes to the path below the URL, with the key and the headers', async () => {
    const headers = { 'x-request-start': '5' };
    const call = { method: 'POST', path: '/quote', body: BODY, headers, reuses: true } as const;
    expect(await open().call({ ...call, deadline: deadlineIn(50_000) })).toEqual({
      kind: 'answered',
      status: 200,
      body: '{}',
    });
    const [request = ''] = heard;
    expect(request).toMatch(/^POST \/base\/quote HTTP\/1\.1\r\n/);
    for (const field of [
      `host: 127.0.0.1:${(server.address() as AddressInfo).port}`,
      'accept: application/json',
      'content-type: application/json',
      `content-length: ${BODY.length}`,
      'x-api-key: secret',
      'x-request-start: 5',
    ]) {
      expect(request.toLowerCase()).toContain(`\r\n${field}\r\n`);
    }
    expect(request.endsWith(`\r\n\r\n${BODY.toString()}`)).toBe(true);
  });

  it('uses an open connection only where it may, and closes one of its own', async () => {
    const client = open();
    for (let times = 0; times < 10; times++) expect((await post(client)).kind).toBe('answered');
    // A connection is used again in the turn of the event loop after its answer.
    expect(sockets.length).toBeLessThanOrEqual(2);
    const kept = sockets.length;
    expect((await post(client, { reuses: false })).kind).toBe('answered');
    const [own] = sockets.slice(kept);
    expect(own).toBeDefined();
    if (own?.destroyed === false) await once(own, 'close');
    expect((await post(client)).kind).toBe('answered');
    expect(sockets).toHaveLength(kept + 1);
  });

  it('takes an answer in pieces, after an informational one', async () => {
    answerTo = (_request, socket) => {
      socket.write(
        'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n',
      );
      for (const piece of ['2\r\n{"', '\r\n', '3\r\nb":\r\n', '2\r\n2}\r\n0\r\n\r\n']) socket.write(piece);
    };
    expect(await post(open())).toEqual({ kind: 'answered', status: 404, body: '{"b":2}' });
  });

  it.each<[string, string, string, string]>([
    [
      'a redirect',
      'HTTP/1.1 307 Temporary Redirect\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n',
      'redirect',
      'the answer is a redirect (307), and redirects are not followed',
    ],
    [
      'an answer that is announced as too long',
      `HTTP/1.1 200 OK\r\nContent-Length: 16385\r\n\r\n${'x'.repeat(16_385)}`,
      'too-large',
      'the answer has more than 16384 bytes',
    ],
    [
      'an answer that never ends',
      `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(20_000)}`,
      'too-large',
      'the answer has more than 16384 bytes',
    ],
    [
      'headers that are too long',
      `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(9_000)}\r\n\r\n`,
      'connection',
      '',
    ],
    ['what is not HTTP', '<html>\r\n\r\n', 'connection', ''],
  ])('fails with %s, and its connection is closed', async (_what, answer, reason, message) => {
    answerTo = (_request, socket) => socket.write(answer);
    const outcome = await post(open());
    expect(outcome).toMatchObject({ kind: 'failed', reason });
    expect(outcome).toHaveProperty('message', expect.stringContaining(message));
    const [socket] = sockets;
    if (socket?.destroyed === false) await once(socket, 'close');
    expect(requests()).toBe(1);
  });

  it.each([
    ['before the answer', ''],
    ['within the answer', 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{}'],
  ])('fails when the connection is closed %s, and is not sent again', async (_when, answer) => {
    answerTo = (_request, socket) => socket.end(answer);
    expect(await post(open())).toMatchObject({ kind: 'failed', reason: 'connection' });
    expect(requests()).toBe(1);
  });

  it('fails when the client is closed, and so do later ones', async () => {
    const client = open();
    const asked = new Promise<void>((resolve) => {
      answerTo = () => resolve();
    });
    const waiting = post(client);
    await asked;
    client.close();
    expect(await waiting).toMatchObject({ kind: 'failed', reason: 'connection' });
    expect(await post(client)).toMatchObject({ kind: 'failed', reason: 'connection' });
  });
});

describe('calls of a webhook that does not answer', () => {
  it('end in time, with at most 64 at once on 32 connections', async () => {
    answerTo = () => {};
    const client = open();
    const deadline = deadlineIn(500);
    const asked = Array.from({ length: MAX_CALLS + 1 }, () => post(client, { deadline }));
    const outcomes = await Promise.all(asked);
    expect(outcomes.slice(0, MAX_CALLS)).toEqual(
      outcomes.slice(1).fill({ kind: 'failed', reason: 'timeout', message: 'no answer within 500 ms' }),
    );
    expect(outcomes.at(-1)).toEqual({
      kind: 'failed',
      reason: 'busy',
      message: '64 calls are waiting for the maker',
    });
    // Those that waited for a connection are not sent after their time.
    answerTo = (_request, socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    expect((await post(client)).kind).toBe('answered');
    expect(requests()).toBeLessThanOrEqual(32 + 1);
  });

  it('stay counted while they wait for a connection that does not come', async () => {
    const client = open('maker.example', { lookup: () => {} });
    const deadline = deadlineIn(100);
    const asked = Array.from({ length: MAX_CALLS }, () => post(client, { deadline }));
    for (const outcome of await Promise.all(asked)) expect(outcome).toMatchObject({ reason: 'timeout' });
    expect(await post(client)).toMatchObject({ reason: 'busy' });
  });
});

const BODY = Buffer.from('{"a":1}');
const MAX_CALLS = 64;

const opened: { close(): void }[] = [];

async function setUp(): Promise<void> {
  heard = [];
  sockets = [];
  answerTo = (_request, socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
  server = createServer((socket) => {
    const index = sockets.push(socket) - 1;
    heard.push('');
    let pending = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      heard[index] += chunk.toString();
      pending += chunk.toString();
      if (!pending.endsWith('\r\n\r\n') && !pending.endsWith(BODY.toString())) return;
      const request = pending;
      pending = '';
      answerTo(request, socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

async function tearDown(): Promise<void> {
  for (const each of opened.splice(0)) each.close();
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
}

/** How many requests the server has heard. */
function requests(): number {
  return heard.join('').split('POST ').length - 1;
}

function open(host = '127.0.0.1', options: Partial<WebhookClientOptions> = {}): WebhookClient {
  const { port } = server.address() as AddressInfo;
  const record = { url: `http://${host}:${port}/base/`, apiKey: 'secret' };
  const lookup = () => {
    throw new Error('no name is resolved here');
  };
  const client = new WebhookClient({ record, allowsPrivate: true, lookup, ...options });
  opened.push(client);
  return client;
}

function deadlineIn(ms: number): CallDeadline {
  const deadline = new CallDeadline(SYSTEM_TIMERS, ms);
  opened.push(deadline);
  return deadline;
}

function post(client: WebhookClient, { deadline = deadlineIn(50_000), reuses = true } = {}) {
  return client.call({ method: 'POST', path: '/quote', body: BODY, deadline, reuses });
}
