import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  createKeyPairSignerFromBytes,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
} from '@solana/kit';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { decodeBase58 } from '../../src/solana/base58.ts';
import { bannerValue, FREE_PORTS, Instance } from './instance.ts';

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const FILL_PROGRAM = 'fd3nMFYTQjX1yr5ER8u7tPdHJB7qt8RpDpNtLQX2Br5';
const FILL_EXACT_IN = [222, 208, 6, 209, 154, 163, 54, 94];
const WAIT = { timeout: 30_000, interval: 100 };

const example = fileURLToPath(new URL('../../examples/order.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sluice-rfq-'));
let instance: Instance;
let banner: string;

async function start(query: Record<string, string> = {}): Promise<void> {
  const flags = FREE_PORTS.filter((flag) => !flag.startsWith('--demo-maker'));
  instance = new Instance(['start', '--data-dir=data', '--slot-ms=100', ...flags], folder);
  banner = await instance.ready();
  await vi.waitFor(async () => expect((await order(query)).routePlan).toMatchObject(THROUGH_THE_MAKER), WAIT);
}

const THROUGH_THE_MAKER = [{ swapInfo: { label: 'JupiterRfqV2' } }];

beforeAll(() => start(), 60_000);
afterAll(async () => {
  await instance.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function call(path: string, init?: RequestInit): Promise<Record<string, unknown>> {
  const response = await fetch(`${bannerValue(banner, 'REST')}/swap/v2/${path}`, {
    ...init,
    headers: { 'x-api-key': bannerValue(banner, 'API key'), 'content-type': 'application/json' },
  });
  return (await response.json()) as Record<string, unknown>;
}

function order(more: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const taker = bannerValue(banner, 'Demo wallet');
  const sale = { inputMint: SOL, outputMint: USDC, amount: '250000000', taker };
  return call(`order?${new URLSearchParams({ ...sale, ...more })}`);
}

async function execute({ transaction, requestId, error }: Record<string, unknown>): Promise<void> {
  expect(error).toBeUndefined();
  const body = JSON.stringify({ signedTransaction: await sign(transaction), requestId });
  expect(await call('execute', { method: 'POST', body })).toMatchObject({ status: 'Success' });
}

async function sign(transaction: unknown): Promise<string> {
  const key = Uint8Array.from(JSON.parse(readFileSync(bannerValue(banner, 'its key'), 'utf8')));
  const signer = await createKeyPairSignerFromBytes(key);
  const unsigned = getTransactionDecoder().decode(Buffer.from(String(transaction), 'base64'));
  const signed = await partiallySignTransaction([signer.keyPair], unsigned);
  return Buffer.from(getTransactionEncoder().encode(signed)).toString('base64');
}

async function rpc(method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(bannerValue(banner, 'Solana RPC'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as Record<string, unknown>;
  expect(error).toBeUndefined();
  return result;
}

function operator(): Record<string, string> {
  const credential = readFileSync(join(folder, 'data', 'operator-credential'), 'utf8').trim();
  return { authorization: `Bearer ${credential}`, 'content-type': 'application/json' };
}

/** The example of an order, as its reader runs it. */
async function runExample(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', example], {
    env: {
      PATH: process.env.PATH,
      ...{ SLUICE_URL: bannerValue(banner, 'REST'), SLUICE_WALLET: bannerValue(banner, 'its key') },
    },
  });
  return stdout;
}

const makerLog = () => readFileSync(join(folder, 'data', 'demo-maker.log'), 'utf8');

it('an order goes through the demo maker, is landed, and is told to both sides, also after a restart', async () => {
  const ordered = await order();
  expect(ordered).toMatchObject({ router: 'metis', routePlan: THROUGH_THE_MAKER });
  const body = JSON.stringify({
    signedTransaction: await sign(ordered.transaction),
    requestId: ordered.requestId,
  });
  const answer = await call('execute', { method: 'POST', body });
  expect(answer).toMatchObject({ status: 'Success', code: 0, totalOutputAmount: ordered.outAmount });
  await vi.waitFor(() => expect(makerLog()).toContain(`TRANSACTION_CONFIRMED`), WAIT);
  expect(makerLog()).toContain(String(answer.signature));
  expect(await fillsOf(String(answer.signature))).toEqual([FILL_EXACT_IN]);
  expect(await runExample()).toMatch(/^0\.1 SOL became \d+\.\d+ USDC by JupiterRfqV2 in \w{80,90}$/m);

  instance.kill('SIGKILL');
  await instance.ended();
  await start();
  expect(await call('execute', { method: 'POST', body })).toEqual(answer);
}, 120_000);

it('the demo maker bears a check, which leaves nothing behind', async () => {
  const port = new URL(bannerValue(banner, 'Admin')).port;
  const flags = ['--data-dir=data', `--admin-port=${port}`, '--wait=1', '--format=json'];
  const { out, error } = await new Instance(['maker', 'check', 'demo-maker', ...flags], folder).ended();
  expect(error).toBe('');
  const { findings } = JSON.parse(out) as { findings: { situation: string; outcome: string }[] };
  expect(findings.length).toBe(13);
  expect(findings.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  const show = await new Instance(['maker', 'show', 'demo-maker', ...flags.slice(0, 2)], folder).ended();
  expect(show.out).toMatch(/^status +prod$/m);
  expect(show.out).toMatch(/^swaps filled +2$/m);
  expect(show.out).toMatch(/^swaps missed +0$/m);
  // What was counted before the process was killed and not yet written is lost, but no fill: that is written at once.
  expect(show.out).toMatch(/^orders won +[1-9]/m);
  expect(show.out).toMatch(/^win rate +[0-9.]+ %$/m);
  expect(show.out).toMatch(/^fill rate +100\.0 %$/m);
  expect(show.out).toMatch(/^volume +\$[1-9][0-9]*\.[0-9]{6}$/m);
  expect(show.out).toMatch(new RegExp(`^atoms of ${SOL} +0 paid, 350000000 received$`, 'm'));
  expect((await order()).routePlan).toMatchObject(THROUGH_THE_MAKER);
}, 120_000);

it('the demo maker quotes around the price of the pools, which its fills move', async () => {
  const theMaker = { dexes: 'JupiterRfqV2' };
  const paid = async () => Number((await order(theMaker)).outAmount) / 1e6;
  const worth = async () => Number((await order()).inUsdValue);
  const before = await paid();
  await execute(await order({ ...theMaker, amount: '40000000000' }));
  await vi.waitFor(async () => expect((await paid()) / before).toBeLessThan(0.993), WAIT);

  await rpc('requestAirdrop', [bannerValue(banner, 'Demo wallet'), 50_000_000_000_000]);
  const toThePools = { excludeDexes: 'JupiterRfqV2', amount: '40000000000000', slippageBps: '5000' };
  await vi.waitFor(async () => expect((await order(toThePools)).error).toBeUndefined(), WAIT);
  await execute(await order(toThePools));
  await vi.waitFor(async () => expect((await worth()) / before).toBeLessThan(0.97), WAIT);
  await instance.stop();
  await start(theMaker);
  expect(Math.abs((await paid()) / (await worth()) - 1)).toBeLessThan(0.001);

  // The maker would not sign what ends by such a clock.
  const jump = { method: 'POST', body: JSON.stringify({ seconds: 600 }), headers: operator() };
  expect(
    (await fetch(`${new URL(bannerValue(banner, 'Admin')).origin}/admin/v1/network/clock`, jump)).status,
  ).toBe(200);
  await vi.waitFor(async () => expect((await order(theMaker)).error).toMatch(/no route/), WAIT);
  await execute(await order());
}, 120_000);

/** The discriminators of the calls of the fill program within the transaction. */
async function fillsOf(signature: string): Promise<number[][]> {
  const options = { encoding: 'json', maxSupportedTransactionVersion: 0, commitment: 'confirmed' };
  const result = (await rpc('getTransaction', [signature, options])) as LandedJson;
  const { writable, readonly } = result.meta.loadedAddresses;
  const accounts = [...result.transaction.message.accountKeys, ...writable, ...readonly];
  const calls = result.meta.innerInstructions.flatMap(({ instructions }) => instructions);
  return calls
    .filter(({ programIdIndex }) => accounts[programIdIndex] === FILL_PROGRAM)
    .map(({ data }) => [...(decodeBase58(data) ?? [])].slice(0, 8));
}

interface LandedJson {
  readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } };
  readonly meta: {
    readonly loadedAddresses: Record<'writable' | 'readonly', readonly string[]>;
    readonly innerInstructions: readonly {
      readonly instructions: readonly { readonly programIdIndex: number; readonly data: string }[];
    }[];
  };
}
