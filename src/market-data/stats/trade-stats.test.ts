import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { type Trade, WINDOW_MINUTES, WINDOW_NAMES, type WindowName } from '../trades/trade.ts';
import { MAX_TRADES_A_MINUTE } from './bots.ts';
import { TradeStats, type TradeStatsOptions } from './trade-stats.ts';

describe('TradeStats', () => {
  it('equals a count over all trades, for every window', () => {
    const one = fc.record({
      kind: fc.constantFrom('buy' as const, 'sell' as const),
      trader: fc.integer({ min: 10, max: 20 }),
      dollars: fc.integer({ min: 1, max: 1_000_000 }),
      wait: fc.integer({ min: 0, max: 4_000 }),
      isRoundTrip: fc.constantFrom(false, false, false, true),
    });
    assertProperty(
      fc.property(fc.array(one, { maxLength: 120 }), fc.integer({ min: 0, max: 4_000 }), (list, after) => {
        const clock = { now: START };
        const stats = statsAt(clock);
        const made = list.map(({ wait, trader, ...each }) => {
          clock.now += wait;
          const next = trade({ ...each, trader: address(trader), time: clock.now });
          stats.add(next);
          return next;
        });
        clock.now += after;
        for (const name of WINDOW_NAMES) {
          expect(stats.window(TOKEN, name) ?? 0).toEqual(
            made.length === 0 ? 0 : counted(made, name, clock.now),
          );
        }
      }),
      { cases: 200, seed: 61, against: 'a count over all trades' },
    );
  });

  it('forgets old minutes of a token that is always traded, even if they are never written', () => {
    const clock = { now: START };
    const stats = statsAt(clock);
    stats.keepFrom(0);
    for (let minute = 0; minute < 10_000; minute++) {
      clock.now += 60;
      stats.add(trade({ kind: 'buy', time: clock.now }));
    }
    expect(stats.minutes(TOKEN).length).toBeLessThanOrEqual(2 * 48 * 60 + 1);
  });

  it('counts trades that come late in their own minute, without closing it or hiding a bot', () => {
    const clock = { now: START };
    const stats = statsAt(clock);
    const first = Math.ceil(START / 60) * 60;
    clock.now = first + 90;
    const add = (time: number, slot: bigint, price: number, trader = address(10)) => {
      const made = trade({ kind: 'buy', time, slot, trader });
      stats.add(made);
      stats.setPrice(TOKEN, price, 1_000, made);
    };
    add(first + 70, 9n, 2);
    add(first + 61, 7n, 5);
    expect(stats.minutes(TOKEN)).toMatchObject([{ minute: first / 60 + 1, buys: 2, close: 2, high: 5 }]);
    for (let late = 0; late < 3; late++) add(first + late, 3n, 4, address(11));
    expect(stats.minutes(TOKEN)).toMatchObject([{ minute: first / 60, buys: 3, close: 4 }, { buys: 2 }]);
    // Those of two minutes are no bot's, although they come together.
    for (let late = 3; late < MAX_TRADES_A_MINUTE; late++) add(first + 1, 3n, 4, address(11));
    add(first - 60, 2n, 4, address(11));
    expect(stats.window(TOKEN, '1h')?.numOrganicBuyers).toBe(2);
    for (let late = 0; late < MAX_TRADES_A_MINUTE; late++) add(first - 60, 2n, 4, address(12));
    expect(stats.window(TOKEN, '1h')?.numOrganicBuyers).toBe(3);
    add(first - 60, 2n, 4, address(12));
    expect(stats.window(TOKEN, '1h')?.numOrganicBuyers).toBe(2);
  });

  it('compares price and liquidity with those at the start of the window, and the volume with the window before', () => {
    const clock = { now: START };
    const stats = statsAt(clock);
    expect(stats.window(TOKEN, '5m')).toBeNull();
    stats.setPrice(TOKEN, 2, 1_000, null);
    stats.add(trade({ kind: 'buy', dollars: 100, time: clock.now }));
    expect(stats.window(TOKEN, '5m')).toMatchObject({ priceChange: null, volumeChange: null });
    clock.now += 360;
    stats.setPrice(TOKEN, 2.5, 1_100, null);
    stats.add(trade({ kind: 'sell', dollars: 150, time: clock.now }));
    expect(stats.window(TOKEN, '5m')).toMatchObject({ priceChange: 25, volumeChange: null });
    expect(stats.window(TOKEN, '5m')?.liquidityChange).toBeCloseTo(10);
    clock.now += 360;
    expect(stats.window(TOKEN, '5m')).toMatchObject({ priceChange: 0, volumeChange: -100, numSells: 0 });
  });

  it('counts as bots who trade often, back within a transaction, or around others, for a day', () => {
    const clock = { now: START };
    const stats = statsAt(clock);
    for (let count = 0; count <= MAX_TRADES_A_MINUTE; count++) {
      stats.add(trade({ kind: 'buy', trader: address(11), time: clock.now }));
      if (count === 0) expect(stats.window(TOKEN, '1h')?.numOrganicBuyers).toBe(1);
    }
    stats.add(trade({ kind: 'buy', trader: address(12), isRoundTrip: true }));
    stats.add(trade({ kind: 'buy', trader: address(13), isSandwich: true }));
    stats.add(trade({ kind: 'buy', trader: address(14) }));
    expect(stats.window(TOKEN, '1h')).toMatchObject({
      numTraders: 4,
      numOrganicBuyers: 1,
      buyOrganicVolume: 10,
    });
    clock.now += 86_460 + 60;
    stats.add(trade({ kind: 'buy', trader: address(12), time: clock.now }));
    expect(stats.window(TOKEN, '1h')).toMatchObject({ numTraders: 1, numOrganicBuyers: 1 });
  });

  it('leaves out figures about wallets where a trader is not known', () => {
    const clock = { now: START };
    const stats = statsAt(clock);
    stats.add(trade({ kind: 'buy', time: clock.now }));
    clock.now += 600;
    stats.add(trade({ kind: 'buy', time: clock.now, trader: null, isRoundTrip: null, isSandwich: null }));
    expect(stats.window(TOKEN, '1h')).toMatchObject({
      buyVolume: 20,
      numBuys: 2,
      numTraders: null,
      numNetBuyers: null,
      buyOrganicVolume: null,
    });
  });

  it('drops the wallets of the oldest minutes, and then whole tokens, rather than grow without bound', () => {
    const clock = { now: START };
    const stats = statsAt(clock, { maxWalletMinutes: 10, maxTokens: 3 });
    for (let minute = 0; minute < 20; minute++) {
      stats.add(trade({ kind: 'buy', time: clock.now }));
      clock.now += 60;
    }
    expect(stats.window(TOKEN, '5m')?.numTraders).toBe(1);
    expect(stats.window(TOKEN, '1h')?.numTraders).toBeNull();
    expect(stats.window(TOKEN, '5m')?.numBuys).toBe(5);
    const few = statsAt(clock, { maxTokens: 3 });
    for (let tag = 30; tag < 40; tag++) few.setPrice(address(tag), 1, 1, null);
    expect(few.mints()).toEqual([37, 38, 39].map(address));
  });

  it('keeps the tokens that are used, however many others are traded once', () => {
    const clock = { now: START };
    const stats = statsAt(clock, { maxTokens: 3 });
    for (let tag = 30; tag < 40; tag++) {
      stats.add(trade({ kind: 'buy', time: clock.now }));
      stats.setPrice(address(tag), 1, 1, null);
      clock.now += 60;
    }
    expect(stats.mints()).toContain(TOKEN);
    expect(stats.window(TOKEN, '1h')).toMatchObject({ numBuys: 10, numTraders: 1 });
  });

  it('lists each token once, also while prices are recorded', () => {
    const clock = { now: START };
    const stats = statsAt(clock);
    for (let tag = 30; tag < 33; tag++) stats.setPrice(address(tag), 1, 1, null);
    const listed: Address[] = [];
    for (const mint of stats.mints()) {
      clock.now += 60;
      stats.setPrice(mint, 2, 1, null);
      listed.push(mint);
    }
    expect(listed).toEqual([30, 31, 32].map(address));
  });

  it('has no window of a token that may have been forgotten with trades in it', () => {
    const clock = { now: START };
    const stats = statsAt(clock, { maxTokens: 3 });
    stats.add(trade({ kind: 'buy', time: clock.now }));
    for (let tag = 30; tag < 33; tag++) stats.setPrice(address(tag), 1, 1, null);
    clock.now += 600;
    stats.add(trade({ kind: 'buy', time: clock.now }));
    expect(stats.window(TOKEN, '5m')).toMatchObject({ numBuys: 1 });
    expect(stats.window(TOKEN, '1h')).toBeNull();
    clock.now += 3_600;
    expect(stats.window(TOKEN, '1h')).toMatchObject({ numBuys: 1, volumeChange: null });
  });
});

