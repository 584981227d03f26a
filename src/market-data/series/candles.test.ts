import { describe, expect, it } from 'vitest';
import { getSeeds, startSeed } from '../../testing/random.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { openTestStore, STORES, type TestStore } from '../../testing/store/test-store.ts';
import { TradeStats } from '../stats/trade-stats.ts';
import { BarStore } from './bar-store.ts';
import { HOUR, MINUTE } from './bars.ts';
import { Series } from './series.ts';
import { takeTrade, TOKEN } from '../../testing/market-data/trade.ts';
import { openForEach } from '../../testing/opened.ts';

describe.each(STORES)('candles on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');
  const world = openForEach(() => new World(tested));

  it.each(SEEDS)(
    'equal those computed from the trades themselves, over six days with restarts, seed %i',
    async (seed) => {
      startSeed(seed);
      const random = randomNumbers(seed);
      const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
      while (world.now < START + 6 * 24 * HOUR) {
        for (let left = between(1, 4); left > 0; left--) {
          world.trade(between(1, 1_000), between(1, 100));
          world.now += between(0, 20);
        }
        await world.pass(between(0, 3) === 0 ? between(1, 5 * HOUR) : between(1, 20 * MINUTE));
        if (between(0, 60) === 0)
          await world.restart(between(0, 1) === 0 ? between(0, 600) : between(HOUR, 60 * HOUR));
        if (between(0, 3) !== 0) continue;
        for (const length of LENGTHS) {
          const from = world.now - between(0, length < HOUR ? KEPT_MINUTES : 6 * 24 * HOUR);
          const to = between(0, 1) === 0 ? world.now : between(from, world.now);
          const range = { from, to };
          expect(await world.candles(length, range), JSON.stringify({ seed, length, range })).toEqual(
            world.expected(length, range),
          );
        }
      }
    },
  );

  it('keep the hour in which the process ended, after nothing ran for longer than minutes are kept', async () => {
    world.trade(2, 10);
    await world.restart(72 * HOUR);
    world.trade(5, 10);
    const range = { from: START, to: world.now };
    expect(await world.candles(HOUR, range)).toEqual(world.expected(HOUR, range));
    expect(await world.candles(24 * HOUR, range)).toEqual(world.expected(24 * HOUR, range));
  });

  it('are whole at both ends of the range, wherever within them it begins and ends', async () => {
    for (let minute = 0; minute < 240; minute++) {
      world.trade(minute + 1, 1);
      await world.pass(MINUTE);
    }
    for (const length of LENGTHS) {
      const range = { from: START + 70 * MINUTE + 7, to: START + 130 * MINUTE + 7 };
      expect(await world.candles(length, range), String(length)).toEqual(world.expected(length, range));
    }
  });
});

/** The beginning of a day. */
const START = 20_000 * 24 * HOUR;
const LENGTHS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 24 * HOUR];
const KEPT_MINUTES = 48 * HOUR;
/** These in every run, and one of the run itself in the long one. */
const SEEDS = [...new Set([1, 2, 3, ...getSeeds({ cases: 1, seed: 1 })])];

interface Trade {
  readonly time: number;
  readonly price: number;
  readonly dollars: number;
}

/** A token's trades as a running process takes them in, and beside it the list of them. */
class World {
  readonly #tested: TestStore;
  readonly trades: Trade[] = [];
  now = START;
  #slot = 0n;
  #series: Series;
  #stats: TradeStats;

  constructor(tested: TestStore) {
    this.#tested = tested;
    [this.#series, this.#stats] = this.#open(tested.store);
  }

  #open(store: TestStore['store']): [Series, TradeStats] {
    const now = () => this.now;
    const stats = new TradeStats({ now, maxTokens: 10, maxWalletMinutes: 10_000, maxBots: 10 });
    const onDefect = (error: unknown) => {
      throw error;
    };
    const slot = () => this.#slot;
    const stored = new BarStore(store, 'a network');
    return [
      new Series({
        store: stored,
        stats,
        now,
        slot,
        lastComplete: null,
        knowsTrades: () => true,
        timers: new ManualTimers(),
        onDefect,
      }),
      stats,
    ];
  }

  trade(price: number, dollars: number): void {
    this.#slot++;
    this.trades.push({ time: this.now, price, dollars });
    takeTrade(this.#stats, { price, dollars, slot: this.#slot, time: this.now });
  }

  async pass(seconds: number): Promise<void> {
    this.now += seconds;
    await this.#series.flush();
  }

  /** Ends the process once its last minute is written, and starts it again after that many seconds. */
  async restart(seconds: number): Promise<void> {
    await this.pass(2 * MINUTE);
    await this.#series.close();
    this.now += seconds;
    [this.#series, this.#stats] = this.#open(await this.#tested.reopen());
    await this.#series.restore();
    await this.#series.flush();
  }

  async candles(length: number, range: { readonly from: number; readonly to: number }) {
    const bars = await this.#series.candles(TOKEN, length, range);
    return bars.map(({ start, open, high, low, close, buyVolume, buys }) => {
      return { start, open, high, low, close, buyVolume, buys };
    });
  }

  /** The same, computed from the list of trades. */
  expected(length: number, { from, to }: { readonly from: number; readonly to: number }) {
    const starts = new Set(this.trades.map(({ time }) => Math.floor(time / length) * length));
    return [...starts].flatMap((start) => {
      if (start + length <= from || start > to) return [];
      if (length < HOUR && start < this.now - KEPT_MINUTES) return [];
      const inside = this.trades.filter(({ time }) => time >= start && time < start + length);
      const prices = inside.map(({ price }) => price);
      return [
        {
          start,
          open: prices[0],
          high: Math.max(...prices),
          low: Math.min(...prices),
          close: prices.at(-1),
          buyVolume: inside.reduce((sum, { dollars }) => sum + dollars, 0),
          buys: inside.length,
        },
      ];
    });
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
