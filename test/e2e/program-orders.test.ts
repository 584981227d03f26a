import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Keypair } from '../../src/solana/keypair.ts';
import { parseTransaction, signTransaction } from '../../src/solana/messages/transaction.ts';
import { useInstance } from './shared-instance.ts';

const instance = useInstance();
let wallet: Keypair;
beforeAll(setUp);

describe('an order in the limit-order program', () => {
  it('is listed until it is cancelled, and gives everything back', async () => {
    const [usdc, lamports] = [await tokensOf(wallet), await lamportsOf(wallet)];
    const { order, fee } = await placeOrder({ makingAmount: '50000000', takingAmount: '1000000000' });
    expect(await listOrders('active')).toMatchObject([
      { orderKey: order, status: 'Open', makingAmount: '50', takingAmount: '1', trades: [] },
    ]);
    expect(await heldInOrders()).toContain('LimitOrder');
    const cancelling = await ask('/trigger/v1/cancelOrders', { maker: wallet.address });
    const cancelled = await execute('trigger', cancelling);
    expect(await listOrders('active')).toEqual([]);
    expect(await listOrders('history')).toMatchObject([
      { orderKey: order, status: 'Cancelled', remainingMakingAmount: '50', closeTx: expect.any(String) },
    ]);
    expect(await tokensOf(wallet)).toBe(usdc);
    expect(await lamportsOf(wallet)).toBe(lamports - fee - cancelled.fee);
  });

  it('is filled by the keeper at exactly its price', async () => {
    const price = await solPrice();
    // Two per cent less than the market pays.
    const taking = BigInt(Math.floor((50 / price) * 0.98 * 1e9));
    const before = await lamportsOf(wallet);
    const { order, fee: paid } = await placeOrder({ makingAmount: '50000000', takingAmount: String(taking) });
    const [filled] = await vi.waitFor(async () => {
      const orders = await listOrders('history');
      expect(orders[0]).toMatchObject({ orderKey: order, status: 'Completed' });
      return orders;
    });
    const fee = (taking * 10n + 9_999n) / 10_000n;
    expect(filled).toMatchObject({
      rawRemainingMakingAmount: '0',
      trades: [{ action: 'Fill', rawInputAmount: '50000000', rawOutputAmount: String(taking - fee) }],
    });
    // The rents of the order are the maker's again, who paid one transaction.
    expect((await lamportsOf(wallet)) - before).toBe(taking - fee - paid);
  });
});

describe('an order in the DCA program', () => {
  it('is filled at regular times, paid out, and closed by its user', async () => {
    const usdc = await tokensOf(wallet);
    const time = {
      inAmount: 120_000_000,
      numberOfOrders: 2,
      interval: 3_600,
      minPrice: null,
      maxPrice: null,
      startAt: null,
    };
    const created = await ask('/recurring/v1/createOrder', {
      user: wallet.address,
      inputMint: USDC,
      outputMint: SOL,
      params: { time },
    });
    const lamports = await lamportsOf(wallet);
    const { order, fee } = await execute('recurring', created);
    const [filled] = await vi.waitFor(async () => {
      const orders = await listRecurring('active');
      expect(orders).toMatchObject([
        { orderKey: order, rawInUsed: '60000000', trades: [{ action: 'Fill' }] },
      ]);
      expect(orders[0].rawOutWithdrawn).toBe(orders[0].rawOutReceived);
      return orders;
    });
    expect(BigInt(filled.rawOutWithdrawn)).toBeGreaterThan(0n);
    const cancelled = await ask('/recurring/v1/cancelOrder', {
      user: wallet.address,
      order,
      recurringType: 'time',
    });
    const closed = await execute('recurring', cancelled);
    expect(await listRecurring('history')).toMatchObject([{ orderKey: order, userClosed: true }]);
    expect(await tokensOf(wallet)).toBe(usdc - 60_000_000n);
    expect((await lamportsOf(wallet)) - lamports).toBe(BigInt(filled.rawOutWithdrawn) - fee - closed.fee);
  });
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

async function setUp(): Promise<void> {
  wallet = await instance.newWallet(1_000_000_000n, { [USDC]: 400_000_000n });
}

/** Asks, and expects an answer without an error. */
async function ask(path: string, body?: object) {
  const { status, json } = await instance.ask(path, body);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

async function placeOrder(params: {
  readonly makingAmount: string;
  readonly takingAmount: string;
}): Promise<{ readonly order: string; readonly fee: bigint }> {
  const parties = { maker: wallet.address, payer: wallet.address };
  const created = await ask('/trigger/v1/createOrder', {
    ...parties,
    inputMint: USDC,
    outputMint: SOL,
    params,
  });
  const { fee } = await execute('trigger', created);
  return { order: created.order, fee };
}

/** Signs a transaction that was handed out, and lands it. The answer has its fee too, which others can make dearer. */
async function execute(
  product: 'trigger' | 'recurring',
  { requestId, transaction }: { readonly requestId: string; readonly transaction: string },
) {
  const { messageBytes } = parseTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
  const signedTransaction = Buffer.from(signTransaction(messageBytes, [wallet])).toString('base64');
  const executed = await ask(`/${product}/v1/execute`, { requestId, signedTransaction });
  expect(executed).toMatchObject({ status: 'Success' });
  const options = { ...CONFIRMED, maxSupportedTransactionVersion: 0 };
  const { meta } = await instance.rpc('getTransaction', executed.signature, options);
  return { ...executed, fee: BigInt(meta.fee) };
}

async function listOrders(orderStatus: 'active' | 'history') {
  const query = new URLSearchParams({ user: wallet.address, orderStatus });
  return (await ask(`/trigger/v1/getTriggerOrders?${query}`)).orders;
}

async function listRecurring(orderStatus: 'active' | 'history') {
  const query = { user: wallet.address, orderStatus, recurringType: 'time', includeFailedTx: 'false' };
  return (await ask(`/recurring/v1/getRecurringOrders?${new URLSearchParams(query)}`)).time;
}

async function heldInOrders(): Promise<string> {
  return JSON.stringify((await ask(`/portfolio/v1/positions/${wallet.address}`)).elements);
}

async function solPrice(): Promise<number> {
  return (await ask(`/price/v3?ids=${SOL}`))[SOL].usdPrice;
}

async function lamportsOf({ address }: Keypair): Promise<bigint> {
  return BigInt((await instance.rpc('getBalance', address, CONFIRMED)).value);
}

async function tokensOf({ address }: Keypair): Promise<bigint> {
  const { value } = await instance.rpc('getTokenAccountsByOwner', address, { mint: USDC }, PARSED);
  return BigInt(value[0].account.data.parsed.info.tokenAmount.amount);
}

const CONFIRMED = { commitment: 'confirmed' };
const PARSED = { ...CONFIRMED, encoding: 'jsonParsed' };
