import { beforeEach, describe, expect, it } from 'vitest';
import type { TimeRange } from '../../chain/reported-transactions.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { toAddress } from '../../solana/address.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { TradeStats } from '../stats/trade-stats.ts';
import { BarStore } from './bar-store.ts';
import { HOUR, MINUTE } from './bars.ts';
import { Series } from './series.ts';
import { takeTrade, TOKEN } from '../../testing/market-data/trade.ts';
import { openForEach } from '../../testing/opened.ts';

describe.each(STORES)('Series on %s', (kind) => {
  let clock: { now: number; slot: bigint };
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');
  beforeEach(setUp);

  it('joins the trades of a minute, and minutes to longer candles', async () => {
    const { stats, series } = open();
    for (const price of [2, 5, 1, 3]) trade(stats, price);
    clock.now += 90;
    trade(stats, 4, 30);
    const range = { from: START, to: clock.now };
    expect(await series.candles(TOKEN, MINUTE, range)).toMatchObject([
      { start: START, open: 2, high: 5, low: 1, close: 3, buyVolume: 40, buys: 4 },
      { start: START + 60, open: 4, high: 4, low: 4, close: 4, buyVolume: 30, buys: 1 },
    ]);
    expect(await series.candles(TOKEN, 300, range)).toMatchObject([
      { start: START, open: 2, high: 5, low: 1, close: 4, buyVolume: 70, buys: 5 },
    ]);
  });

  it('goes on after a restart with what was written, and says after which slot to take trades in again', async () => {
    const before = open();
    expect(await before.series.restore()).toEqual({ cursor: 0n, complete: null });
    trade(before.stats, 2);
    const written = clock.slot;
    clock.now += 70;
    trade(before.stats, 3);
    await before.series.flush();
    // The process is killed: the minute that is not over is not written.
    const after = open(await tested.reopen());
    expect(await after.series.restore()).toEqual({ cursor: written, complete: null });
    expect(after.stats.minutes(TOKEN)).toMatchObject([{ open: 2, buyVolume: 10 }]);
    trade(after.stats, 3);
    expect(await after.series.candles(TOKEN, HOUR, { from: START, to: clock.now })).toMatchObject([
      { open: 2, close: 3, buyVolume: 20 },
    ]);
  });

  it('writes each bar once, whichever of several instances is first', async () => {
    const [one, other] = [open(), open()];
    trade(one.stats, 2);
    trade(other.stats, 9);
    clock.now += 70;
    await one.series.flush();
    await other.series.flush();
    await other.series.flush();
    const stored = new BarStore(tested.store, 'a network');
    const bars = await stored.read(MINUTE, TOKEN, { from: START, to: clock.now });
    expect(bars).toMatchObject([{ open: 2, close: 2 }]);
  });

  it('replaces a bar by one with more trades, and by no other', async () => {
    const [one, other] = [open(), open()];
    trade(one.stats, 2);
    for (const price of [2, 3]) trade(other.stats, price);
    clock.now += 70;
    await one.series.flush();
    await other.series.flush();
    const stored = new BarStore(tested.store, 'a network');
    const range = { from: START, to: START + 60 };
    expect(await stored.read(MINUTE, TOKEN, range)).toMatchObject([{ close: 3, buys: 2, buyVolume: 20 }]);
    // A trade that comes late, after its minute was written.
    takeTrade(one.stats, { price: 9, dollars: 10, slot: 1n, time: START });
    await one.series.flush();
    expect(await stored.read(MINUTE, TOKEN, range)).toMatchObject([{ close: 3, buys: 2 }]);
    for (const _ of [1, 2]) takeTrade(one.stats, { price: 2, dollars: 10, slot: 1n, time: START });
    await one.series.flush();
    expect(await stored.read(MINUTE, TOKEN, range)).toMatchObject([{ buys: 4, buyVolume: 40, high: 9 }]);
  });

  it('restores the trades of the time of which all were reported, and counts those that are read again once', async () => {
    const complete = { from: START + 60, to: START + 130 };
    const before = open(tested.store, () => complete);
    for (let minute = 0; minute < 4; minute++) {
      trade(before.stats, minute + 1);
      clock.now += MINUTE;
    }
    clock.now += 10;
    await before.series.flush();
    // The process is killed. The trades of the last two minutes are read again.
    const reopened = await tested.reopen();
    const after = open(reopened, () => null);
    expect((await after.series.restore()).complete).toEqual({ from: START + 60, to: START + 120 });
    expect(after.stats.minutes(TOKEN).map(({ buys, close }) => [buys, close])).toEqual([
      [1, 1],
      [1, 2],
      [0, 3],
      [0, 4],
    ]);
    takeTrade(after.stats, { price: 3, dollars: 10, slot: clock.slot, time: START + 125 });
    await after.series.flush();
    const stored = new BarStore(reopened, 'a network');
    const bars = await stored.read(MINUTE, TOKEN, { from: START, to: clock.now });
    expect(bars.map(({ buys, buyVolume }) => [buys, buyVolume])).toEqual(Array(4).fill([1, 10]));
  });

  it('keeps the stored trades of a network that tells of all its transactions, whatever another instance wrote', async () => {
    const before = open(tested.store, () => ({ from: START - 600, to: START }));
    trade(before.stats, 2);
    clock.now += 70;
    await before.series.flush();
    const after = open(await tested.reopen());
    expect((await after.series.restore()).complete).toBeNull();
    expect(after.stats.minutes(TOKEN)).toMatchObject([{ buys: 1 }]);
  });

  it('joins the times that instances have written completely', async () => {
    const store = new BarStore(tested.store, 'a network');
    const written = async (from: number, to: number) => {
      await store.write(new Map(), 1n, { from, to });
      return store.complete();
    };
    expect(await store.complete()).toBeNull();
    expect(await written(100, 200)).toEqual({ from: 100, to: 200 });
    expect(await written(150, 180)).toEqual({ from: 100, to: 200 });
    expect(await written(200, 300)).toEqual({ from: 100, to: 300 });
    expect(await written(10, 20)).toEqual({ from: 100, to: 300 });
    expect(await written(400, 500)).toEqual({ from: 400, to: 500 });
  });

  it('writes at once with another instance that knows the same tokens in another order', async () => {
    const stores =
      kind === 'postgresql' ? [tested.store, await tested.reopen()] : [tested.store, tested.store];
    const [one, other] = stores.map((store) => new BarStore(store, 'a network'));
    const bars = Array.from({ length: 1_200 }, (_, index) => ({
      mint: toAddress(
        new Uint8Array(32)
          .fill(7)
          .with(0, index % 256)
          .with(1, index >> 8),
      ),
      start: START,
      open: 1,
      high: 1,
      low: 1,
      close: 1,
      buyVolume: 5,
      sellVolume: 0,
      buys: 1,
      sells: 0,
      liquidity: null,
      slot: 7n,
    }));
    await Promise.all([
      one?.write(new Map([[MINUTE, bars]]), 7n, null),
      other?.write(new Map([[MINUTE, bars.toReversed().map((bar) => ({ ...bar, buyVolume: 6 }))]]), 8n, null),
    ]);
    const stored = await one?.readAll(MINUTE, { from: START, to: START + 60 });
    expect(stored?.length).toBe(bars.length);
    // All of them are of the instance that was first.
    expect(new Set(stored?.map(({ buyVolume }) => buyVolume)).size).toBe(1);
    expect(await one?.cursor()).toBe(8n);
  });

  it('writes an hour when it is over, and keeps minutes for 48 hours and hours for a year', async () => {
    const { stats, series } = open();
    trade(stats, 2);
    clock.now += HOUR;
    trade(stats, 6);
    clock.now += HOUR + 30;
    await series.flush();
    const stored = new BarStore(tested.store, 'a network');
    const all = { from: 0, to: clock.now };
    expect(await stored.read(HOUR, TOKEN, all)).toMatchObject([
      { start: START, close: 2 },
      { start: START + HOUR, close: 6 },
    ]);
    clock.now += 72 * HOUR;
    trade(stats, 7);
    await series.flush();
    expect(await stored.read(MINUTE, TOKEN, all)).toEqual([]);
    expect(await series.candles(TOKEN, 24 * HOUR, { from: START, to: clock.now })).toMatchObject([
      { close: 6, buyVolume: 20 },
      { close: 7, buyVolume: 10 },
    ]);
    clock.now += 366 * 24 * HOUR;
    await stored.prune(clock.now);
    expect(await stored.read(HOUR, TOKEN, all)).toEqual([]);
  });

  it('writes an hour that ended while nothing ran', async () => {
    const before = open();
    trade(before.stats, 2);
    clock.now += 70;
    await before.series.flush();
    clock.now += 5 * HOUR;
    const after = open(await tested.reopen());
    await after.series.restore();
    await after.series.flush();
    const stored = new BarStore(await tested.reopen(), 'a network');
    expect(await stored.read(HOUR, TOKEN, { from: 0, to: clock.now })).toMatchObject([
      { start: START, close: 2, buys: 1 },
    ]);
  });

  it.each([1, 49, 24 * 30])(
    'writes all minutes and hours when the clock leaps by %i hours',
    async (hours) => {
      const { stats, series } = open();
      trade(stats, 2);
      clock.now += 70;
      trade(stats, 3);
      await series.flush();
      clock.now += 70;
      trade(stats, 4);
      // The clock leaps, and a trade arrives, before the last minutes are written.
      clock.now += hours * HOUR;
      trade(stats, 5);
      await series.flush();
      const stored = new BarStore(tested.store, 'a network');
      expect(await stored.read(HOUR, TOKEN, { from: 0, to: clock.now })).toMatchObject([
        { start: START, open: 2, close: 4, buys: 3, buyVolume: 30 },
      ]);
      clock.now += HOUR;
      trade(stats, 6);
      await series.flush();
      expect(await series.candles(TOKEN, HOUR, { from: START, to: clock.now })).toMatchObject([
        { close: 4 },
        { close: 5, buys: 1 },
        { close: 6, buys: 1 },
      ]);
    },
  );

  describe('over an outside RPC', () => {
    it('tells of each hour whether it has all trades, also after a restart that knows none', async () => {
      const before = open(tested.store, () => null, allAfter(START + HOUR));
      await tradeTwoHours(before);
      const known = [
        [1, false],
        [1, true],
      ];
      expect(await seen(before)).toEqual(known);
      expect(await storedHours()).toEqual(new Set([START + HOUR]));
      const after = open(
        await tested.reopen(),
        () => null,
        () => false,
      );
      await after.series.restore();
      expect(await seen(after)).toEqual(known);
      // A candle of two hours lacks what one of them lacks.
      expect(await seen(after, 2 * HOUR)).toEqual([[2, false]]);
    });

    it('waits for the last reports of an hour before it is written', async () => {
      const { stats, series } = open(tested.store, () => null);
      trade(stats, 2);
      clock.now += HOUR + 150;
      await series.flush();
      expect(await storedHours()).toEqual(new Set());
      expect(await seen({ stats, series })).toEqual([[1, true]]);
      clock.now += 50;
      await series.flush();
      expect(await storedHours()).toEqual(new Set([START]));
    });

    it('writes an hour once more when the trades that it lacked are known', async () => {
      let knownFrom = START + 1;
      const { stats, series } = open(
        tested.store,
        () => null,
        ({ from }) => from >= knownFrom,
      );
      await tradeTwoHours({ stats, series });
      expect(await storedHours()).toEqual(new Set([START + HOUR]));
      takeTrade(stats, { price: 3, dollars: 10, slot: 1n, time: START + 30 });
      knownFrom = START;
      await series.flush();
      expect(await storedHours()).toEqual(new Set([START, START + HOUR]));
      const bars = await new BarStore(tested.store, 'a network').read(HOUR, TOKEN, HOURS);
      expect(bars).toMatchObject([{ buys: 2 }, { buys: 1 }]);
    });

    it('replaces the hour of an instance that lacked trades, and is not replaced by one', async () => {
      const [lacking, knowing] = [
        open(
          tested.store,
          () => null,
          () => false,
        ),
        open(tested.store, () => null),
      ];
      trade(lacking.stats, 2);
      for (const dollars of [10, 20]) trade(knowing.stats, 2, dollars);
      clock.now += HOUR + 200;
      await lacking.series.flush();
      await knowing.series.flush();
      await lacking.series.flush();
      const [bar] = await new BarStore(tested.store, 'a network').read(HOUR, TOKEN, HOURS);
      expect(bar).toMatchObject({ buys: 2, buyVolume: 30 });
      // It knows of the mark, though it lacks the trades itself.
      expect(await seen(lacking)).toEqual([[2, true]]);
    });

    it('forgets marks after a year', async () => {
      const before = open(tested.store, () => null);
      await tradeTwoHours(before);
      await new BarStore(tested.store, 'a network').prune(START + 366 * 24 * HOUR);
      expect(await storedHours()).toEqual(new Set());
    });

    const HOURS = { from: START, to: START + 2 * HOUR };

    /** Trades of two hours, of which the first may lack some, and then more than two minutes. */
    async function tradeTwoHours({ stats, series }: ReturnType<typeof open>, count = 1): Promise<void> {
      for (let hour = 0; hour < 2; hour++) {
        for (let done = 0; done < count; done++) trade(stats, 2);
        clock.now += HOUR;
      }
      clock.now += 200;
      await series.flush();
    }

    const seen = async ({ series }: ReturnType<typeof open>, seconds = HOUR) =>
      (await series.candles(TOKEN, seconds, HOURS)).map(({ hasAllTrades, buys }) => [buys, hasAllTrades]);
    const storedHours = () => new BarStore(tested.store, 'a network').completeHours(HOURS);
    const allAfter = (time: number) => (range: TimeRange) => range.from >= time;
  });

  it('forgets nothing because an outside RPC is behind, or lies about its slot', async () => {
    const before = open();
    trade(before.stats, 2);
    clock.now += 70;
    await before.series.flush();
    clock.slot = 0n;
    const after = open(tested.store, () => null);
    await after.series.restore();
    expect(after.stats.minutes(TOKEN)).toMatchObject([{ close: 2 }]);
  });

  it('forgets a network that was founded again', async () => {
    const before = open();
    trade(before.stats, 2);
    clock.now += 70;
    await before.series.flush();
    clock.slot = 0n;
    const after = open();
    expect(await after.series.restore()).toEqual({ cursor: 0n, complete: null });
    expect(after.stats.minutes(TOKEN)).toEqual([]);
  });

  function setUp(): void {
    clock = { now: START, slot: 1n };
  }

  function open(
    store = tested.store,
    lastComplete: (() => TimeRange | null) | null = null,
    knowsTrades: (range: TimeRange) => boolean = () => true,
  ) {
    const stats = new TradeStats({
      now: () => clock.now,
      maxTokens: 100,
      maxWalletMinutes: 10_000,
      maxBots: 10,
    });
    const series = new Series({
      store: new BarStore(store, 'a network'),
      stats,
      now: () => clock.now,
      slot: () => clock.slot,
      lastComplete,
      knowsTrades,
      timers: new ManualTimers(),
      onDefect: (error) => {
        throw error;
      },
    });
    return { stats, series };
  }

  function trade(stats: TradeStats, price: number, dollars = 10): void {
    clock.slot++;
    takeTrade(stats, { price, dollars, slot: clock.slot, time: clock.now });
  }
});

/** The beginning of an hour. */
const START = 500_000 * HOUR;
