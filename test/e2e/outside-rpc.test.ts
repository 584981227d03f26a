import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseKeypairFile } from '../../src/solana/keypair.ts';
import { addSignatures, parseTransaction } from '../../src/solana/messages/transaction.ts';
import { RpcProxy } from '../rpc-proxy.ts';
import { bannerValue, FREE_PORTS, type Instance } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { runCommand } from './run-command.ts';
import { useInstance } from './shared-instance.ts';

/** It carries the network. */
const network = useInstance();
let proxy: RpcProxy;
afterAll(tearDown);

describe('an instance over the RPC of another', () => {
  let banner: string;
  let outside: Instance;
  let rest: string;
  beforeAll(setUp);

  it('says where its network is and what it does not have', async () => {
    expect(bannerValue(banner, 'Outside RPC')).toBe(proxy.rpcUrl);
    expect(banner).toContain('there is no demo wallet, faucet, Solana RPC or control of this network');
    expect(banner).not.toMatch(/Demo wallet|Solana WebSocket/);
    expect(await fetchJson(`${rest}/readyz`)).toMatchObject({
      status: 200,
      body: { ready: true, parts: { chain: 'ok', market: 'ok' } },
    });
    expect((await fetchJson(`${rest}/readyz`)).body.parts).not.toHaveProperty('rpc');
  });

  it('makes no demo key in production', () => {
    expect(banner).toContain('none is created in production');
    expect(existsSync(join(folder, '.sluice', 'demo-api-key'))).toBe(false);
    expect(existsSync(join(folder, '.sluice', 'demo-wallet.json'))).toBe(false);
  });

  const quote = (query: Record<string, string> = {}) =>
    fetchJson(
      `${rest}/swap/v2/order?${new URLSearchParams({ inputMint: SOL, outputMint: USDC, amount: '100000000', ...query })}`,
    );

  it('orders and executes a swap on it', async () => {
    const wallet = parseKeypairFile(readFileSync(network.walletFile, 'utf8'));
    const { body } = await quote({ taker: wallet.address });
    const unsigned = parseTransaction(Buffer.from(String(body.transaction), 'base64'));
    const signedTransaction = Buffer.from(addSignatures(unsigned, [wallet])).toString('base64');
    const executed = await fetchJson(`${rest}/swap/v2/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ signedTransaction, requestId: body.requestId }),
    });
    expect(executed.body).toMatchObject({
      status: 'Success',
      totalOutputAmount: body.outAmount,
    });
  });

  it('answers 503 while the RPC is away, and goes on when it is back', async () => {
    await proxy.kill();
    // Asked without a key, quotes are few; readiness is free.
    const ready = () => fetchJson(`${rest}/readyz`);
    // The newest slot grows stale a moment before the last answer does.
    const parts = { chain: expect.stringMatching(/^(the RPC|accounts) .*ECONN/) };
    const away = { status: 503, body: { ready: false, parts } };
    await vi.waitFor(async () => expect(await ready()).toMatchObject(away), WAIT);
    const { status, headers, body } = await quote();
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('2');
    expect(body).toEqual({
      code: 503,
      message: expect.stringMatching(/^The Solana network does not answer: (the RPC|accounts) .*ECONN/),
    });
    await proxy.restore();
    await vi.waitFor(async () => expect(await ready()).toMatchObject({ status: 200 }), WAIT);
    expect((await quote()).status).toBe(200);
  });

  it('has no faucet, and says so', async () => {
    const adminPort = new URL(bannerValue(banner, 'Admin')).port;
    const give = ['faucet', USDC, 'SOL', '1', `--admin-port=${adminPort}`, '--rpc-port=65535'];
    expect((await runCommand(give, folder)).error).toMatch(
      /^the faucet refused: This instance runs over an outside RPC/m,
    );
  });

  it('is not started over an RPC that refuses, with the reason', async () => {
    proxy.onCall = () => ({ kind: 'answer', status: 401, body: 'who are you' });
    const { code, error } = await start(newFolder(), `--rpc-url=${proxy.rpcUrl}`, ...OWN_PORTS).ended();
    expect(error).toMatch(/^rpc-url, http:\S+, cannot be used: the RPC answered \w+ with HTTP 401$/m);
    expect(code).toBe(1);
    proxy.onCall = () => ({ kind: 'pass' });
  });

  it('stops when asked to', async () => {
    outside.kill('SIGTERM');
    expect((await outside.ended()).code).toBe(0);
  });

  const folder = newFolder();

  async function setUp(): Promise<void> {
    proxy = await RpcProxy.start({ rpcUrl: network.rpcUrl, wsUrl: network.shown('Solana WebSocket') });
    const at = [`--rpc-url=${proxy.rpcUrl}`, `--rpc-ws-url=${proxy.wsUrl}`];
    const often = ['--rpc-poll-ms=100', '--rpc-stale-ms=6000'];
    outside = start(folder, '--production', ...at, ...often, ...OWN_PORTS);
    banner = await outside.ready();
    rest = bannerValue(banner, 'REST');
  }
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const OWN_PORTS = FREE_PORTS.filter((flag) => !/^--(rpc|ws)-port/.test(flag));
const WAIT = { interval: 50 };

const folders: string[] = [];
const instances: Instance[] = [];

function start(folder: string, ...flags: string[]): Instance {
  const instance = startOwnInstance({ reason: 'runs over the RPC of another', flags, folder });
  instances.push(instance);
  return instance;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-outside-'));
  folders.push(folder);
  return folder;
}

async function tearDown(): Promise<void> {
  await Promise.all(instances.map((instance) => instance.stop()));
  await proxy?.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

async function fetchJson(url: string, init?: RequestInit) {
  const response = await fetch(url, init);
  const body = JSON.parse(await response.text()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}
