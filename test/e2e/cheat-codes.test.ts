import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Keypair, createKeypairFromSeed } from '../../src/solana/keypair.ts';
import { addSignatures, parseTransaction } from '../../src/solana/messages/transaction.ts';
import { bannerValue, FREE_PORTS, type Instance, withSlotsOf } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { openFolder } from '../../src/testing/test-folder.ts';

const folder = openFolder('cheat-codes');
let instance: Instance;
let rest: string;
let rpcUrl: string;
let key: string;
beforeAll(setUp);
afterAll(tearDown);

describe('accounts that cheat codes set', () => {
  it('can be swapped by order and execute', async () => {
    const wallet = newWallet();
    expect(await order(wallet)).toMatchObject({ transaction: '', errorMessage: 'Insufficient funds' });
    await cheat('surfnet_setAccount', wallet.address, { lamports: 1_000_000_000 });
    await cheat('surfnet_setTokenAccount', wallet.address, USDC, { amount: 300_000_000 });
    const { transaction, requestId, outAmount } = await order(wallet);
    const unsigned = parseTransaction(Buffer.from(transaction, 'base64'));
    const signedTransaction = Buffer.from(addSignatures(unsigned, [wallet])).toString('base64');
    expect(await callRest('/swap/v2/execute', { requestId, signedTransaction })).toMatchObject({
      status: 'Success',
      totalInputAmount: '250000000',
      totalOutputAmount: outAmount,
    });
  });

  it('are in the portfolio, also after the instance was killed and started again', async () => {
    const wallet = newWallet();
    await cheat('surfnet_setTokenAccount', wallet.address, USDC, { amount: 123_456_789 });
    const expectShown = () =>
      vi.waitFor(async () => {
        const { elements } = await callRest(`/portfolio/v1/positions/${wallet.address}`);
        expect(elements).toMatchObject([
          {
            platformId: 'wallet-tokens',
            data: { assets: [{ data: { address: USDC, amount: 123.456789 } }] },
          },
        ]);
      }, WAIT);
    await expectShown();
    await instance.stop();
    await start();
    await expectShown();
    await cheat('surfnet_setTokenAccount', wallet.address, USDC, { amount: 0 });
    await vi.waitFor(async () => {
      const { elements } = await callRest(`/portfolio/v1/positions/${wallet.address}`);
      expect(elements).toEqual([]);
    }, WAIT);
  });
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WAIT = { interval: 50 };

async function start(): Promise<void> {
  instance = startOwnInstance({ reason: 'is killed', flags: [...withSlotsOf(50), ...FREE_PORTS], folder });
  const banner = await instance.ready();
  rest = bannerValue(banner, 'REST');
  rpcUrl = bannerValue(banner, 'Solana RPC');
  key = readFileSync(join(folder, '.sluice', 'demo-api-key'), 'utf8').trim();
}

async function setUp(): Promise<void> {
  await start();
}

async function tearDown(): Promise<void> {
  await instance?.stop();
}

async function rpc<T>(method: string, ...params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(rpcUrl, { method: 'POST', headers, body });
  const answer: { result?: T; error?: { message: string } } = JSON.parse(await response.text());
  if (answer.result === undefined) throw new Error(`${method} was refused: ${answer.error?.message}`);
  return answer.result;
}

/** Calls a cheat code, and waits until its slot is confirmed: the disk has it, and products see it. */
async function cheat(method: string, ...params: unknown[]): Promise<void> {
  const { context } = await rpc<{ context: { slot: number } }>(method, ...params);
  await vi.waitFor(async () => {
    expect(await rpc('getSlot', { commitment: 'confirmed' })).toBeGreaterThanOrEqual(context.slot);
  }, WAIT);
}

async function callRest(path: string, body?: object) {
  const response = await fetch(`${rest}${path}`, {
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return JSON.parse(await response.text());
}

/** Asks for an order that sells 250 USDC. */
function order({ address }: Keypair) {
  const query = new URLSearchParams({
    inputMint: USDC,
    outputMint: SOL,
    amount: '250000000',
    taker: address,
  });
  return callRest(`/swap/v2/order?${query}`);
}

function newWallet(): Keypair {
  return createKeypairFromSeed(randomBytes(32));
}
