import { describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { openForEach } from '../../testing/opened.ts';
import { ALICE, BOB, createMarketHash } from '../../testing/predictions/test-prediction-accounts.ts';
import { createTestFill, LANDED_AT } from '../../testing/predictions/test-history.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { MarketVolumes } from '../following/market-volumes.ts';
import type { HistorySelection } from '../lists/prediction-lists.ts';
import { PredictionHistoryRecorder } from './history-recorder.ts';
import { PredictionHistoryRecords } from './history-records.ts';
import { removeOldPredictionEvents } from './history-removal.ts';
import type { PredictionHistoryStep } from './history-steps.ts';
import { toHour } from './totals/trading-periods.ts';

const START = { signature: null, slot: 0n };
const ALL: HistorySelection = { owner: null, position: null, id: null, start: 0, end: 100 };

describe.each(STORES)('the history of prediction markets on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('has every figure of an event as it was recorded, the newest first', async () => {
    const { record, records } = open();
    const sale = createTestFill(2, {
      isBuy: false,
      realizedPnl: -5n,
      realizedPnlBeforeFees: 3n,
      transferred: null,
      grossProceeds: 18_446_744_073_709_551_615n,
    });
    const claim = createTestFill(3, {
      eventType: 'payout_claimed',
      order: '',
      payout: 7n,
      settledContracts: 7n,
    });
    await record(createTestFill(1), sale, claim);
    expect(await records.list(ALL)).toEqual({
      events: [
        { ...claim, id: 3 },
        { ...sale, id: 2 },
        { ...createTestFill(1), id: 1 },
      ],
      total: 3,
    });
    expect(await records.listOfOrder('order 2' as Address)).toEqual([{ ...sale, id: 2 }]);
    expect(await records.listOfOrder('' as Address)).toEqual([]);
  });

  it('lists pages of everybody, of a wallet, of a position and of one event', async () => {
    const { record, records } = open();
    for (let number = 1; number <= 5; number++) {
      await record(createTestFill(number, { owner: number % 2 === 0 ? BOB : ALICE }));
    }
    const list = async (change: Partial<HistorySelection>) => {
      const { events, total } = await records.list({ ...ALL, ...change });
      return [events.map(({ id }) => id), total];
    };
    expect(await list({ start: 1, end: 3 })).toEqual([[4, 3], 5]);
    expect(await list({ start: 4, end: 9 })).toEqual([[1], 5]);
    expect(await list({ start: 5, end: 9 })).toEqual([[], 5]);
    expect(await list({ owner: ALICE, start: 1, end: 2 })).toEqual([[3], 3]);
    expect(await list({ owner: BOB })).toEqual([[4, 2], 2]);
    expect(await list({ position: `position of ${BOB}` as Address })).toEqual([[4, 2], 2]);
    expect(await list({ owner: BOB, id: 4 })).toEqual([[4], 1]);
    expect(await list({ owner: ALICE, id: 4 })).toEqual([[], 0]);
    expect(await list({ start: 3, end: 3 })).toEqual([[], 5]);
  });

  it('records each event once, whichever instance is first', async () => {
    const one = open();
    const other = open();
    await one.recorder.begin(START);
    expect(await other.recorder.begin({ signature: 'later', slot: 9n })).toEqual(START);
    const to = { signature: 'transaction 1', slot: 1_001n };
    const recorded = await Promise.all(
      [one, other].map(({ recorder }) => recorder.record(START, to, [createTestFill(1)])),
    );
    expect(recorded.sort()).toEqual([false, true]);
    expect((await one.records.list(ALL)).total).toBe(1);
    expect(await other.recorder.findCursor()).toEqual(to);
  });

  it('names the market of a position by the fill before it in the same transaction', async () => {
    const { record, records } = open();
    const update: PredictionHistoryStep = {
      ...createTestFill(1),
      eventType: 'position_updated',
      order: '',
      marketIdHash: null,
      isBuy: true,
    };
    const sale = createTestFill(1, { isBuy: false });
    await record(sale, update, { ...update, signature: 'another' }, { ...update, position: 'another' });
    const { events } = await records.list(ALL);
    expect(events.map(({ id, eventType }) => [id, eventType])).toEqual([
      [2, 'position_updated'],
      [1, 'order_filled'],
    ]);
    expect(events[0]).toMatchObject({ marketIdHash: createMarketHash(1), isBuy: false });
  });

  it('adds up what was traded, of all time and of the last 24 hours', async () => {
    const { record, recorder, records } = open();
    const hour = toHour(LANDED_AT);
    const volumes = new MarketVolumes(records);
    expect(await volumes.refresh(hour)).toBeNull();
    expect(volumes.get(createMarketHash(1))).toEqual({ total: 0n, day: 0n });
    await record(createTestFill(1), createTestFill(2), createTestFill(3, { eventType: 'order_created' }));
    expect(await volumes.refresh(hour)).toEqual([createMarketHash(1)]);
    const sale = { isBuy: false, grossProceeds: 500_000n, timestamp: LANDED_AT + 5 * 3_600 };
    await record(createTestFill(4, sale), createTestFill(5, { marketIdHash: createMarketHash(2) }));
    expect((await volumes.refresh(hour + 5))?.length ?? 0).toBe(0);
    expect(volumes.get(createMarketHash(1))).toEqual({ total: 2_500_000n, day: 2_500_000n });
    expect(await volumes.refresh(hour + 5)).toEqual([]);
    expect(await volumes.refresh(hour + 24)).toBeNull();
    expect(volumes.get(createMarketHash(1))).toEqual({ total: 2_500_000n, day: 500_000n });
    const later = new MarketVolumes(records);
    await later.refresh(hour + 24);
    expect(later.get(createMarketHash(1))).toEqual({ total: 2_500_000n, day: 500_000n });
    await recorder.forget(await at(recorder));
    expect(await volumes.refresh(hour + 24)).toBeNull();
    expect(volumes.get(createMarketHash(1))).toEqual({ total: 0n, day: 0n });
    expect(await records.list(ALL)).toEqual({ events: [], total: 0 });
  });

  it('forgets what was traded on markets that nobody can ask for, in each new hour', async () => {
    const { record, records } = open();
    const hour = toHour(LANDED_AT);
    const known = new Set([createMarketHash(1), createMarketHash(2)]);
    const volumes = new MarketVolumes(records, (hash) => known.has(hash));
    await record(createTestFill(1), createTestFill(2, { marketIdHash: createMarketHash(2) }));
    await volumes.refresh(hour);
    known.delete(createMarketHash(2));
    await volumes.refresh(hour);
    expect(volumes.get(createMarketHash(2)).total).toBe(1_000_000n);
    await volumes.refresh(hour + 1);
    expect(volumes.get(createMarketHash(2)).total).toBe(0n);
    expect(volumes.get(createMarketHash(1)).total).toBe(1_000_000n);
  });

  it('removes the oldest events by their age, and keeps the sums', async () => {
    const { record, records } = open();
    const day = 86_400;
    await record(
      createTestFill(1),
      createTestFill(2, { timestamp: LANDED_AT + 9 * day }),
      createTestFill(3, { timestamp: LANDED_AT }),
    );
    const remove = (historyDays: number) =>
      removeOldPredictionEvents(tested.store, {
        network: 'n',
        now: BigInt(LANDED_AT + 10 * day),
        historyDays,
        isStopped: () => false,
      });
    await remove(0);
    expect((await records.list(ALL)).total).toBe(3);
    await remove(5);
    expect((await records.list(ALL)).events.map(({ id }) => id)).toEqual([3, 2]);
    const volumes = new MarketVolumes(records);
    await volumes.refresh(toHour(LANDED_AT));
    expect(volumes.get(createMarketHash(1))).toEqual({ total: 3_000_000n, day: 1_000_000n });
  });

  it('refuses pages that are too far behind for a wallet', async () => {
    const { record, records } = open();
    await record(createTestFill(1));
    const page = { ...ALL, start: 10_001, end: 10_002 };
    await expect(records.list({ ...page, owner: ALICE })).rejects.toThrow('only the newest 10000 events');
    expect(await records.list({ ...page, owner: ALICE, start: 10_000 })).toEqual({ events: [], total: 1 });
    expect(await records.list(page)).toEqual({ events: [], total: 1 });
  });

  function open() {
    const recorder = new PredictionHistoryRecorder(tested.store, 'n');
    const records = new PredictionHistoryRecords(tested.store, 'n');
    const record = async (...steps: readonly PredictionHistoryStep[]) => {
      await recorder.begin(START);
      const { signature, slot } = steps.at(-1) ?? createTestFill(0);
      expect(await recorder.record(await at(recorder), { signature, slot }, steps)).toBe(true);
    };
    return { recorder, records, record };
  }

  async function at(recorder: PredictionHistoryRecorder) {
    const cursor = await recorder.findCursor();
    if (cursor === null) throw new Error('the test has no cursor');
    return cursor;
  }
});
