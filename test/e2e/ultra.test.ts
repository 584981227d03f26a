import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bannerValue, FREE_PORTS, Instance } from './instance.ts';

const LONG = { timeout: 120_000 };
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

let folder: string;
let instance: Instance;
let rest: string;
let key: string;
let wallet: Keypair;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-ultra-'));
  instance = new Instance(['start', '--slot-ms=50', '--data-dir=.sluice', ...FREE_PORTS], folder);
  rest = bannerValue(await instance.ready(), 'REST');
  key = readFileSync(join(folder, '.sluice', 'demo-api-key'), 'utf8').trim();
  const secret: number[] = JSON.parse(readFileSync(join(folder, '.sluice', 'demo-wallet.json'), 'utf8'));
  wallet = Keypair.fromSecretKey(Uint8Array.from(secret));
}, 120_000);
afterAll(async () => {
  await instance.stop();
  rmSync(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
async function ask(path: string, body?: object): Promise<{ status: number; json: any }> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(`${rest}${path}`, { ...init, headers });
  return { status: response.status, json: await response.json() };
}

describe('the older managed product', () => {
  it('lists the routers, and finds tokens as its successor does', LONG, async () => {
    expect((await ask('/ultra/v1/order/routers')).json).toEqual([
      { id: 'metis', name: 'Metis' },
      { id: 'jupiterz', name: 'JupiterZ' },
    ]);
    const { status, json } = await ask(`/ultra/v1/search?query=${USDC}`);
    expect(status).toBe(200);
    expect(json).toMatchObject([{ id: USDC, symbol: 'USDC', decimals: 6 }]);
  });

  it('says what a wallet holds', LONG, async () => {
    const address = wallet.publicKey.toBase58();
    const { json: holdings } = await ask(`/ultra/v1/holdings/${address}`);
    const { json: native } = await ask(`/ultra/v1/holdings/${address}/native`);
    const { json: balances } = await ask(`/ultra/v1/balances/${address}`);
    expect(Object.keys(native)).toEqual(['amount', 'uiAmount', 'uiAmountString']);
    expect(holdings).toMatchObject(native);
    const [usdc] = holdings.tokens[USDC];
    expect(usdc).toMatchObject({ decimals: 6, isAssociatedTokenAccount: true, isFrozen: false });
    expect(balances[USDC]).toMatchObject({ amount: usdc.amount, uiAmount: usdc.uiAmount, isFrozen: false });
    expect(balances.SOL).toMatchObject({ amount: native.amount });
    const refused = await ask('/ultra/v1/holdings/nonsense');
    expect(refused.status).toBe(400);
    expect(refused.json.error).toContain('address must be an address');
  });
});
