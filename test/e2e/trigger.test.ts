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

describe('orders of other kinds', () => {
  it('trail a price, have two exits, or enter before they exit', async () => {
    const price = await solPrice();
    const pair = { outputMint: SOL, triggerMint: SOL };
    const exits = { tpPriceUsd: price * 1.06, slPriceUsd: price * 0.9 };
    const trailing = await client.order({ ...pair, triggerCondition: 'above', trailingBps: 500 });
    const oco = await client.order({ ...pair, ...exits, orderType: 'oco' });
    const triggerPriceUsd = price * 1.02;
    const otoco = await client.order({
      ...pair,
      ...exits,
      orderType: 'otoco',
      triggerCondition: 'above',
      triggerPriceUsd,
    });
    await client.patch(`orders/price/${trailing}`, { orderType: 'single', trailingBps: 300 });
    const trailed = await client.get(`orders/history/${trailing}`);
    expect(trailed).toMatchObject({ orderState: 'open', trailingBps: 300 });
    expect(trailed.triggerPriceUsd).toBeCloseTo(trailed.lowWatermark * 1.03, 9);
    const before = await tokensOf(client.wallet);
    await instance.run('price', 'follow', 'on');
    await instance.run('price', 'set', 'SOL', (price * 1.04).toFixed(6));
    await client.filled(trailing);
    await client.inState(otoco, { orderState: 'open', legs: [{ orderContext: 'take_profit' }, {}] });
    expect(await client.get(`orders/history/${oco}`)).toMatchObject({ orderState: 'open' });
    await instance.run('price', 'set', 'SOL', (price * 1.08).toFixed(6));
    const filled = await Promise.all([client.filled(oco), client.filled(otoco)]);
    await instance.run('price', 'follow', 'off');
    for (const order of filled) {
      const legs = [{ orderState: 'filled' }, { orderState: 'cancelled', rawState: 'oco_cancelled' }];
      expect(order).toMatchObject({ triggerCondition: 'above', legs });
    }
    // The one has bought SOL, and the other has bought some and sold it again.
    const received = (await tokensOf(client.wallet)) - before;
    expect(received).toBeGreaterThan(48_000_000n);
    expect(received).toBeLessThan(55_000_000n);
  });

  it('buy in rounds, and give back what is not used', async () => {
    const before = await tokensOf(client.wallet);
    const id = await client.rounds({ outputMint: SOL, orderCount: 2, intervalSeconds: 3_600 });
    const first = await client.inState(id, { state: 'active', roundsFilled: 1 }, 'history/dca');
    expect(first).toMatchObject({ inputAmountRemaining: '25000000', fillPercent: 0.5 });
    expect(await client.cancel(id, 'dca')).toMatchObject({ roundsRemaining: 1, refundAmount: '25000000' });
    expect(await client.get(`orders/history/dca/${id}`)).toMatchObject({ state: 'cancelled' });
    expect(await tokensOf(client.wallet)).toBe(before - 25_000_000n);
  });
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TOKEN_ACCOUNT_RENT = 2_039_280n;

async function setUp(): Promise<void> {
  const wallet = await instance.newWallet(1_000_000_000n, { [USDC]: 400_000_000n });
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
