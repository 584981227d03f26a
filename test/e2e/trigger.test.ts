import { beforeAll, describe, expect, it } from 'vitest';
import type { Keypair } from '../../src/solana/keypair.ts';
import { useInstance } from './shared-instance.ts';
import { TriggerClient } from './trigger-client.ts';

const instance = useInstance();
let client: TriggerClient;
beforeAll(setUp);

describe('an order that waits for a price', () => {
  it('is filled when the price comes, and not before', async () => {
    const price = await solPrice();
    const id = await client.order({
      outputMint: SOL,
      triggerMint: SOL,
      triggerCondition: 'below',
      triggerPriceUsd: price * 0.9,
    });
    const before = await lamportsOf(client.wallet);
    expect(await client.get(`orders/history/${id}`)).toMatchObject({ orderState: 'open' });
    await instance.run('price', 'follow', 'on');
    await instance.run('price', 'set', 'SOL', (price * 0.88).toFixed(6));
    const filled = await client.filled(id);
    await instance.run('price', 'follow', 'off');
    const { outputAmount } = filled;
    // The rent that the deposit took comes back with it.
    expect((await lamportsOf(client.wallet)) - before).toBe(BigInt(outputAmount) + TOKEN_ACCOUNT_RENT);
    expect((Number(outputAmount) / 1e9) * price * 0.88).toBeGreaterThan(50 * 0.95);
    const { order } = await instance.admin('GET', `waiting-orders/${id}`);
    expect(await accountOf(order.account)).toBeNull();
  });

  it('gives its money back when it is cancelled', async () => {
    const before = await tokensOf(client.wallet);
    const id = await client.order({
      outputMint: SOL,
      triggerMint: SOL,
      triggerCondition: 'above',
      triggerPriceUsd: 100_000,
    });
    expect(await tokensOf(client.wallet)).toBe(before - 50_000_000n);
    await client.cancel(id);
    expect(await client.get(`orders/history/${id}`)).toMatchObject({ orderState: 'cancelled' });
    expect(await tokensOf(client.wallet)).toBe(before);
  });
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TOKEN_ACCOUNT_RENT = 2_039_280n;

async function setUp(): Promise<void> {
  const wallet = await instance.newWallet(1_000_000_000n, { [USDC]: 120_000_000n });
  client = await TriggerClient.signIn(instance.restUrl, wallet);
}

async function solPrice(): Promise<number> {
  const { json } = await instance.ask(`/price/v3?ids=${SOL}`);
  return json[SOL].usdPrice;
}

async function lamportsOf({ address }: Keypair): Promise<bigint> {
  return BigInt((await instance.rpc('getBalance', address, CONFIRMED)).value);
}

async function tokensOf({ address }: Keypair): Promise<bigint> {
  const { value } = await instance.rpc('getTokenAccountsByOwner', address, { mint: USDC }, PARSED);
  return BigInt(value[0].account.data.parsed.info.tokenAmount.amount);
}

async function accountOf(address: string): Promise<unknown> {
  return (await instance.rpc('getAccountInfo', address, CONFIRMED)).value;
}

const CONFIRMED = { commitment: 'confirmed' };
const PARSED = { ...CONFIRMED, encoding: 'jsonParsed' };
