import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { transferLamports } from '../../../solana/programs/system.ts';
import type { Bank } from '../ledger/bank.ts';
import { createWalletAccount } from '../../../testing/chain/bank.ts';
import {
  ALICE,
  BOB,
  openTestBank,
  SOL,
  signBase64Transaction,
  createTestKeypair,
} from '../../../testing/chain/rpc-network.ts';
import { type RpcServer, startRpcServer } from './server.ts';
import { SubscriptionClient } from '../../../testing/chain/subscription-client.ts';

afterEach(tearDown);

describe('startRpcServer', () => {
  it('reports which port cannot be opened, and leaves the other free', async () => {
    const bank = await openBank();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    closing.push(() => taken.close());
    const { port } = taken.address() as AddressInfo;
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port: httpPort } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    await expect(start(bank, { httpPort: port, webSocketPort: 0 })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      port,
    });
    await expect(start(bank, { httpPort, webSocketPort: port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      port,
    });
    const server = await start(bank, { httpPort, webSocketPort: 0 });
    expect(await call(server, 'getHealth')).toMatchObject({ result: 'ok' });
  });

  it('closes connections when it closes', async () => {
    const server = await start(await openBank(), ANY);
    const client = await SubscriptionClient.connect(server.webSocketUrl);
    const closed = once(client.socket, 'close');
    await server.close();
    closing.shift();
    expect((await closed)[0]).toBe(1001);
    await expect(fetch(server.httpUrl)).rejects.toThrow();
  });
});

describe('a network that does not work', () => {
  it('is unhealthy, and accepts no transaction with preflight', async () => {
    const bank = await openBank();
    const unhealthy = vi.spyOn(bank, 'unhealthy').mockReturnValue('the disk is full');
    const server = await start(bank, ANY);
    expect(await call(server, 'getHealth')).toMatchObject({
      error: { code: -32005, message: 'Node is unhealthy: the disk is full', data: { numSlotsBehind: null } },
    });
    const transfer = transferLamports(ALICE.address, BOB.address, SOL);
    const wire = signBase64Transaction(bank, [ALICE], [transfer]);
    const config = { encoding: 'base64', preflightCommitment: 'processed' };
    expect(await call(server, 'sendTransaction', wire, config)).toMatchObject({ error: { code: -32005 } });
    unhealthy.mockRestore();
    expect(await call(server, 'sendTransaction', wire, config)).toMatchObject({ result: expect.any(String) });
  });
});

describe('a client that does not read', () => {
  it('is disconnected with the reason, while others are notified', async () => {
    const bank = await openBank();
    const server = await start(bank, ANY);
    const [slow, quick] = [
      await SubscriptionClient.connect(server.webSocketUrl),
      await SubscriptionClient.connect(server.webSocketUrl),
    ];
    closing.push(() => quick.socket.terminate());
    const { address } = createTestKeypair('large');
    const config = { encoding: 'base64', commitment: 'processed' };
    await slow.subscribe('accountSubscribe', address, config);
    await quick.subscribe('accountSubscribe', address, config);
    slow.socket.pause();
    const data = new Uint8Array(6 * 1024 * 1024);
    for (let count = 0; count < 6; count++) {
      data[0] = count;
      bank.admin.setAccounts([{ address, account: { ...createWalletAccount(SOL), data: data.slice() } }]);
      await quick.next();
    }
    const closed = once(slow.socket, 'close');
    slow.socket.resume();
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([1008, 'notifications are not read fast enough']);
  });

  it('costs nothing more, however many forms of an account it has subscribed to', async () => {
    const bank = await openBank();
    const server = await start(bank, ANY);
    const [slow, quick] = [
      await SubscriptionClient.connect(server.webSocketUrl),
      await SubscriptionClient.connect(server.webSocketUrl),
    ];
    closing.push(() => slow.socket.terminate());
    closing.push(() => quick.socket.terminate());
    const { address } = createTestKeypair('large');
    const config = { encoding: 'base64', commitment: 'processed' };
    for (let form = 1; form <= 30; form++) {
      const dataSlice = { offset: 0, length: 6 * 1024 * 1024 - form };
      await slow.subscribe('accountSubscribe', address, { ...config, dataSlice });
    }
    slow.socket.pause();
    await quick.subscribe('accountSubscribe', address, { ...config, dataSlice: { offset: 0, length: 1 } });
    const data = new CountedData(6 * 1024 * 1024);
    bank.admin.setAccounts([{ address, account: { ...createWalletAccount(SOL), data } }]);
    await quick.next();
    // What it does not read may have 16 MiB, which three forms exceed.
    expect(data.slices).toBeLessThan(10);
  });
});

describe('a client that floods', () => {
  it('has its batches answered one after another, and others are answered in between', async () => {
    const bank = await openBank();
    const server = await start(bank, ANY);
    const [greedy, other] = [
      await SubscriptionClient.connect(server.webSocketUrl),
      await SubscriptionClient.connect(server.webSocketUrl),
    ];
    closing.push(() => greedy.socket.terminate());
    closing.push(() => other.socket.terminate());
    const batch = JSON.stringify(
      Array.from({ length: 200 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'getVersion' })),
    );
    let answered = 0;
    greedy.socket.removeAllListeners('message');
    greedy.socket.on('message', () => answered++);
    for (let count = 0; count < 400; count++) greedy.socket.send(batch);
    await vi.waitFor(() => expect(answered).toBeGreaterThan(0));
    const before = answered;
    for (let count = 0; count < 20; count++) await other.ask('getVersion');
    expect(answered).toBeLessThan(before + 100);
    await vi.waitFor(() => expect(answered).toBe(400));
  });
});

const closing: (() => unknown)[] = [];

async function tearDown(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

async function start(bank: Bank, ports: { httpPort: number; webSocketPort: number }): Promise<RpcServer> {
  const onDefect = (error: unknown) => {
    throw error;
  };
  const server = await startRpcServer(bank, {
    host: '127.0.0.1',
    ...ports,
    production: false,
    onDefect,
    beforeShown: () => {},
  });
  closing.push(() => server.close());
  return server;
}

async function openBank(): Promise<Bank> {
  const bank = await openTestBank();
  closing.push(() => bank.close());
  return bank;
}

const ANY = { httpPort: 0, webSocketPort: 0 };

async function call(server: RpcServer, method: string, ...params: unknown[]) {
  const response = await fetch(server.httpUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as { result?: unknown; error?: { code: number; data: unknown } };
}

/** Data of an account that counts how often a part of it is taken. */
class CountedData extends Uint8Array {
  slices = 0;

  override subarray(begin?: number, end?: number): Uint8Array<ArrayBuffer> {
    this.slices++;
    return super.subarray(begin, end) as Uint8Array<ArrayBuffer>;
  }
}
