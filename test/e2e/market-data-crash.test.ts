import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { bannerValue, FREE_PORTS, type Instance, withSlotsOf } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { runCommand } from './run-command.ts';
import { openFolder } from '../../src/testing/test-folder.ts';

const folder = openFolder('candles');
let instance: Instance;
let rest: string;
let key: string;
let wallet: Keypair;
beforeAll(setUp);
afterAll(tearDown);

it('neither loses nor doubles trades when it is killed between two minutes that are written', async () => {
  await swapsAreSeen(3);
  const advance = ['clock', 'advance', '--by-seconds', '120', '--data-dir=.sluice'];
  const { code, error } = await runCommand(advance, folder);
  expect(code, error).toBe(0);
  // The first minutes are over, and are written while these are counted; the last minute is in memory alone.
  await swapsAreSeen(3);
  const before = await tradedMinutes();
  expect(before.length).toBeGreaterThanOrEqual(2);
  instance.kill('SIGKILL');
  await instance.ended();
  await start();
  const after = await tradedMinutes();
  expect(after.map(({ time, trades }) => ({ time, trades }))).toEqual(
    before.map(({ time, trades }) => ({ time, trades })),
  );
  for (const [index, { volume }] of after.entries())
    expect(volume).toBeCloseTo(before[index]?.volume ?? 0, 2);
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WAIT = { interval: 100 };
const flags = [...withSlotsOf(50), ...FREE_PORTS];

interface Candle {
  readonly time: number;
  readonly trades: number;
  readonly volume: number;
}

async function setUp(): Promise<void> {
  await start();
}

async function tearDown(): Promise<void> {
  await instance?.stop();
}

async function start(): Promise<void> {
  instance = startOwnInstance({ reason: 'is killed', flags, folder });
  rest = bannerValue(await instance.ready(), 'REST');
  key = readFileSync(join(folder, '.sluice', 'demo-api-key'), 'utf8').trim();
  const secret: number[] = JSON.parse(readFileSync(join(folder, '.sluice', 'demo-wallet.json'), 'utf8'));
  wallet = Keypair.fromSecretKey(Uint8Array.from(secret));
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
async function ask(path: string, body?: object): Promise<any> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(`${rest}${path}`, { ...init, headers });
  const json = await response.json();
  if (response.status !== 200)
    throw new Error(`${path} answered ${response.status}: ${JSON.stringify(json)}`);
  return json;
}

/**
 * So little that the pools stay at the prices of the feeds, and nobody trades against it; and enough to be a price, so that
 * a minute that is taken in again has one.
 */
async function swap(): Promise<void> {
  const taker = wallet.publicKey.toBase58();
  const query = new URLSearchParams({ inputMint: SOL, outputMint: USDC, amount: '20000000', taker });
  const order = await ask(`/swap/v2/order?${query}`);
  const transaction = VersionedTransaction.deserialize(Buffer.from(order.transaction, 'base64'));
  transaction.sign([wallet]);
  const signedTransaction = Buffer.from(transaction.serialize()).toString('base64');
  const { status } = await ask('/swap/v2/execute', { signedTransaction, requestId: order.requestId });
  expect(status).toBe('Success');
}

/** The minutes of the token in which it was traded. */
async function tradedMinutes(): Promise<readonly Candle[]> {
  const { candles } = await ask(`/price/v3/candles?mint=${SOL}&interval=1m`);
  return candles
    .filter(({ trades }: Candle) => trades > 0)
    .map(({ time, trades, volume }: Candle) => ({ time, trades, volume }));
}

const tradesOf = (minutes: readonly Candle[]) => minutes.reduce((sum, { trades }) => sum + trades, 0);

async function swapsAreSeen(howMany: number): Promise<void> {
  const before = tradesOf(await tradedMinutes());
  for (let index = 0; index < howMany; index++) await swap();
  // A route through several pools is several trades.
  await vi.waitFor(
    async () => expect(tradesOf(await tradedMinutes())).toBeGreaterThanOrEqual(before + howMany),
    WAIT,
  );
}
