import { describe, expect, it } from 'vitest';
import type { PredictionEvent, PredictionPrices } from '../../predictions/prediction.ts';
import { createTestForecast } from '../../testing/forecasts/test-forecast-rounds.ts';
import { openForEach } from '../../testing/opened.ts';
import { createTestEvent } from '../../testing/predictions/test-events.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { toForecastEvent } from '../events/forecast-event.ts';
import { openForecastSeries } from './forecast-series.ts';
import { ForecastSeriesRecords } from './series-records.ts';

const OPEN_AT = 1_800_000_000;
const ROUND = toForecastEvent(createTestForecast({ openAt: OPEN_AT }), 'open');
const OTHER = createTestEvent(1);
const [UP, ABOVE] = [ROUND, OTHER].map(({ markets }) => markets[0]?.marketId ?? '') as [string, string];

describe.each(STORES)('openForecastSeries on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('records a side of a round every 15 seconds, and another market every minute, when they have changed', async () => {
    const { series, pass, prices } = open([ROUND, OTHER]);
    prices.set(UP, offer(520_000n, 500_001n));
    prices.set(ABOVE, offer(400_000n, 380_000n));
    await pass(5);
    prices.set(UP, offer(620_000n, 600_000n));
    prices.set(ABOVE, offer(410_000n, 390_000n));
    await pass(15);
    await pass(45);
    expect([series.periodOf(UP), series.periodOf(ABOVE)]).toEqual([15, 60]);
    expect(await series.list(UP)).toEqual([
      { at: OPEN_AT, price: 510_000n },
      { at: OPEN_AT + 15, price: 610_000n },
    ]);
    expect(await series.list(ABOVE)).toEqual([
      { at: OPEN_AT, price: 390_000n },
      { at: OPEN_AT + 60, price: 400_000n },
    ]);
    await series.close();
  });

  it('takes the one price that there is, and none of a market that is not traded', async () => {
    const { series, pass, prices } = open([ROUND]);
    await pass(5);
    prices.set(UP, offer(990_000n, null));
    await pass(15);
    prices.set(UP, offer(null, 10_000n));
    await pass(15);
    prices.set(UP, offer(null, null));
    await pass(15);
    await pass(300);
    expect(await series.list(UP)).toEqual([
      { at: OPEN_AT + 15, price: 990_000n },
      { at: OPEN_AT + 30, price: 10_000n },
    ]);
    expect(await series.list('BISON-unknown-UP')).toEqual([]);
    await series.close();
  });

  it('is one record of several instances', async () => {
    const opened = [open([ROUND]), open([ROUND])];
    for (const { prices } of opened) prices.set(UP, offer(520_000n, 500_000n));
    await Promise.all(opened.map(({ pass }) => pass(5)));
    for (const { series } of opened) {
      expect(await series.list(UP)).toEqual([{ at: OPEN_AT, price: 510_000n }]);
      await series.close();
    }
  });

  it('removes the prices of rounds after a week, and keeps those of other markets longer', async () => {
    const { series, pass, prices } = open([ROUND, OTHER]);
    prices.set(UP, offer(520_000n, 500_000n));
    prices.set(ABOVE, offer(400_000n, 380_000n));
    await pass(5);
    prices.clear();
    await pass(8 * 86_400);
    expect(await series.list(UP)).toEqual([]);
    expect(await series.list(ABOVE)).toHaveLength(1);
    await series.close();
  });

  it('tries again what could not be written', async () => {
    const { series, pass, prices, fail } = open([ROUND]);
    prices.set(UP, offer(520_000n, 500_000n));
    fail(true);
    await pass(5);
    fail(false);
    await pass(5);
    expect(await series.list(UP)).toEqual([{ at: OPEN_AT, price: 510_000n }]);
    await series.close();
  });

  function open(events: readonly PredictionEvent[]) {
    const timers = new ManualTimers();
    const prices = new Map<string, PredictionPrices>();
    const records = new ForecastSeriesRecords(tested.store, 'n');
    let second = OPEN_AT;
    let isFailing = false;
    let runs = 0;
    const series = openForecastSeries({
      records: {
        list: (hash) => records.list(hash),
        removeOld: (now) => records.removeOld(now),
        add: async (entries) => {
          if (isFailing) throw new Error('no database');
          await records.add(entries);
        },
      },
      events: {
        listEvents: () => events,
        findMarket: (id) =>
          events.flatMap(({ markets }) => markets).find(({ marketId }) => marketId === id) ?? null,
      },
      exchange: { getPrices: (id) => prices.get(id) ?? null },
      now: () => second,
      timers,
      outage: { onFailure: () => runs++, onAnswer: () => runs++ },
    });
    /** Lets a run happen, and time pass after it. */
    const pass = async (seconds: number) => {
      if (runs > 0) second += seconds;
      const before = runs;
      timers.advance(5_000);
      await expect.poll(() => runs).toBe(before + 1);
    };
    const fail = (failing: boolean) => {
      isFailing = failing;
    };
    return { series, pass, prices, fail };
  }
});

function offer(buyYes: bigint | null, sellYes: bigint | null): PredictionPrices {
  return { buyYes, sellYes, buyNo: null, sellNo: null };
}
