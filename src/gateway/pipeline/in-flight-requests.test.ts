import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from '../http/listen.ts';
import { getRequestContext } from './request/request-context.ts';
import { addInFlightRequests } from './in-flight-requests.ts';

let app: FastifyInstance;
let url: string;
let look: () => void;
let ends: (() => void)[];
/** How many requests released what they held. */
let left: number;
afterEach(tearDown);

describe('a request that takes too long', () => {
  it('is answered with 503, unless its route has a limit of its own', async () => {
    await open(0);
    const late = fetch(`${url}/held`);
    const patient = fetch(`${url}/patient`);
    await underWay(2);
    look();
    const answer = await late;
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ code: 503, message: 'The request took too long' });
    for (const end of ends) end();
    expect((await patient).status).toBe(200);
  });

  it('is disconnected if its answer has begun', async () => {
    await open(0);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    let closed = false;
    socket.on('close', () => {
      closed = true;
    });
    socket.write('GET /begun HTTP/1.1\r\nhost: localhost\r\n\r\n');
    socket.resume();
    await underWay(1);
    look();
    await expect.poll(() => closed).toBe(true);
  });

  it('is answered normally within the limit', async () => {
    await open(60_000);
    const early = fetch(`${url}/held`);
    await underWay(1);
    look();
    for (const end of ends) end();
    expect((await early).status).toBe(200);
  });
});

describe('pipelined requests on one connection', () => {
  it('release what they hold when the connection closes, including queued ones', async () => {
    const socket = await sendAll();
    expect(left).toBe(0);
    socket.destroy();
    await expect.poll(() => left).toBe(MANY);
  });

  it('release it with their answers, even if those wait behind others', async () => {
    await open(60_000);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(GET + 'GET /nowhere HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(MANY));
    await expect.poll(() => left).toBe(MANY);
    expect(ends).toHaveLength(1);
    socket.destroy();
    await expect.poll(() => left).toBe(MANY + 1);
  });

  it('are not started after one that closed the connection', async () => {
    await open(60_000);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const closed = once(socket, 'close');
    socket.write(GET.replace('held', 'cut') + GET);
    await closed;
    await expect.poll(() => left).toBe(1);
    expect(ends).toHaveLength(0);
  });

  it('release it once when they are answered', async () => {
    const socket = await sendAll();
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    for (const end of ends) end();
    await expect.poll(() => text.split('{"ok":true}').length - 1).toBe(MANY);
    const closed = once(socket, 'close');
    socket.destroy();
    await closed;
    await expect.poll(() => left).toBe(MANY);
  });

  const GET = 'GET /held HTTP/1.1\r\nhost: localhost\r\n\r\n';
  const MANY = 20;

  async function sendAll(): Promise<Socket> {
    await open(60_000);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(GET.repeat(MANY));
    await underWay(MANY);
    return socket;
  }
});

it('a request over HTTP/2 releases what it holds with its answer, even if its client does not read it', async () => {
  await open(60_000, true);
  const session = connectHttp2(url, { settings: { initialWindowSize: 0 } });
  const stream = session.request({ ':path': '/held' });
  await underWay(1);
  expect(left).toBe(0);
  for (const end of ends) end();
  await once(stream, 'response');
  expect(left).toBe(1);
  expect(stream.closed).toBe(false);
  const closed = once(session, 'close');
  stream.on('error', () => undefined);
  session.destroy();
  await closed;
  expect(left).toBe(1);
});

async function tearDown(): Promise<void> {
  for (const end of ends) end();
  app.server.closeAllConnections?.();
  await app.close();
}

async function open(limitMs: number, http2 = false): Promise<void> {
  ends = [];
  app = http2 ? (fastify({ http2: true }) as unknown as FastifyInstance) : fastify();
  app.decorateRequest('requestContext', null);
  const every = (work: () => void) => {
    look = work;
    return () => {
      look = () => {};
    };
  };
  addInFlightRequests(app, { limitMs, every });
  left = 0;
  app.addHook('onRequest', (request, _reply, done) => {
    getRequestContext(request).release = () => {
      left++;
    };
    done();
  });
  const held = () => new Promise<object>((resolve) => ends.push(() => resolve({ ok: true })));
  app.get('/held', held);
  app.get('/cut', async ({ raw }, reply) => {
    raw.socket.destroy();
    return reply.hijack();
  });
  app.get('/patient', { handlerTimeout: 60_000 }, held);
  app.get('/begun', async (_request, reply) => {
    reply.raw.write('begun');
    await held();
  });
  url = await listen(app, { host: '127.0.0.1', port: 0, setting: 'rest-port' });
}

const underWay = (count: number) => expect.poll(() => ends.length).toBe(count);
