import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualTimers } from '../../../testing/timers.ts';
import { ChainUnavailable } from '../../chain.ts';
import { requireRecord } from '../../records/account-json.ts';
import { runAs } from '../../../common/party.ts';
import { CallPace } from './call-pace.ts';
import { type CallPolicy, parseRetryAfterMs, RpcClient, RpcRefusal, redactHost } from './rpc-client.ts';

let server: Server;
let client: RpcClient;
let timers: ManualTimers;
let answer: (response: ServerResponse) => void;
let calls: number;
beforeEach(setUp);
afterEach(tearDown);

describe('RpcClient.call', () => {
  it('returns the result', async () => {
    answer = body('{"jsonrpc":"2.0","id":1,"result":{"a":[1]}}');
    expect(await call()).toEqual({ a: [1] });
  });

  it('throws RpcRefusal with the code and message of the RPC', async () => {
    answer = body('{"error":{"code":-32602,"message":"Invalid param","data":{"x":1}}}');
    const refusal = new RpcRefusal('Invalid param', -32602, { x: 1 });
    await expect(call()).rejects.toMatchObject({ ...refusal, name: 'RpcRefusal', message: 'Invalid param' });
  });

  it('respects its limits of time and size', async () => {
    answer = () => timers.advance(50);
    await expect(call({ ...ONCE, timeoutMs: 50 })).rejects.toThrow(
      /^the RPC cannot be reached: no answer within 50 ms$/,
    );
    answer = body(`{"result":"${'x'.repeat(2_000)}"}`);
    await expect(call()).rejects.toThrow(/longer than 1000 bytes/);
  });

  it('does not reveal the URL in messages', async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const failure = await call().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ChainUnavailable);
    expect(String(failure)).not.toMatch(/127\.0\.0\.1|secret/);
    const url = new URL('https://me.example/key');
    expect(redactHost('getaddrinfo ENOTFOUND me.example', url)).toBe('getaddrinfo ENOTFOUND');
  });

  it.each([
    ['a refusal', '{"error":{"code":-32602,"message":"no plan for /secret-key"}}'],
    ['a refusal of another form', '{"error":{"code":-32602,"reason":"no plan for /secret-key"}}'],
    ['one that passes', '{"error":{"code":-32005,"message":"no plan for /secret-key"}}'],
    ['a page whose text is cut within the key', `<html>${'x'.repeat(24)}http://a/secret-key</html>`],
    ['a result of another type', '{"result":"/secret-key"}'],
  ])('does not repeat the URL in %s', async (_, text) => {
    answer = body(text);
    const read = (result: unknown) => requireRecord(result, 'result');
    const failure = await client.call('getThing', [], read, ONCE).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).not.toMatch(/secr/);
  });

  it('waits as long as the RPC asks, and fails at once when that is long', async () => {
    answer = (response) => void response.writeHead(429, { 'retry-after': '30' }).end();
    await expect(call()).rejects.toThrow('the RPC refuses more calls for now (429)');
    answer = body('{"result":1}');
    await expect(call()).rejects.toThrow('the RPC asked to be called no more for 30 seconds');
    expect(calls).toBe(1);
    timers.advance(30_000);
    expect(await call()).toBe(1);
  });

  it('keeps to the pace of whoever it is for, and leaves the calls of others to them', async () => {
    answer = body('{"result":1}');
    const calling = (id: string, count: number) =>
      Promise.allSettled(
        Array.from({ length: count }, () => runAs({ kind: 'organisation', id }, () => call())),
      );
    const crowd = calling('acme', 40);
    const [other] = await calling('other', 1);
    expect(other).toEqual({ status: 'fulfilled', value: 1 });
    await vi.waitFor(() => expect(calls).toBe(11));
    timers.advance(1_000);
    await vi.waitFor(() => expect(calls).toBe(21));
    timers.advance(1_000);
    const refused = (await crowd).filter(({ status }) => status === 'rejected');
    expect([calls, refused.length]).toEqual([31, 10]);
  });

  it('fails after close', async () => {
    answer = () => {};
    const waiting = call();
    const failed = expect(waiting).rejects.toThrow(ChainUnavailable);
    client.close();
    await failed;
    await expect(call()).rejects.toThrow('the connection with the RPC is closed');
  });
});

