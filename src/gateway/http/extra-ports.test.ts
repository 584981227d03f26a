import { once } from 'node:events';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, it, vi } from 'vitest';
import { OperatorError } from '../../common/operator-error.ts';
import { DEFAULT_BOUNDS } from '../../testing/server-bounds.ts';
import { askHttp2, openHttp2, Transport } from '../../testing/gateway/transport.ts';
import { type Bounds, closeServer, createServer } from '../server/server.ts';
import { ExtraPorts } from './extra-ports.ts';
import { listen } from './listen.ts';
import { createLogger } from './log/log.ts';

afterEach(tearDown);

it('serves the paths below one path, and that one at its root', async () => {
  const { main, extra } = await open();
  for (const url of [extra, `${extra}/`, `${main}/below`]) {
    expect(await read(url)).toEqual({ status: 200, body: { is: 'the path itself' } });
  }
  expect(await read(`${extra}/more?a=1`)).toMatchObject({ body: { is: 'below it', query: { a: '1' } } });
  expect((await read(`${extra}/other`)).status).toBe(404);
  expect((await read(`${extra}//other`)).status).toBe(404);
  expect((await read(`${extra}/../other`)).status).toBe(404);
  expect((await read(`${main}/other`)).status).toBe(200);
});

it('takes a target in absolute form as a path below its own, whatever it names', async () => {
  const { main, extra } = await open();
  const ask = async (target: string) => {
    const socket = connect(Number(new URL(extra).port), HOST);
    socket.write(`GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    await once(socket, 'close');
    return text;
  };
  for (const target of [extra, `${extra}/`, `${main}?a=1`]) {
    expect(await ask(target), target).toContain('{"is":"the path itself"}');
  }
  expect(await ask(`${extra}/more`)).toContain('"is":"below it"');
  for (const target of [`${main}/other`, `http:///other`, `http://a/../other`]) {
    expect(await ask(target), target).toMatch(/^HTTP\/1.1 4/);
  }
});

it('shares the bounds of the server: connections of both ports are counted together', async () => {
  const { main, extra } = await open({ ...DEFAULT_BOUNDS, maxConnections: 4 });
  const opened = await Promise.all(
    [main, extra, main, extra, extra, extra].map(async (url) => {
      const socket = connect(Number(new URL(url).port), HOST);
      socket.on('error', () => {});
      await once(socket, 'connect');
      return socket;
    }),
  );
  // One address may hold half of the connections.
  await vi.waitFor(() =>
    expect(opened.filter(({ destroyed, readableEnded }) => destroyed || readableEnded)).toHaveLength(4),
  );
  for (const socket of opened) socket.destroy();
});

it('serves with the certificate of the server, and HTTP/2', async () => {
  const files = new Transport();
  closers.push(() => files.close());
  const { extra } = await open(DEFAULT_BOUNDS, files);
  expect(extra).toMatch(/^https:/);
  const session = openHttp2(new URL(extra));
  expect(await askHttp2(session, { ':path': '/' })).toMatchObject({
    status: 200,
    text: '{"is":"the path itself"}',
  });
  session.close();
});

it('lets requests in flight on it finish when the server closes, and takes no more', async () => {
  const { app, extra, release } = await open();
  const inFlight = read(`${extra}/slow`);
  await read(extra);
  const closed = closeServer(app, 60_000);
  await vi.waitFor(() => expect(fetch(extra)).rejects.toThrow());
  release();
  expect(await inFlight).toMatchObject({ status: 200, body: { is: 'slow' } });
  await closed;
});

it('says which setting to change when its port is in use', async () => {
  const { app, extra, extraPorts } = await open();
  const port = Number(new URL(extra).port);
  const again = extraPorts.listen(app, { host: HOST, port, setting: 'landing-address', path: '/below' });
  await expect(again).rejects.toThrow(/is in use, perhaps by another instance; .* --landing-address$/);
  await expect(again).rejects.toBeInstanceOf(OperatorError);
});

const HOST = '127.0.0.1';
const closers: (() => Promise<void> | void)[] = [];

async function tearDown(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

/** A server with a further port whose root stands for `/below`. */
async function open(bounds: Bounds = DEFAULT_BOUNDS, files: Transport | null = null) {
  const extraPorts = new ExtraPorts();
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const app: FastifyInstance = await createServer({
    logger: createLogger('silent', { write: () => {} }),
    trustedProxies: [],
    bounds,
    tls:
      files === null
        ? null
        : { files: files.files(), every: () => () => {}, onDefect: (error) => files.defects.push(error) },
    targetOf: (request) => extraPorts.targetOf(request),
    register: (root) => {
      root.get('/below', async () => ({ is: 'the path itself' }));
      root.get('/below/more', async ({ query }) => ({ is: 'below it', query }));
      root.get('/below/slow', async () => {
        await released;
        return { is: 'slow' };
      });
      root.get('/other', async () => ({ is: 'another' }));
      let isClosed = Promise.resolve();
      root.addHook('preClose', async () => {
        isClosed = extraPorts.close();
      });
      root.addHook('onClose', () => isClosed);
    },
  });
  closers.push(() => {
    release();
    return closeServer(app);
  });
  const main = await listen(app, { host: HOST, port: 0, setting: 'rest-port' });
  const extra = await extraPorts.listen(app, {
    host: HOST,
    port: 0,
    setting: 'landing-address',
    path: '/below',
  });
  return { app, main, extra, extraPorts, release };
}

const read = async (url: string) => {
  const answer = await fetch(url);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};
