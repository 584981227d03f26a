import { once } from 'node:events';
import { request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import { createHttpServer, type HttpOptions, MAX_BODY_BYTES } from './http.ts';
import { stopwatch } from '../../../testing/waits.ts';

let server: Server | null = null;
afterEach(tearDown);

describe('createHttpServer', () => {
  it('passes on the body and sends the answer', async () => {
    const url = await start();
    const response = await post(url, '{"ä":1}');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.text()).toBe('got {"ä":1}');
    expect(await (await post(`${url}/?commitment=x`, 'y')).text()).toBe('got y');
  });

  it('waits for asynchronous answers, and sends an empty body when there is none', async () => {
    const url = await start({ answer: async (text) => (text === 'quiet' ? null : `later ${text}`) });
    expect(await (await post(url, 'x')).text()).toBe('later x');
    const quiet = await post(url, 'quiet');
    expect([quiet.status, await quiet.text()]).toEqual([200, '']);
  });

  it('answers after the delay of a fault, and not at all when the client has left', async () => {
    const delays: { readonly ms: number; readonly end: () => void; isCancelled: boolean }[] = [];
    let answers = 0;
    const url = await start({
      answer: () => `${++answers}`,
      strike: () => ({ status: null, delayMs: 700, handlersOf: (handlers) => handlers }),
      after: (ms, end) => {
        const delay = { ms, end, isCancelled: false };
        delays.push(delay);
        return () => {
          delay.isCancelled = true;
        };
      },
    });
    const patient = post(url, 'x');
    await vi.waitFor(() => expect(delays).toHaveLength(1));
    expect([delays[0]?.ms, answers]).toEqual([700, 0]);
    delays[0]?.end();
    expect(await (await patient).text()).toBe('1');
    const leaving = new AbortController();
    const left = fetch(url, { method: 'POST', body: 'y', headers: json, signal: leaving.signal });
    await vi.waitFor(() => expect(delays).toHaveLength(2));
    leaving.abort();
    await expect(left).rejects.toThrow();
    await vi.waitFor(() => expect(delays[1]?.isCancelled).toBe(true));
    expect(delays[0]?.isCancelled).toBe(false);
  });

  it('returns the state of the network at /health', async () => {
    let reason: string | null = null;
    const url = await start({ unhealthy: () => reason });
    expect(await (await fetch(`${url}/health`)).text()).toBe('ok');
    reason = 'the disk is full';
    expect(await (await fetch(`${url}/health`)).text()).toBe('unknown');
  });

  it('refuses other paths, methods and types', async () => {
    const url = await start();
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(405);
    expect((await post(`${url}/other`, '{}')).status).toBe(404);
    const refused = await post(url, '{}', { 'content-type': 'text/plain' });
    expect([refused.status, await refused.text()]).toEqual([
      415,
      'the Content-Type must be application/json, got "text/plain"',
    ]);
    expect((await post(url, '{}', { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200);
  });

  it('refuses compressed bodies, and says that they are not decompressed', async () => {
    const url = await start();
    const answer = await post(url, '{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    expect([answer.status, answer.headers.get('accept-encoding')]).toEqual([415, 'identity']);
    expect(await answer.text()).toBe(
      'the Content-Encoding must be left out, because requests are not decompressed, got "gzip"',
    );
    const plain = { 'content-type': 'application/json', 'content-encoding': 'Identity' };
    expect((await post(url, '{}', plain)).status).toBe(200);
  });

  it('lists the methods that a path supports', async () => {
    const url = await start();
    const ask = async (path: string, method: string) => {
      const { status, headers } = await fetch(`${url}${path}`, { method });
      return [status, headers.get('allow')];
    };
    expect(await ask('/', 'HEAD')).toEqual([405, 'POST, OPTIONS']);
    expect(await ask('/health', 'POST')).toEqual([405, 'GET, OPTIONS']);
    expect(await ask('/health', 'HEAD')).toEqual([405, 'GET, OPTIONS']);
    expect(await ask('/other', 'GET')).toEqual([404, null]);
  });

  it('allows calls from wallets in browsers', async () => {
    const url = await start();
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://wallet.example',
        'access-control-request-headers': 'content-type,solana-client',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type,solana-client');
    const response = await post(url, '{}', { ...json, origin: 'https://wallet.example' });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('accepts a body of at most 50 KiB, with or without a content length', async () => {
    let calls = 0;
    const url = await start({
      answer: () => {
        calls++;
        return 'ok';
      },
    });
    expect((await post(url, 'x'.repeat(MAX_BODY_BYTES))).status).toBe(200);
    expect((await post(url, 'x'.repeat(MAX_BODY_BYTES + 1))).status).toBe(413);
    expect(await statusOfChunked(url, MAX_BODY_BYTES + 1)).toBe(413);
    expect(calls).toBe(1);
  });

  it('does not count an answer as unread when its client has gone, even when it is queued behind others', async () => {
    const large = 'x'.repeat(100 * 1024 * 1024);
    const held: ((answer: string) => void)[] = [];
    const url = await start({
      answer: (text) =>
        text === 'now' ? large : new Promise<string>((resolve) => held.push((answer) => resolve(answer))),
    });
    const call = (body: string) =>
      `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    let gone = 0;
    server?.on('connection', (socket: Socket) => socket.on('close', () => gone++));
    const sockets = ['later', 'later', 'later', 'later'].map((body, index) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      // Answers that are queued behind the last one are immediate.
      socket.write(call(body) + (index === 3 ? call('now').repeat(3) : ''));
      return socket;
    });
    await expect.poll(() => held.length).toBe(4);
    await expect.poll(async () => (await post(url, 'now')).status).toBe(503);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => gone).toBe(4);
    for (const answer of held.splice(0)) answer(large);
    const last = post(url, 'later');
    await expect.poll(() => held.length).toBe(1);
    held[0]?.('ok');
    expect([(await last).status, await (await last).text()]).toEqual([200, 'ok']);
  });

  it('survives a request that is not HTTP and a client that leaves', async () => {
    const url = await start({ answer: async () => 'ok' });
    const port = Number(new URL(url).port);
    await sendRaw(port, '\u0000\u0001 nonsense\r\n\r\n');
    await sendRaw(
      port,
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\nhalf',
    );
    expect((await post(url, '{}')).status).toBe(200);
  });
});

async function tearDown(): Promise<void> {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)));
  server = null;
}

async function start(options: Partial<HttpOptions> = {}): Promise<string> {
  const defaults = {
    answer: (text: string) => `got ${text}`,
    unhealthy: () => null,
    stopwatch,
    strike: () => null,
    after: SYSTEM_TIMERS.after,
  };
  server = createHttpServer({ ...defaults, ...options });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json = { 'content-type': 'application/json' };

function post(url: string, body: string, headers: Record<string, string> = json) {
  return fetch(url, { method: 'POST', body, headers });
}

/** Sends bytes, leaves, and resolves when the server has closed the connection. */
async function sendRaw(port: number, text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const closed = once(socket, 'close');
  socket.resume();
  socket.end(text);
  await closed;
}

/** Sends a body without its length, in pieces. */
function statusOfChunked(url: string, size: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: json }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    const piece = 'x'.repeat(1_024);
    for (let left = size; left > 0; left -= piece.length) sent.write(piece.slice(0, left));
    sent.end();
  });
}
