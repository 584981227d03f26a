import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  getBase64Encoder,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  partiallySignTransaction,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { type Sluice, startSluice } from '../../testing/index.mjs';
import { withSlotsOf } from './instance.ts';

describe('startSluice', () => {
  it('runs several instances side by side, each with a network of its own', async () => {
    await using one = await startSluice(FAST);
    await using other = await startSluice(FAST);
    expect(one.urls.rest).not.toBe(other.urls.rest);
    const first = await lamportsOf(one, STRANGER);
    await one.fund(STRANGER, 'SOL', 5_000_000_000n);
    expect(await lamportsOf(one, STRANGER)).toBe(first + 5_000_000_000n);
    expect(await lamportsOf(other, STRANGER)).toBe(first);
    await one.fund(STRANGER, USDC, 7n);
    await one.price.set('SOL', '321.5');
    expect(await one.admin('GET', 'network/prices')).toMatchObject({
      prices: expect.arrayContaining([expect.objectContaining({ symbol: 'SOL', price: '321.5' })]),
    });
    const before = await one.clock.now();
    const after = await one.clock.advance({ seconds: 3_600, slots: 3 });
    expect(Number(after.unixTimestamp)).toBeGreaterThanOrEqual(Number(before.unixTimestamp) + 3_600);
    const funded = await lamportsOf(one, STRANGER);
    const name = await one.snapshot();
    await one.fund(STRANGER, 'SOL', 1n);
    await one.restore(name);
    expect(await lamportsOf(one, STRANGER)).toBe(funded);
    await expect(one.restore('never')).rejects.toThrow(/never/);
    expect(await swap(one)).toMatchObject({ status: 'Success' });
    await one.reset();
    expect(await lamportsOf(one, STRANGER)).toBe(first);
    expect(await lamportsOf(one, one.wallet.address)).toBe(await lamportsOf(other, other.wallet.address));
    const [clock, now] = [await one.clock.now(), await other.clock.now()];
    expect(Math.abs(Number(clock.unixTimestamp) - Number(now.unixTimestamp))).toBeLessThan(60);
    expect(await one.admin('GET', 'network/prices')).toMatchObject({
      prices: expect.arrayContaining([expect.objectContaining({ symbol: 'SOL', price: '200' })]),
    });
    expect(await swap(one)).toMatchObject({ status: 'Success' });

    const folder = mkdtempSync(join(tmpdir(), 'sluice-state-'));
    try {
      const file = join(folder, 'state.gz');
      await one.exportSnapshot(await one.snapshot('carried'), file);
      await other.importSnapshot('taken', file);
      await other.restore('taken');
      const held = await lamportsOf(one, one.wallet.address);
      expect(await lamportsOf(other, one.wallet.address)).toBe(held);
      expect(await swap(other)).toMatchObject({ status: 'Success' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('fails exactly the transactions that a test names, and keeps nothing', async () => {
    const sluice = await startSluice(FAST);
    try {
      await sluice.faults.failNext({ wallet: sluice.wallet.address, code: 6_001 });
      const failed = await swap(sluice);
      expect(failed).toMatchObject({ status: 'Failed', code: 6_001 });
      const { waiting, struck } = await sluice.faults.list();
      expect(waiting).toEqual([]);
      expect(struck).toMatchObject([{ effect: 'fail', signature: failed.signature }]);
      await sluice.faults.clear();
      expect(await swap(sluice)).toMatchObject({ status: 'Success' });

      await sluice.faults.ofNextRequests({ path: '/swap/v2/*', status: 429, count: 2 });
      const asked = async () => (await fetch(`${sluice.urls.rest}/swap/v2/order`)).status;
      expect([await asked(), await asked(), await asked()]).toEqual([429, 429, 400]);
      const requests = await sluice.faults.listRequests();
      expect(requests.waiting).toEqual([]);
      expect(requests.struck).toMatchObject([{ path: '/swap/v2/order' }, { path: '/swap/v2/order' }]);
      await expect(sluice.faults.ofNextRequests({ path: '/swap/v2/order' })).rejects.toThrow(/does nothing/);
      const misspelt = { path: '/swap/v2/order', stauts: 429 };
      await expect(sluice.faults.ofNextRequests(misspelt)).rejects.toThrow(/stauts.*status/);

      await sluice.faults.ofNextRpcCalls({ method: 'getSlot', status: 503 });
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' });
      const headers = { 'content-type': 'application/json' };
      const called = async () => (await fetch(sluice.urls.rpc, { method: 'POST', headers, body })).status;
      expect([await called(), await called()]).toEqual([503, 200]);
      const calls = await sluice.faults.listRpcCalls();
      expect(calls).toMatchObject({ waiting: [], struck: [{ method: 'getSlot', status: 503 }] });
      const both = { method: 'getSlot', status: 503, code: -32005 } as const;
      await expect(sluice.faults.ofNextRpcCalls(both)).rejects.toThrow(/give status or code/);
    } finally {
      await sluice.stop();
    }
    expect(existsSync(sluice.wallet.file)).toBe(false);
  });

  it('says why an instance does not start', async () => {
    await expect(startSluice({ flags: ['--slot-ms=1'] })).rejects.toThrow(
      /ended with 2 instead of starting: slot-ms from flag --slot-ms is 1/,
    );
  });
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const STRANGER = '2MFoS3MPtvyQ4Wh4M9pdfPjz6UhVoNbFbGJAskCPCj3h';
const FAST = { flags: withSlotsOf(50) };

const lamportsOf = async ({ urls }: Sluice, wallet: string) => {
  const { value } = await createSolanaRpc(urls.rpc)
    .getBalance(wallet as never, { commitment: 'processed' })
    .send();
  return value as bigint;
};

/** Swaps by order and execute, as an integrator does. */
async function swap({ urls, apiKey, wallet }: Sluice): Promise<Record<string, unknown>> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const query = new URLSearchParams({
    inputMint: SOL,
    outputMint: USDC,
    amount: '100000000',
    taker: wallet.address,
  });
  const ordered = await fetch(`${urls.rest}/swap/v2/order?${query}`, { headers });
  const answer = await ordered.text();
  expect(ordered.status, answer).toBe(200);
  const order: { transaction: string; requestId: string } = JSON.parse(answer);
  const key = Uint8Array.from(JSON.parse(readFileSync(wallet.file, 'utf8')));
  const { keyPair } = await createKeyPairSignerFromBytes(key);
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(order.transaction));
  const signedTransaction = getBase64EncodedWireTransaction(
    await partiallySignTransaction([keyPair], transaction),
  );
  const body = JSON.stringify({ requestId: order.requestId, signedTransaction });
  const executed = await fetch(`${urls.rest}/swap/v2/execute`, { method: 'POST', headers, body });
  return JSON.parse(await executed.text());
}
