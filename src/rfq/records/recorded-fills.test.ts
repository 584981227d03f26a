import { describe, expect, it, vi } from 'vitest';
import { Code, createSwapFailure } from '../../swaps/orders/execution-result.ts';
import { encodeOrder } from '../../swaps/orders/stored-order.ts';
import { createFillOrder, MAKER_ID } from '../../testing/genesis-market/signed-fill.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { beginFill, findFillOfRequest } from './fill-rows.ts';
import { keepFills, keepWebhookFills } from './recorded-fills.ts';
import { beginWebhookFill, findWebhookFill } from './webhook-fill-rows.ts';
import { openForEach } from '../../testing/opened.ts';

describe.each(STORES)('recorded fills in %s', (kind) => {
  const opened = openForEach(() => openTestStore(kind), 'cleanUp');

  it('are values, and the rows of fills over streams hold the texts that earlier versions read', async () => {
    const { store } = opened;
    const records = keepFills(store, () => FILL.offeredAt + 1, onUnreadable);
    expect(await records.begin({ ...FILL, swapUuid: 'swap' })).toBe(true);
    expect(await records.sign('swap', Uint8Array.of(4))).toBe(true);
    expect(await records.unfinished()).toMatchObject([{ ...FILL, state: 'landing', answer: null }]);
    expect(await records.end('swap', { state: 'failed', answer: ANSWER })).toBe(true);
    expect(await records.byRequest('request')).toMatchObject({ ...FILL, state: 'failed', answer: ANSWER });
    expect(await findFillOfRequest(store, 'request')).toMatchObject({
      order: encodeOrder(ORDER),
      state: 'failed',
      answer: ANSWER_TEXT,
    });
  });

  it('are values, and the rows of fills by webhook hold the texts that earlier versions read', async () => {
    const { store } = opened;
    const records = keepWebhookFills(store, () => FILL.offeredAt + 1, onUnreadable);
    expect(await records.begin({ ...WEBHOOK_FILL, excuse: null })).toBe(true);
    for (const [state, excuse] of [
      ['unanswered', null],
      ['accepted', null],
      ['rejected', 'the taker moved its funds'],
    ] as const) {
      await records.note('request', state, excuse);
      expect(await findWebhookFill(store, 'request')).toMatchObject({ state, excuse, answer: null });
    }
    expect(await records.unfinished()).toMatchObject([{ ...WEBHOOK_FILL, state: 'rejected', answer: null }]);
    expect(await records.end('request', { answer: ANSWER })).toBe(true);
    expect(await records.end('request', { answer: ANSWER })).toBe(false);
    expect(await records.byRequest('request')).toMatchObject({
      ...WEBHOOK_FILL,
      state: 'ended',
      answer: ANSWER,
    });
    expect(await findWebhookFill(store, 'request')).toMatchObject({
      order: encodeOrder(WEBHOOK_FILL.order),
      state: 'ended',
      answer: ANSWER_TEXT,
    });
  });

  it('are listed without a row that cannot be read, so that it stops no other fill after a restart', async () => {
    const { store } = opened;
    const onUnreadable = vi.fn();
    const records = keepFills(store, () => FILL.offeredAt + 1, onUnreadable);
    await beginFill(store, { ...UNREADABLE, swapUuid: 'unreadable' });
    await records.begin({ ...FILL, swapUuid: 'swap' });
    expect(await records.unfinished()).toMatchObject([FILL]);
    await records.end('unreadable', { state: 'expired', answer: ANSWER });
    await records.end('swap', { state: 'expired', answer: ANSWER });
    expect(await records.endedSince(0)).toMatchObject([FILL]);
    const byWebhook = keepWebhookFills(store, () => FILL.offeredAt + 1, onUnreadable);
    await beginWebhookFill(store, { ...UNREADABLE, excuse: null });
    await byWebhook.begin({ ...WEBHOOK_FILL, excuse: null });
    expect(await byWebhook.unfinished()).toMatchObject([WEBHOOK_FILL]);
    expect(onUnreadable.mock.calls).toEqual([1, 2, 3].map(() => [expect.any(SyntaxError)]));
  });
});

const onUnreadable = (error: unknown) => {
  throw error;
};

const ORDER = createFillOrder('request');
const FILL = {
  requestId: ORDER.requestId,
  makerId: MAKER_ID,
  order: ORDER,
  offered: Uint8Array.of(1, 2, 3),
  offeredAt: 1_800_000_000_000,
};
/** Its order is cut off. */
const UNREADABLE = { ...FILL, requestId: 'unreadable', order: '{"requestId":', state: 'offered' };
const WEBHOOK_FILL = {
  ...FILL,
  order: {
    ...ORDER,
    webhookFill: {
      makerId: MAKER_ID,
      quoteId: 'quote',
      terms: ORDER.coSigner,
      inAmount: 1n,
      outAmount: 2n,
      fee: { mint: ORDER.inputMint, amount: 0n },
    },
  },
};
const ANSWER = createSwapFailure(Code.MAKER_FAILED_TO_LAND, 'it did not land', 'signature');
/** As versions wrote it whose records held texts; it must not change. */
const ANSWER_TEXT = '{"status":"Failed","code":-2000,"error":"it did not land","signature":"signature"}';
