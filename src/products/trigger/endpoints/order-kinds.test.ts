import { describe, expect, it } from 'vitest';
import { openForAll } from '../../../testing/opened.ts';
import { TriggerDesk } from '../../../testing/products/trigger-desk.ts';
import { USDC } from '../../../testing/waiting-orders/order-desk.ts';
import { WRAPPED_SOL_MINT as SOL } from '../../../solana/program-addresses.ts';

const test = openForAll(() => TriggerDesk.open(), 'close');

describe('orders of several prices over HTTP', () => {
  it('an oco order is one order, with the state of each price', async () => {
    const { id } = await create('oco', { tpSlippageBps: 100 });
    expect(await history(id)).toEqual({
      ...COMMON,
      id,
      orderType: 'oco',
      triggerCondition: 'above',
      triggerPriceUsd: 1_000_000,
      slippageBps: 100,
      tpPriceUsd: 1_000_000,
      slPriceUsd: 0.5,
      tpSlippageBps: 100,
      legs: [leg('take_profit', 'above', 1_000_000), leg('stop_loss', 'below', 0.5)],
    });
  });

  it('an otoco order has a second account, and its exits wait for its entry', async () => {
    const [status, deposit] = await test.craft({ orderSubType: 'otoco' });
    expect([status, deposit]).toEqual([
      200,
      expect.objectContaining({ inputTokenAccount: ADDRESS, outputTokenAccount: ADDRESS }),
    ]);
    expect(deposit.outputTokenAccount).not.toBe(deposit.inputTokenAccount);
    const [, { id }] = await test.orderPrice('otoco', deposit);
    expect(await history(id)).toEqual({
      ...COMMON,
      id,
      orderType: 'otoco',
      triggerCondition: 'below',
      triggerPriceUsd: 0.5,
      tpPriceUsd: 1_000_000,
      slPriceUsd: 0.25,
      returnedAmount: '0',
    });
    const [, cancelled] = await test.ask('POST', `/orders/price/cancel/${id}`);
    expect(await confirm('price', cancelled)).toEqual([200, { id, txSignature: SIGNATURE }]);
    expect((await history(id)).orderState).toBe('cancelled');
    for (const account of [deposit.inputTokenAccount, deposit.outputTokenAccount]) {
      expect(test.desk.lamports(account)).toBe(0n);
    }
  });

  it('a trailing order shows its watermark, and a change of its distance moves its trigger', async () => {
    const trailing = { triggerPriceUsd: undefined, trailingBps: 1_000, triggerCondition: 'above' };
    const { id } = await create('single', trailing);
    const price = test.desk.dependencies.priceOf(SOL) ?? 0;
    expect(await history(id)).toMatchObject({
      triggerPriceUsd: (price * 11_000) / 10_000,
      trailingBps: 1_000,
      highWatermark: null,
      lowWatermark: price,
    });
    const edit = { orderType: 'single', trailingBps: 2_000, slippageBps: 30, expiresAt: 4_102_444_800_001 };
    expect(await test.ask('PATCH', `/orders/price/${id}`, edit)).toEqual([200, { id }]);
    expect(await history(id)).toMatchObject({
      triggerPriceUsd: (price * 12_000) / 10_000,
      trailingBps: 2_000,
      slippageBps: 30,
      expiresAt: 4_102_444_800_001,
    });
  });

  it.each([
    ['single', { triggerPriceUsd: 0.4 }, { triggerPriceUsd: 0.4 }],
    [
      'oco',
      { slPriceUsd: 0.4, slSlippageBps: 70 },
      { slPriceUsd: 0.4, tpPriceUsd: 1_000_000, slSlippageBps: 70 },
    ],
    [
      'otoco',
      { triggerPriceUsd: 0.4, tpPriceUsd: 2 },
      { triggerPriceUsd: 0.4, tpPriceUsd: 2, slPriceUsd: 0.25 },
    ],
  ])('an order %s is changed as far as it is asked to be', async (kind, changes, expected) => {
    const { id } = await create(kind);
    const edited = await test.ask('PATCH', `/orders/price/${id}`, { orderType: kind, ...changes });
    expect(edited).toEqual([200, { id }]);
    expect(await history(id)).toMatchObject(expected);
    const other = kind === 'single' ? 'oco' : 'single';
    expect((await test.ask('PATCH', `/orders/price/${id}`, { orderType: other }))[0]).toBe(400);
  });
});

