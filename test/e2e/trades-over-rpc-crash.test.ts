import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, Keypair, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { STORE_FILE } from '../../src/store/sql/file-names.ts';
import { openStore } from '../../src/store/index.ts';
import { TEST_MIGRATIONS } from '../../src/testing/store/test-tables.ts';
import { BarStore } from '../../src/market-data/series/bar-store.ts';
import { bannerValue, FREE_PORTS, type Instance } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { useInstance } from './shared-instance.ts';

/** The gateway that carries the network. */
const network = useInstance();
let inside: Gateway;
/** The gateway that follows it over its RPC, and its flags. */
let outside: Gateway;
let follower: Instance;
let flags: readonly string[];
let genesisHash: string;
let wallet: Keypair;
beforeAll(setUp);
afterAll(tearDown);

it('are counted once by a gateway that is killed, with those that were made while it was away', async () => {
  // Away from the first minutes, of whose transactions the second gateway was not told.
  await pass(180);
  const { unixTimestamp } = JSON.parse(await askAdmin(inside, '/admin/v1/network'));
  const from = Math.floor(Number(unixTimestamp) / 60) * 60;
  for (let index = 0; index < 3; index++) await swap();
  expect(await bothKnowTheTradesSince(from)).toBeGreaterThanOrEqual(3);
  // The minutes before are stored while these pass; the last trade is in memory alone.
  await pass(200);
  await swap();
  await pass(80);
  await vi.waitFor(async () => expect(await storedUntil()).toBeGreaterThan(from), WAIT);
  await swap();
  const before = await bothKnowTheTradesSince(from);

  follower.kill('SIGKILL');
  await follower.ended();
  await swap();
  await startOutside();
  await pass(180);
  expect(await bothKnowTheTradesSince(from)).toBeGreaterThan(before);
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const OWN_PORTS = FREE_PORTS.filter((flag) => !/^--(rpc|ws)-port/.test(flag));
const WAIT = { interval: 100 };
/** The second gateway believes at once a clock that goes ahead by so much. */
const STEP_SECONDS = 10;

interface Candle {
  readonly time: number;
  readonly trades: number;
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-trades-'));
const instances: Instance[] = [];

interface Gateway {
  readonly rest: string;
  readonly admin: string;
  readonly dataFolder: string;
}

async function setUp(): Promise<void> {
  const { restUrl, adminUrl, rpcUrl, folder: networkFolder } = network;
  inside = { rest: restUrl, admin: adminUrl, dataFolder: join(networkFolder, '.sluice') };
  const wsUrl = network.shown('Solana WebSocket');
  genesisHash = await new Connection(rpcUrl).getGenesisHash();
  flags = [
    ...[`--rpc-url=${rpcUrl}`, `--rpc-ws-url=${wsUrl}`, '--rpc-poll-ms=100'],
    ...['--rpc-transactions-per-second=100', ...OWN_PORTS],
  ];
  const secret: number[] = JSON.parse(readFileSync(join(inside.dataFolder, 'demo-wallet.json'), 'utf8'));
  wallet = Keypair.fromSecretKey(Uint8Array.from(secret));
  await startOutside();
}

async function tearDown(): Promise<void> {
  await Promise.all(instances.map((instance) => instance.stop()));
  rmSync(folder, { recursive: true, force: true });
}

/** Starts the second gateway, or starts it again where it was. */
async function startOutside(): Promise<void> {
  follower = startOwnInstance({
    reason: 'runs over the RPC of another, and is killed',
    flags: ['--data-dir=follower', ...flags],
    folder,
  });
  instances.push(follower);
  const banner = await follower.ready();
  outside = {
    rest: bannerValue(banner, 'REST'),
    admin: new URL(bannerValue(banner, 'Admin')).origin,
    dataFolder: join(folder, 'follower'),
  };
}

async function textOf(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text}`);
  return text;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
async function ask({ rest, dataFolder }: Gateway, path: string, body?: object): Promise<any> {
  const key = readFileSync(join(dataFolder, 'demo-api-key'), 'utf8').trim();
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return JSON.parse(await textOf(`${rest}${path}`, { ...init, headers }));
}

function askAdmin({ admin, dataFolder }: Gateway, path: string, body?: object): Promise<string> {
  const credential = readFileSync(join(dataFolder, 'operator-credential'), 'utf8').trim();
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' };
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return textOf(`${admin}${path}`, { ...init, headers });
}

async function slotOf(gateway: Gateway): Promise<number> {
  const metrics = await askAdmin(gateway, '/metrics');
  return Number(/^sluice_chain_slot\{[^}]*commitment="confirmed"[^}]*\} (\d+)$/m.exec(metrics)?.[1]);
}

/** Lets time pass for both gateways. */
async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += STEP_SECONDS) {
    const answer = await askAdmin(inside, '/admin/v1/network/clock', { slots: 0, seconds: STEP_SECONDS });
    const slot = Number(JSON.parse(answer).slot);
    await vi.waitFor(async () => expect(await slotOf(outside)).toBeGreaterThanOrEqual(slot), WAIT);
  }
}

/** So little that nobody trades against it, and enough to be a price. */
async function swap(): Promise<void> {
  const taker = wallet.publicKey.toBase58();
  const query = new URLSearchParams({ inputMint: SOL, outputMint: USDC, amount: '20000000', taker });
  const order = await ask(inside, `/swap/v2/order?${query}`);
  const transaction = VersionedTransaction.deserialize(Buffer.from(order.transaction, 'base64'));
  transaction.sign([wallet]);
  const signedTransaction = Buffer.from(transaction.serialize()).toString('base64');
  const result = await ask(inside, '/swap/v2/execute', { signedTransaction, requestId: order.requestId });
  expect(result.status, JSON.stringify(result)).toBe('Success');
}

/** The token's minutes with trades from a time on, and how many trades each has. */
async function traded(gateway: Gateway, from: number): Promise<readonly Candle[]> {
  const { candles } = await ask(gateway, `/price/v3/candles?mint=${SOL}&interval=1m`);
  return candles
    .filter(({ trades, time }: Candle) => trades > 0 && time >= from)
    .map(({ time, trades }: Candle) => ({ time, trades }));
}

/** Returns the time up to which the second gateway has stored all trades, as a crash would leave it; 0 if there is none. */
async function storedUntil(): Promise<number> {
  const copy = mkdtempSync(join(folder, 'copy-'));
  for (const name of [STORE_FILE, `${STORE_FILE}-wal`])
    cpSync(join(outside.dataFolder, name), join(copy, name));
  const store = await openStore({ url: null, folder: copy, migrations: TEST_MIGRATIONS });
  try {
    return (await new BarStore(store, genesisHash).complete())?.to ?? 0;
  } finally {
    await store.close();
  }
}

async function bothKnowTheTradesSince(from: number): Promise<number> {
  let known: readonly Candle[] = [];
  await vi.waitFor(async () => {
    known = await traded(outside, from);
    expect(known).toEqual(await traded(inside, from));
  }, WAIT);
  return known.reduce((sum, { trades }) => sum + trades, 0);
}