describe('an answer that never ends', () => {
  it.each<[string, RegExp, (response: ServerResponse) => void]>([
    ['as fast as it is read', /longer than 1000 bytes/, (response) => endless(response, 'x'.repeat(400))],
    ['byte by byte', /no answer within 60000 ms/, (response) => outlasting(response, ' ')],
    [
      'compressed',
      /longer than 1000 bytes/,
      (response) => {
        response.setHeader('content-encoding', 'gzip');
        response.end(gzipSync(Buffer.alloc(1_000_000, ' ')));
      },
    ],
    [
      'in its header',
      /cannot be reached/,
      (response) => {
        response.socket?.write('HTTP/1.1 200 OK\r\n');
        endless(response.socket as Socket, `x-${'y'.repeat(1_000)}: z\r\n`);
      },
    ],
    [
      'before its header',
      /cannot be reached/,
      (response) => outlasting(response.socket as Socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    ],
    [
      'by leading elsewhere',
      /cannot be reached/,
      (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
    ],
  ])('%s is aborted, with its connection', async (_, reason, begin) => {
    const closed = new Promise<void>((resolve) => {
      answer = (response) => {
        response.socket?.on('close', () => resolve());
        begin(response);
      };
    });
    await expect(call()).rejects.toThrow(reason);
    client.close();
    server.closeIdleConnections();
    await closed;
    expect(calls).toBe(1);
  });

  /** Writes the pieces repeatedly, as fast as they are read, or with `ms` at this interval. */
  function endless(response: Writable, piece: string, ms = 0, onPiece = () => {}): void {
    response.on('error', () => {});
    const timer = setInterval(() => {
      if (response.destroyed) clearInterval(timer);
      else if (!response.writableNeedDrain) {
        response.write(piece);
        onPiece();
      }
    }, ms);
    response.on('close', () => clearInterval(timer));
  }

  /** As `endless`, but slowly: the time limit passes while the answer goes on. */
  function outlasting(response: Writable, piece: string): void {
    let pieces = 0;
    endless(response, piece, 1, () => {
      if (++pieces === 20) timers.advance(ONCE.timeoutMs);
    });
  }
});

it('RpcClient waits at most the maximum pause after the local clock was set back', async () => {
  answer = (response) => void response.writeHead(429, { 'retry-after': '30' }).end();
  await expect(call()).rejects.toThrow('(429)');
  timers.advance(-3_600_000);
  await expect(call()).rejects.toThrow('the RPC asked to be called no more for 60 seconds');
  answer = body('{"result":1}');
  timers.advance(60_000);
  expect(await call()).toBe(1);
});

it('retryAfterMs reads seconds or a date, within limits', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(parseRetryAfterMs('7', now)).toBe(7_000);
  expect(parseRetryAfterMs('Thu, 01 Jan 2026 00:00:09 GMT', now)).toBe(9_000);
  expect(parseRetryAfterMs('Wed, 31 Dec 2025 23:00:00 GMT', now)).toBe(0);
  expect(parseRetryAfterMs('99999', now)).toBe(60_000);
  for (const none of [null, 'soon', '-1x']) expect(parseRetryAfterMs(none, now)).toBeNull();
});

const ONCE: CallPolicy = { attempts: 1, timeoutMs: 60_000, maxBytes: 1_000, urgent: false };

async function setUp(): Promise<void> {
  calls = 0;
  server = createServer((request, response) => {
    calls++;
    request.resume().on('end', () => answer(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  timers = new ManualTimers();
  const { port } = server.address() as AddressInfo;
  const pace = new CallPace({ callsPerSecond: 20, reportsPerSecond: 0, timers });
  const url = new URL(`http://127.0.0.1:${port}/secret-key`);
  client = new RpcClient({ url, timers, random: () => 1, pace });
}

async function tearDown(): Promise<void> {
  client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

const call = (patience: CallPolicy = ONCE) => client.call('getThing', [], (result) => result, patience);
const body = (text: string) => (response: ServerResponse) => void response.end(text);