const address = (tag: number): Address => toAddress(new Uint8Array(32).fill(tag));
const [TOKEN, DOLLAR, POOL] = [address(1), address(2), address(3)];
const START = 1_800_000_000;
const BOUNDS = { maxTokens: 100, maxWalletMinutes: 100_000, maxBots: 1_000 };

function statsAt(clock: { now: number }, options: Partial<TradeStatsOptions> = {}): TradeStats {
  return new TradeStats({ now: () => clock.now, ...BOUNDS, ...options });
}

function trade(changes: Partial<Trade> & { kind: 'buy' | 'sell' }): Trade {
  const [token, dollar] = [
    { mint: TOKEN, amount: 1_000n },
    { mint: DOLLAR, amount: 5_000n },
  ];
  const { kind, ...rest } = changes;
  return {
    pool: POOL,
    venue: 'Raydium CP',
    paid: kind === 'buy' ? dollar : token,
    received: kind === 'buy' ? token : dollar,
    dollars: 10,
    trader: address(10),
    signature: null,
    slot: 1n,
    time: START,
    isRoundTrip: false,
    isSandwich: false,
    ...rest,
  };
}

/** The same figures, from the trades themselves. */
function counted(trades: readonly Trade[], name: WindowName, now: number) {
  const length = WINDOW_MINUTES[name] * 60;
  const from = Math.floor(now / 60) * 60 - length;
  const inside = trades.filter(({ time }) => time >= from);
  const of = (kind: 'buy' | 'sell', some = inside) =>
    some.filter(({ received }) => (received.mint === TOKEN) === (kind === 'buy'));
  const dollars = (some: readonly Trade[]) => some.reduce((total, each) => total + (each.dollars ?? 0), 0);
  const wallets = [...new Set(inside.map(({ trader }) => trader))];
  const isBot = (wallet: Address | null) =>
    trades.some(
      (each) =>
        each.trader === wallet &&
        Math.floor(each.time / 60) + 1_440 >= Math.floor((trades.at(-1)?.time ?? 0) / 60) &&
        (each.isRoundTrip === true ||
          trades.filter(
            ({ trader, time }) => trader === wallet && Math.floor(time / 60) === Math.floor(each.time / 60),
          ).length > MAX_TRADES_A_MINUTE),
    );
  const organic = inside.filter(({ trader }) => !isBot(trader));
  const tradesOf = (wallet: Address | null) => inside.filter(({ trader }) => trader === wallet);
  return {
    priceChange: null,
    liquidityChange: null,
    volumeChange: expect.toSatisfy(() => true),
    buyVolume: dollars(of('buy')),
    sellVolume: dollars(of('sell')),
    numBuys: of('buy').length,
    numSells: of('sell').length,
    buyOrganicVolume: dollars(of('buy', organic)),
    sellOrganicVolume: dollars(of('sell', organic)),
    numTraders: wallets.length,
    numOrganicBuyers: new Set(of('buy', organic).map(({ trader }) => trader)).size,
    numNetBuyers: wallets.filter(
      (wallet) => dollars(of('buy', tradesOf(wallet))) > dollars(of('sell', tradesOf(wallet))),
    ).length,
  };
}
