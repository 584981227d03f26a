import { describe, expect, it } from 'vitest';
import { openForAll } from '../../../testing/opened.ts';
import { TriggerDesk } from '../../../testing/products/trigger-desk.ts';
import { USDC } from '../../../testing/waiting-orders/order-desk.ts';
import { WRAPPED_SOL_MINT as SOL } from '../../../solana/program-addresses.ts';

const test = openForAll(() => TriggerDesk.open(), 'close');

/** A message, with the fields that provoke it, and the field that it is about if it is a detail. */
type Row = [message: string, changes: object, field?: string];

describe('refusals over HTTP, in the form of the public service,', () => {
  it.each<Row>([
    ['Order must be at least 10 USD (current value: 0.08 USD)', { amount: '80000' }],
    ['Input mint and output mint cannot be the same', { outputMint: USDC }],
    ["orderSubType must be omitted when orderType is 'dca'", { orderType: 'dca' }],
    ['jlEnabled is not supported for this input mint', { ...DCA, ...OF_SOL, jlMint: SOL }],
    ['jlMint does not match the JL token for this input mint', { ...DCA, jlMint: SOL }],
  ])('refuse a deposit: %s', async (message, changes) => {
    expect(await test.craft(changes)).toEqual([400, expect.objectContaining({ error: message })]);
  });

  it.each<Row>([
    ['exactly one of triggerPriceUsd or trailingBps must be set', { triggerPriceUsd: undefined }],
    ['exactly one of triggerPriceUsd or trailingBps must be set', { trailingBps: 500 }],
    ['Trigger mint is not supported', { triggerMint: USDC }],
    ['Too small: expected number to be >=50', { ...TRAILING, trailingBps: 49 }, 'trailingBps'],
    ['Too big: expected number to be <=9000', { ...TRAILING, trailingBps: 9_001 }, 'trailingBps'],
    ['Invalid option: expected one of "above"|"below"', { triggerCondition: undefined }, 'triggerCondition'],
    ['Invalid input: expected number, received string', { expiresAt: 'never' }, 'expiresAt'],
    [NOT_CRAFTED, { depositRequestId: UNKNOWN }],
  ])('refuse a single order: %s', async (message, changes, field) => {
    expectRefused(await test.createPrice('single', changes), message, field);
  });

  it('refuse a trailing order of a token without a price', async () => {
    const [, deposit] = await test.craft();
    const answer = await test.desk.hidePrices(() => test.orderPrice('single', deposit, TRAILING));
    expectRefused(answer, 'Market price is unavailable for trailing order');
  });

  it.each<Row>([
    ['tpPriceUsd must be greater than slPriceUsd, got 0.5 and 0.5', { tpPriceUsd: 0.5 }],
    ['Invalid input: expected number, received undefined', { slPriceUsd: undefined }, 'slPriceUsd'],
  ])('refuse an order of two prices: %s', async (message, changes, field) => {
    const [status, body] = await test.createPrice('oco', changes);
    expect([status, body.details ?? body.error]).toEqual([400, { [field ?? 'tpPriceUsd']: message }]);
  });

  it.each<Row>([
    ['Too small: expected number to be >=2', { orderCount: 1 }, 'orderCount'],
    ['Too small: expected number to be >=60', { intervalSeconds: 59 }, 'intervalSeconds'],
    ['Too big: expected number to be <=31536000', { intervalSeconds: 31_536_001 }, 'intervalSeconds'],
    ['Each order must be at least 10 USD (current value: 8.00 USD)', { orderCount: 3 }],
    ['Begin fill time must be in the future', { beginFillAt: '2026-01-01T00:00:00.000Z' }],
    [
      'Begin fill time cannot be more than 30 days in the future',
      { beginFillAt: '2099-01-01T00:00:00.000Z' },
    ],
    [
      'Price-conditional orders must have at least minPriceUsd or maxPriceUsd set',
      { orderType: 'price_conditional', triggerMint: SOL },
      'orderType',
    ],
    [
      'Price-conditional orders must specify a triggerMint',
      { orderType: 'price_conditional', minPriceUsd: 1 },
      'triggerMint',
    ],
    ['Trigger mint is not supported', { ...BAND, triggerMint: USDC }],
    ['Time-based orders cannot set minPriceUsd or maxPriceUsd', { minPriceUsd: 1 }, 'orderType'],
    ['jlEnabled is only supported for time_based orders', { ...BAND, jlEnabled: true }],
    ['JL orders require the JL deposit craft. Please re-craft the deposit with jlMint.', EARNING],
    [NOT_CRAFTED, { depositRequestId: UNKNOWN }],
  ])('refuse an order in rounds: %s', async (message, changes, field) => {
    const [status, body] = await test.createRounds(changes);
    const isDetail = field !== undefined;
    expect([status, isDetail ? body.details : body.error]).toEqual([
      400,
      isDetail ? { [field]: message } : message,
    ]);
  });

  it('refuse rounds between two stablecoins', async () => {
    const pair = { outputMint: USDT };
    expectRefused(
      await test.createRounds({ ...BAND, ...pair, triggerMint: USDT }, pair),
      'Mint pair is not supported',
    );
  });

  it.each<readonly [message: string, created: object, changes: object]>([
    ['Cannot set trigger price on trailing stop loss order', TRAILING, { triggerPriceUsd: 1 }],
    ['Trailing order would immediately trigger', TRAILING, { trailingBps: 50 }],
    ['Cannot convert to trailing stop loss order', {}, { trailingBps: 500 }],
  ])('refuse a change: %s', async (message, created, changes) => {
    const [, { id }] = await test.createPrice('single', created);
    // The price has risen by more than half a percent since.
    const price = test.desk.dependencies.priceOf(SOL) ?? 0;
    await test.desk.orders.moveWatermarks(SOL, 'above', price * 0.99, { now: 0, limit: 100 });
    const answer = await test.ask('PATCH', `/orders/price/${id}`, { orderType: 'single', ...changes });
    expectRefused(answer, message);
  });

  it('refuse to cancel what cannot be cancelled, and to confirm what was not', async () => {
    const [, { id }] = await test.createRounds();
    const confirmation = { signedTransaction: 'AA==', cancelRequestId: UNKNOWN };
    expectRefused(
      await test.ask('POST', `/orders/dca/confirm-cancel/${id}`, confirmation),
      'DCA order not in cancellation state: it is active',
    );
    const [, cancelled] = await test.ask('POST', `/orders/dca/cancel/${id}`);
    expectRefused(await test.ask('POST', `/orders/dca/confirm-cancel/${id}`, confirmation), NOT_CANCELLED);
    const signedTransaction = test.sign(cancelled.transaction);
    const confirmed = { signedTransaction, cancelRequestId: cancelled.requestId };
    expect((await test.ask('POST', `/orders/dca/confirm-cancel/${id}`, confirmed))[0]).toBe(200);
    expectRefused(
      await test.ask('POST', `/orders/dca/cancel/${id}`),
      "Cannot cancel DCA order in 'cancelled' state",
    );
  });

  it('tell the two families of orders apart', async () => {
    const [, rounds] = await test.createRounds();
    const [, price] = await test.createPrice('single');
    const notFound = [404, { error: 'Order not found' }];
    const notOwned = [404, { error: 'DCA order not found or you do not own it' }];
    expect(await test.ask('GET', `/orders/history/${rounds.id}`)).toEqual(notFound);
    expect(await test.ask('GET', `/orders/history/dca/${price.id}`)).toEqual(notFound);
    expect(await test.ask('POST', `/orders/price/cancel/${rounds.id}`)).toEqual(notFound);
    expect(await test.ask('PATCH', `/orders/price/${rounds.id}`, { orderType: 'single' })).toEqual(notFound);
    expect(await test.ask('POST', `/orders/dca/cancel/${price.id}`)).toEqual(notOwned);
    const stranger = test.desk.stranger.address;
    expect(await test.ask('POST', `/orders/dca/cancel/${rounds.id}`, undefined, stranger)).toEqual(notOwned);
    expect((await test.ask('PATCH', `/orders/price/${price.id}`, { orderType: 'single' }, stranger))[0]).toBe(
      403,
    );
    expect((await test.ask('PATCH', `/orders/dca/${rounds.id}`, {}))[0]).toBe(404);
    expect((await test.ask('POST', '/orders/dca/', {}))[0]).toBe(404);
  });
});

const DCA = { orderType: 'dca', orderSubType: undefined };
const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';
const OF_SOL = { inputMint: SOL, outputMint: USDC, amount: '500000000' };
const BAND = { orderType: 'price_conditional', triggerMint: SOL, minPriceUsd: 1 };
const EARNING = { jlEnabled: true, jlMint: '9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D' };
/** Buys SOL when it has risen from its lowest price. */
const TRAILING = { triggerPriceUsd: undefined, trailingBps: 500, triggerCondition: 'above' };
const UNKNOWN = '019ac9f4-8a1b-7c3e-9d52-0f6e1b7a4c21';
const NOT_CRAFTED = 'Deposit transaction not found in cache. Please craft a new deposit first.';
const NOT_CANCELLED = 'Withdrawal transaction not found in cache. Please initiate cancel again.';

function expectRefused(
  [status, body]: Awaited<ReturnType<TriggerDesk['ask']>>,
  message: string,
  field?: string,
): void {
  const expected =
    field === undefined
      ? { error: message }
      : { error: 'Request validation failed', details: { [field]: message } };
  expect([status, body]).toEqual([400, expected]);
}
