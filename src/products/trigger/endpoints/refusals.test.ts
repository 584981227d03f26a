import { describe, expect, it } from 'vitest';
import { openForAll } from '../../../testing/opened.ts';
import { TriggerDesk } from '../../../testing/products/trigger-desk.ts';

const test = openForAll(() => TriggerDesk.open(), 'close');

/** A message, with the fields that provoke it, and the field that it is about. */
type Row = [message: string, changes: object, field: string];

// What the public service says word by word stands in `message-table.test.ts`.
describe('refusals over HTTP, in the form of the public service,', () => {
  it.each<Row>([
    ['Too big: expected number to be <=9000', { ...TRAILING, trailingBps: 9_001 }, 'trailingBps'],
    ['Invalid option: expected one of "above"|"below"', { triggerCondition: undefined }, 'triggerCondition'],
    ['Invalid input: expected number, received string', { expiresAt: 'never' }, 'expiresAt'],
    ['Invalid input: expected number, received undefined', { expiresAt: undefined }, 'expiresAt'],
  ])('refuse a single order: %s', async (message, changes, field) => {
    expectInvalid(await test.createPrice('single', changes), message, field);
  });

  it.each<Row>([
    ['tpPriceUsd must be greater than slPriceUsd, got 0.5 and 0.5', { tpPriceUsd: 0.5 }, 'tpPriceUsd'],
    ['Invalid input: expected number, received undefined', { slPriceUsd: undefined }, 'slPriceUsd'],
  ])('refuse an order of two prices: %s', async (message, changes, field) => {
    const [status, { details }] = await test.createPrice('oco', changes);
    expect([status, details]).toEqual([400, { [field]: message }]);
  });

  it('refuse rounds that are more than 365 days apart', async () => {
    const answer = await test.createRounds({ intervalSeconds: 31_536_001 });
    expectInvalid(answer, 'Too big: expected number to be <=31536000', 'intervalSeconds');
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

/** Buys SOL when it has risen from its lowest price. */
const TRAILING = { triggerPriceUsd: undefined, trailingBps: 500, triggerCondition: 'above' };
const UNKNOWN = '019ac9f4-8a1b-7c3e-9d52-0f6e1b7a4c21';
const NOT_CANCELLED = 'Withdrawal transaction not found in cache. Please initiate cancel again.';

type Answer = Awaited<ReturnType<TriggerDesk['ask']>>;

function expectRefused(answer: Answer, message: string): void {
  expect(answer).toEqual([400, { error: message }]);
}

function expectInvalid(answer: Answer, message: string, field: string): void {
  expect(answer).toEqual([400, { error: 'Request validation failed', details: { [field]: message } }]);
}
