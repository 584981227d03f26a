import { once } from 'node:events';
import { connect } from 'node:net';
import { Type } from 'typebox';
import { afterEach, expect, it, vi } from 'vitest';
import { defineEndpoint } from '../../products/endpoint.ts';
import { defineProduct } from '../../products/product.ts';
import { FileAnswer } from '../../products/raw-body.ts';
import { closeGateways, createSampleGateway } from '../../testing/gateway/sample-gateway.ts';
import { exchange } from '../../testing/gateway/transport.ts';
import { DEFAULT_BOUNDS } from '../../testing/server-bounds.ts';
import { PATIENCE_MS } from '../../testing/waits.ts';
import { listen } from './listen.ts';

afterEach(closeGateways);

it('an upload that does not end is refused when its time is up, and reaches no endpoint', async () => {
  const { url, seen } = await serve(300);
  const head = 'PUT /files HTTP/1.1\r\nhost: a\r\ncontent-type: image/png\r\ncontent-length: 100\r\n\r\n';
  expect(await exchange(url, `${head}half`)).toMatch(/^HTTP\/1\.1 408 /);
  expect(seen.uploads).toBe(0);
});

it('a file is read only as fast as its client takes it, and no more of it when the client has left', async () => {
  const { url, seen } = await serve(PATIENCE_MS);
  const socket = connect(Number(url.port), '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  socket.write('GET /files HTTP/1.1\r\nhost: a\r\n\r\n');
  let before = 0;
  await vi.waitFor(
    () => {
      const [last, now] = [before, seen.read];
      before = now;
      expect(now > 0 && now === last, `${now} pieces`).toBe(true);
    },
    { interval: 100 },
  );
  expect(seen.read).toBeLessThan(PIECES / 2);
  expect(seen.isClosed).toBe(false);
  socket.destroy();
  await vi.waitFor(() => expect(seen.isClosed).toBe(true));
});

const PIECES = 2_000;
const PIECE = Buffer.alloc(64 * 1024);
const BINARY = Type.Unsafe<string>({ type: 'string', format: 'binary' });

async function serve(requestTimeoutMs: number) {
  const seen = { uploads: 0, read: 0, isClosed: false };
  const read = async function* () {
    try {
      for (; seen.read < PIECES; seen.read++) yield PIECE;
    } finally {
      seen.isClosed = true;
    }
  };
  const described = { summary: 'S', description: 'D.', path: '/files', isOpen: true } as const;
  const files = defineProduct({
    name: 'files',
    description: 'A sample.',
    basePaths: ['/files'],
    endpoints: [
      defineEndpoint({
        ...described,
        method: 'GET',
        operationId: 'GetFile',
        fileTypes: ['image/png'],
        responses: { 200: BINARY },
        handle: () => new FileAnswer('image/png', { length: PIECES * PIECE.length, chunks: read() }),
      }),
      defineEndpoint({
        ...described,
        method: 'PUT',
        operationId: 'PutFile',
        rawBody: { kind: 'file', contentTypes: ['image/png'], maxBytes: 1_000 },
        responses: { 200: Type.Any() },
        handle: () => {
          seen.uploads++;
          return {};
        },
      }),
    ],
    open: () => ({ services: null }),
  });
  const app = await createSampleGateway({
    products: [await files.open({})],
    bounds: { ...DEFAULT_BOUNDS, requestTimeoutMs, idleTimeoutMs: PATIENCE_MS },
  });
  return { url: new URL(await listen(app, { host: '127.0.0.1', port: 0, setting: 'rest-port' })), seen };
}
