import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openTestBank } from '../../../testing/chain/rpc-network.ts';
import { type RpcServer, startRpcServer } from './server.ts';
import { openForEach } from '../../../testing/opened.ts';

let server: RpcServer;
const bank = openForEach(openTestBank, 'close');
beforeEach(setUp);
afterEach(tearDown);

describe('one address', () => {
  it('cannot use all connections of the JSON-RPC port', async () => {
    for (let index = 0; index < 1_100; index++) {
      const answer = exchange(open(server.httpUrl, CROWD), HEALTH);
      if (index % 100 === 0) expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
    }
    expect(await exchange(open(server.httpUrl, OTHER), HEALTH)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('cannot send requests without end on a connection that it does not read answers from', async () => {
    const call = JSON.stringify(Array.from({ length: 200 }, () => 1));
    const head = `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${call.length}\r\n\r\n`;
    const socket = open(server.httpUrl, CROWD);
    socket.write(`${head}${call}`.repeat(100));
    await once(socket, 'close');
    expect(await exchange(open(server.httpUrl, CROWD), HEALTH)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('cannot use all connections of the WebSocket port, and keeps those with a subscription', async () => {
    const subscribed = await openWebSocket(CROWD);
    await send(subscribed, subscribe(1));
    for (let index = 0; index < 550; index++) await openWebSocket(CROWD);
    const other = await openWebSocket(OTHER);
    expect(await send(other, { jsonrpc: '2.0', id: 1, method: 'getVersion' })).toHaveProperty('result');
    expect(await send(subscribed, { jsonrpc: '2.0', id: 2, method: 'getVersion' })).toHaveProperty('result');
  });

  it('cannot use all subscriptions, and regains its share when its connections end', async () => {
    const fill = async () => {
      let granted = 0;
      const crowd: WebSocket[] = [];
      for (let connection = 0; connection < 12; connection++) {
        const socket = await openWebSocket(CROWD);
        crowd.push(socket);
        for (let batch = 0; batch < 5; batch++) {
          const calls = Array.from({ length: 200 }, (_, index) => subscribe(index));
          const answers = (await send(socket, calls)) as { result?: number }[];
          granted += answers.filter(({ result }) => result !== undefined).length;
        }
      }
      return { granted, crowd };
    };
    const { granted, crowd } = await fill();
    expect(granted).toBe(10_000);
    expect(await send(await openWebSocket(OTHER), subscribe(1))).toHaveProperty('result');
    for (const socket of crowd) {
      socket.close();
      await once(socket, 'close');
    }
    expect(await send(await openWebSocket(CROWD), subscribe(1))).toHaveProperty('result');
  });
});

const CROWD = '127.0.0.2';
const OTHER = '127.0.0.3';

const sockets: { destroy(): unknown }[] = [];

async function setUp(): Promise<void> {
  const onDefect = (error: unknown) => {
    throw error;
  };
  server = await startRpcServer(bank, {
    production: false,
    host: '127.0.0.1',
    httpPort: 0,
    webSocketPort: 0,
    onDefect,
    beforeShown: () => {},
  });
}

async function tearDown(): Promise<void> {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
}

function open(url: string, localAddress: string): Socket {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

/** Returns the first data that arrives, or nothing when the connection is closed first. */
function exchange(socket: Socket, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    socket.once('data', (data) => resolve(String(data)));
    socket.once('close', () => resolve(''));
    socket.write(bytes);
  });
}

const HEALTH = 'GET /health HTTP/1.1\r\nhost: a\r\n\r\n';

async function openWebSocket(localAddress: string): Promise<WebSocket> {
  const socket = new WebSocket(server.webSocketUrl, { localAddress });
  sockets.push({ destroy: () => socket.terminate() });
  socket.on('error', () => {});
  await once(socket, 'open');
  return socket;
}

async function send(socket: WebSocket, message: unknown): Promise<unknown> {
  const answer = new Promise((resolve) => {
    socket.once('message', resolve);
    socket.once('close', () => resolve('null'));
  });
  socket.send(JSON.stringify(message));
  return JSON.parse(String(await answer));
}

const subscribe = (id: number) => ({ jsonrpc: '2.0', id, method: 'slotSubscribe' });
