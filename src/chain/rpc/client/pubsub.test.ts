import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { ManualTimers } from '../../../testing/timers.ts';
import { PubSub } from './pubsub.ts';

let server: Server;
let sockets: Socket[];
beforeEach(setUp);
afterEach(tearDown);

it('PubSub gives up a handshake that never ends, even if bytes keep arriving', async () => {
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

describe('a WebSocket that floods', () => {
  const stray = (result: string) =>
    `{"method":"slotNotification","params":{"subscription":9e9,"result":${result}}}`;
  const asked = '{"method":"slotNotification","params":{"subscription":7,"result":1}}';
  const answer = '{"id":9e9,"result":1}';

  it.each([
    [
      'notifications that nobody asked for',
      'more than 10000 messages that nobody asked for',
      stray('1'),
      10_001,
    ],
    ['answers that nobody asked for', 'more than 10000 messages that nobody asked for', answer, 10_001],
    ['bytes', 'more than 67108864 bytes', stray(`"${'x'.repeat(14 * 1024 * 1024)}"`), 5],
    ['messages', 'more than 50000 messages', asked, 50_001],
  ])('with %s is dropped and opened again', async (_, reason, message, times) => {
    // The meter's time window never ends, because the clock does not advance.
    const timers = new ManualTimers();
    const peer = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    let connections = 0;
    peer.on('connection', (socket) => {
      socket.on('error', () => {});
      if (++connections > 1) return;
      socket.once('message', () => {
        socket.send('{"id":1,"result":7}');
        for (let i = 0; i < times; i++) socket.send(message);
      });
    });
    await vi.waitFor(() => expect(peer.address()).not.toBeNull(), WAIT);
    const downs: string[] = [];
    let ups = 0;
    const pubsub = new PubSub({
      url: new URL(`ws://127.0.0.1:${(peer.address() as AddressInfo).port}`),
      timers,
      random: () => 0,
      maxSubscriptions: 10,
      onUp: () => ups++,
      onDown: (why) => downs.push(why),
    });
    pubsub.subscribe({
      kind: 'slot',
      params: [],
      onActive: () => {},
      onNotification: () => {},
      onLost: () => {},
    });
    await vi.waitFor(() => expect(downs).toEqual([`it sent ${reason} within 5000 ms`]), WAIT);
    timers.advance(1_000);
    await vi.waitFor(() => expect(ups).toBe(2), WAIT);
    pubsub.close();
    await new Promise((resolve) => peer.close(resolve));
  });
});

const WAIT = { interval: 10 };

async function setUp(): Promise<void> {
  sockets = [];
  server = createServer((socket) => {
    socket.on('error', () => {});
    sockets.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function tearDown(): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
}
