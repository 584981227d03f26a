import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ManualTimers } from '../../../test/timers.ts';
import { PubSub } from './pubsub.ts';

const WAIT = { timeout: 10_000, interval: 10 };

let server: Server;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  server = createServer((socket) => {
    socket.on('error', () => {});
    sockets.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

it('gives up a handshake that never ends, however often a byte of it comes', async () => {
  const timers = new ManualTimers();
  const downs: string[] = [];
  const { port } = server.address() as AddressInfo;
  const pubsub = new PubSub({
    url: new URL(`ws://127.0.0.1:${port}`),
    timers,
    random: () => 0,
    maxSubscriptions: 10,
    onUp: () => {},
    onDown: (reason) => downs.push(reason),
  });
  await vi.waitFor(() => expect(sockets).toHaveLength(1), WAIT);
  sockets[0]?.write('HTTP/1.1 101 Switching');
  timers.advance(10_000);
  await vi.waitFor(() => expect(downs).toEqual(['the handshake took longer than 10000 ms']), WAIT);
  timers.advance(10_000);
  await vi.waitFor(() => expect(sockets).toHaveLength(2), WAIT);
  pubsub.close();
});