describe('orders in rounds over HTTP', () => {
  it('are created, listed and cancelled with the fields of the public service', async () => {
    const beginFillAt = new Date((await test.desk.orders.now()) + 86_400_000).toISOString();
    const [status, created] = await test.createRounds({ ...BAND, beginFillAt }, { amount: '24000001' });
    expect([status, created]).toEqual([200, { id: expect.any(String), txSignature: SIGNATURE }]);
    const { id } = created;
    const [, order] = await test.ask('GET', `/orders/history/dca/${id}`);
    expect(order).toEqual({
      id,
      requestId: expect.any(String),
      userPubkey: test.wallet,
      vaultPubkey: await test.desk.custody.findVault(test.wallet),
      inputMint: USDC,
      outputMint: SOL,
      inputAmountInitial: '24000001',
      inputAmountRemaining: '24000001',
      amountPerRound: '12000000',
      outputAmountTotal: '0',
      inputAmountUsed: '0',
      orderType: 'price_conditional',
      minPriceUsd: 1,
      maxPriceUsd: null,
      triggerMint: SOL,
      retryWindowSeconds: 1_800,
      jlEnabled: false,
      jlYieldUsd: null,
      numberOfRounds: 2,
      intervalSeconds: 3_600,
      beginFillAt,
      nextFillAt: beginFillAt,
      lastFillAt: null,
      roundsFilled: 0,
      fillPercent: 0,
      state: 'active',
      displayState: 'active',
      createdAt: TIME,
      updatedAt: TIME,
      events: [
        {
          type: 'deposit',
          timestamp: TIME,
          txSignature: created.txSignature,
          inputAmount: '24000001',
          state: 'success',
        },
      ],
    });
    expect(await test.ask('GET', '/orders/history/dca?state=active&sort=next_fill_at&limit=1')).toEqual([
      200,
      { orders: [order], pagination: { total: 1, limit: 1, offset: 0 } },
    ]);
    const [, cancelled] = await test.ask('POST', `/orders/dca/cancel/${id}`);
    expect(cancelled).toEqual({
      id,
      roundsRemaining: 2,
      refundAmount: '24000001',
      transaction: expect.any(String),
      requestId: expect.any(String),
    });
    expect(await confirm('dca', cancelled)).toEqual([200, { id, txSignature: SIGNATURE }]);
    const [, after] = await test.ask('GET', `/orders/history/dca/${id}`);
    expect(after).toMatchObject({
      state: 'cancelled',
      displayState: 'cancelled',
      inputAmountRemaining: '24000001',
    });
    expect(after.events.map(({ type }: { type: string }) => type)).toEqual([
      'cancelled',
      'withdrawal',
      'deposit',
    ]);
  });

  it('are no more than ten at a time', async () => {
    for (let order = 0; order < 10; order++) expect((await test.createRounds())[0]).toBe(200);
    expect(await test.craft({ orderType: 'dca', orderSubType: undefined })).toEqual([
      400,
      { error: 'Maximum of 10 active DCA orders allowed per user' },
    ]);
    expect((await test.craft())[0]).toBe(200);
  });
});

const ADDRESS = expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
const SIGNATURE = expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const BAND = { orderType: 'price_conditional', triggerMint: SOL, minPriceUsd: 1 };
/** What all orders have that sell 24 USDC for SOL and have not been filled. */
const COMMON = {
  orderState: 'open',
  rawState: 'open',
  userPubkey: ADDRESS,
  privyWalletPubkey: ADDRESS,
  inputMint: USDC,
  initialInputAmount: '24000000',
  remainingInputAmount: '24000000',
  outputMint: SOL,
  triggerMint: SOL,
  expiresAt: 4_102_444_800_000,
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  trailingBps: null,
  highWatermark: null,
  lowWatermark: null,
  events: [expect.objectContaining({ type: 'deposit', state: 'success' })],
};

function leg(orderContext: string, triggerCondition: string, triggerPriceUsd: number) {
  return { orderContext, orderState: 'open', rawState: 'open', triggerCondition, triggerPriceUsd };
}

async function create(kind: string, changes: object = {}) {
  const [status, body] = await test.createPrice(kind, changes);
  expect([status, body]).toEqual([200, expect.objectContaining({ depositConfirmed: true })]);
  return body;
}

async function history(id: string) {
  return (await test.ask('GET', `/orders/history/${id}`))[1];
}

function confirm(
  family: 'price' | 'dca',
  { id, transaction, requestId }: { id: string; transaction: string; requestId: string },
) {
  const body = { signedTransaction: test.sign(transaction), cancelRequestId: requestId };
  return test.ask('POST', `/orders/${family}/confirm-cancel/${id}`, body);
}
