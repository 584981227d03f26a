import { describe, expect, it } from 'vitest';
import { findOrder, listBidsOfOrder } from '../../swaps/ledger/ledger-query.ts';
import { Code, createSwapFailure, type ExecutionResult } from '../../swaps/orders/execution-result.ts';
import { openForEach } from '../../testing/opened.ts';
import { createFillOrder, MAKER_ID } from '../../testing/genesis-market/signed-fill.ts';
import { MemoryRecords } from '../../testing/rfq/makers.ts';
import { MemoryWebhookRecords } from '../../testing/rfq/webhook-maker.ts';
import { openTestLedger } from '../../testing/swaps/test-ledger.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { noteFills, noteWebhookFills } from './noted-fills.ts';

describe('the fills that are noted in the ledger', () => {
  const timers = openForEach(() => new ManualTimers());
  const test = openForEach(() => openTestLedger('sqlite', timers), 'cleanUp');
  const ledger = openForEach(() => test.open(), 'close');

  it('are those that a maker signed, with the time of its last look and their end', async () => {
    const records = noteFills(new MemoryRecords(), ledger);
    const offeredAt = timers.now();
    await records.begin({ ...FILL, offeredAt });
    expect(await noted()).toEqual([]);
    timers.advance(75);
    await records.sign('swap', Uint8Array.of(4));
    expect(await noted()).toMatchObject([
      {
        makerId: MAKER_ID,
        fill: { state: 'offered', offeredAt, answeredAt: offeredAt + 75, answer: 'signed' },
      },
    ]);
    await records.end('swap', { state: 'confirmed', answer: SWAPPED });
    expect(await noted()).toMatchObject([{ fill: { state: 'confirmed', signature: 'sig', failure: null } }]);
    expect(await findOrder(ledger, ORDER.requestId)).toMatchObject({ execution: { result: { code: 0 } } });
    // Only the first end is recorded, and noted.
    await records.end('swap', { state: 'failed', answer: MISSED });
    expect(await noted()).toMatchObject([{ fill: { state: 'confirmed' } }]);
  });

  it('are not those that were recorded and not offered', async () => {
    const records = noteFills(new MemoryRecords(), ledger);
    await records.begin({ ...FILL, offeredAt: timers.now() });
    expect(await records.discard('swap')).toBe(true);
    await records.end('swap', { state: 'expired', answer: MISSED });
    expect(await noted()).toEqual([]);
  });

  it.each(['unfinished', 'byRequest'] as const)(
    'have the end that a later process finds, when the one that offered it was killed: %s',
    async (found) => {
      const kept = new MemoryRecords();
      const killed = { offered: () => {}, answered: () => {}, filled: () => {} };
      const offeredAt = timers.now();
      await noteFills(kept, killed).begin({ ...FILL, offeredAt });
      const records = noteFills(kept, ledger);
      await (found === 'unfinished' ? records.unfinished() : records.byRequest(ORDER.requestId));
      await records.end('swap', { state: 'expired', answer: MISSED });
      expect(await noted()).toMatchObject([
        { fill: { state: 'expired', offeredAt, answeredAt: null, failure: 'it did not land', paid: null } },
      ]);
    },
  );

  it('by webhook have the amounts of their order, and what the maker answered', async () => {
    const records = noteWebhookFills(new MemoryWebhookRecords(), ledger, () => 0.000_2);
    const offeredAt = timers.now();
    await records.begin({ ...WEBHOOK_FILL, excuse: null, offeredAt });
    timers.advance(30);
    await records.note(ORDER.requestId, 'accepted', null);
    timers.advance(5);
    await records.note(ORDER.requestId, 'unanswered', null);
    await records.end(ORDER.requestId, { answer: SWAPPED });
    expect(await noted()).toMatchObject([
      {
        channel: 'webhook',
        fill: {
          state: 'confirmed',
          answeredAt: offeredAt + 30,
          answer: 'accepted',
          paid: { mint: ORDER.outputMint, atoms: 2n },
          received: { mint: ORDER.inputMint, atoms: 1_000n },
          microDollars: 200_000n,
        },
      },
    ]);
  });

  it.each([
    ['expired', MISSED],
    ['failed', { ...MISSED, slot: 5n }],
  ])('by webhook moved nothing when they %s', async (state, answer) => {
    const records = noteWebhookFills(new MemoryWebhookRecords(), ledger, () => null);
    await records.begin({ ...WEBHOOK_FILL, excuse: null, offeredAt: timers.now() });
    await records.end(ORDER.requestId, { answer });
    expect(await noted()).toMatchObject([{ fill: { state, paid: null, received: null } }]);
  });

  const noted = () => listBidsOfOrder(ledger, ORDER.requestId);
});

const ORDER = createFillOrder('request');
const FILL = {
  swapUuid: 'swap',
  requestId: ORDER.requestId,
  makerId: ORDER.coSigner.makerId,
  order: ORDER,
  offered: Uint8Array.of(1, 2, 3),
};
const { coSigner, ...UNSIGNED } = ORDER;
const WEBHOOK_FILL = {
  requestId: ORDER.requestId,
  makerId: MAKER_ID,
  offered: Uint8Array.of(1, 2, 3),
  order: {
    ...UNSIGNED,
    webhookFill: {
      makerId: MAKER_ID,
      quoteId: 'quote',
      terms: coSigner,
      inAmount: 1_000n,
      outAmount: 2n,
      fee: { mint: ORDER.inputMint, amount: 0n },
    },
  },
};
const MISSED = createSwapFailure(Code.MAKER_FAILED_TO_LAND, 'it did not land', 'sig');
const SWAPPED: ExecutionResult = { kind: 'succeeded', signature: 'sig', slot: 1n, amounts: null };
