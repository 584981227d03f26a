import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minimum } from '../../../src/solana/units.ts';
import { assertProperty } from '../../../src/testing/random.ts';
import { ForecastWorld, ONE, OPEN_PRICE, PURSE, readForecastEvents } from './world.ts';

describe('trades while nothing changes', () => {
  it('never leave anybody with more, counting each pair of tokens as the dollar that it will pay', () => {
    const world = openWorld();
    let traded = 0;
    assertProperty(
      fc.property(moment, fc.array(step, { minLength: 2, maxLength: 30 }), (at, steps) => {
        begin(world, at);
        for (const { isUp, isBuy, isAll, amount } of steps) {
          const side = isUp ? 'up' : 'down';
          const held = isAll ? world.tokens(world.alice, side) : amount;
          const swap = isBuy ? world.buy(world.alice, side, amount) : world.sell(world.alice, side, held);
          if (world.send(swap).error === null) traded++;
          expect(getSureWealth(world)).toBeLessThanOrEqual(PURSE);
        }
      }),
      { cases: 300, short: 50, seed: 0x70b1 },
    );
    expect(traded).toBeGreaterThan(80);
  });

  it('bring nothing by waiting while the feed has no newer price', () => {
    const world = openWorld();
    let sold = 0;
    assertProperty(
      fc.property(moment, fc.boolean(), fc.integer({ min: 0, max: 60 }), amount, (at, isUp, wait, spent) => {
        begin(world, at);
        const side = isUp ? 'up' : 'down';
        if (world.send(world.buy(world.alice, side, spent)).error !== null) return;
        world.clock(BigInt(Math.min(at.second + wait, 284)));
        if (world.send(world.sell(world.alice, side, world.tokens(world.alice, side))).error === null) sold++;
        expect(world.usdc(world.alice)).toBeLessThanOrEqual(PURSE);
      }),
      { cases: 300, short: 100, seed: 0x70b3 },
    );
    expect(sold).toBeGreaterThan(20);
  });

  it('cost no less and bring no more than the exact price, in however many parts', () => {
    const world = openWorld();
    let parts = 0;
    assertProperty(
      fc.property(moment, fc.array(amount, { minLength: 1, maxLength: 20 }), (at, amounts) => {
        begin(world, at);
        const bought = trade(world, at, amounts, true);
        if (bought === null) return;
        const { usdc, contracts, exact } = bought;
        expect(usdc * AREA).toBeGreaterThanOrEqual(exact);
        const imbalance = at.up + contracts - at.down;
        const sold = trade(world, { ...at, up: imbalance, down: 0n }, split(contracts, amounts), false);
        if (sold !== null) expect(sold.usdc * AREA).toBeLessThanOrEqual(sold.exact);
        parts += amounts.length;
      }),
      { cases: 300, short: 50, seed: 0x70b2 },
    );
    expect(parts).toBeGreaterThan(50);
  });
});

/** Sums of prices over tokens are counted in this part of a millionth of a dollar. */
const AREA = 2_000_000_000_000_000n;

/**
 * Buys UP for amounts, or sells amounts of it. Returns what was moved, and what the line of prices says without any rounding for
 * as many tokens at once; null if nothing was moved.
 */
function trade(world: ForecastWorld, at: Moment, amounts: readonly bigint[], isBuy: boolean) {
  const swaps = amounts.flatMap((each) => {
    const swap = isBuy ? world.buy(world.alice, 'up', each) : world.sell(world.alice, 'up', each);
    const { error, logs } = world.send(swap);
    return error === null ? readForecastEvents(logs) : [];
  });
  const [first] = swaps;
  if (first?.kind !== 'swapped') return null;
  const sums = { usdc: 0n, contracts: 0n };
  for (const swap of swaps) {
    if (swap.kind !== 'swapped') continue;
    sums.usdc += swap.usdc;
    sums.contracts += swap.contracts;
  }
  const [spread, n, slope] = [
    BigInt(isBuy ? at.halfSpread : -at.halfSpread),
    sums.contracts,
    BigInt(at.slope),
  ];
  const line = 2_000_000_000n * (first.fairPrice + spread) + 2n * slope * (at.up - at.down);
  return { ...sums, exact: isBuy ? line * n + slope * n * n : line * n - slope * n * n };
}

function openWorld(): ForecastWorld {
  const world = new ForecastWorld();
  world.open();
  return world;
}

/** Puts the world in a moment, in which Alice has USDC only and the vault is full. */
function begin(world: ForecastWorld, at: Moment): void {
  const { halfSpread, slope } = at;
  world.set({ halfSpread, slope, upOutstanding: at.up, downOutstanding: at.down });
  world.setTokens(world.alice, 'up', 0n);
  world.setTokens(world.alice, 'down', 0n);
  world.give(world.alice, PURSE);
  world.give(world.round, 1n << 50n);
  world.publish(BigInt(at.second), OPEN_PRICE + (OPEN_PRICE * BigInt(at.moved)) / 100_000n);
}

/** Returns what Alice has whatever the result is: her USDC, and one token of each pair. */
function getSureWealth(world: ForecastWorld): bigint {
  const up = world.tokens(world.alice, 'up');
  const down = world.tokens(world.alice, 'down');
  return world.usdc(world.alice) + minimum(up, down);
}

/** Splits an amount in proportion to parts. */
function split(whole: bigint, parts: readonly bigint[]): readonly bigint[] {
  const sum = parts.reduce((all, each) => all + each, 0n);
  const shares = parts.slice(1).map((part) => (whole * part) / sum);
  return [whole - shares.reduce((all, each) => all + each, 0n), ...shares];
}

/** Amounts from a millionth to a thousand, of all magnitudes alike. */
const amount = fc
  .tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 1, max: 100 }))
  .map(([magnitude, digits]) => BigInt(digits) * 10n ** BigInt(magnitude));

/** A moment of a round that others have traded in. */
const moment = fc.record({
  moved: fc.integer({ min: -1_500, max: 1_500 }),
  second: fc.integer({ min: 0, max: 284 }),
  halfSpread: fc.constantFrom(0, 1, 10_000),
  slope: fc.oneof(fc.constantFrom(0, 10_000, 1_000_000), fc.integer({ min: 0, max: 10_000_000 })),
  up: fc.bigInt({ min: 0n, max: 5_000n * ONE }),
  down: fc.bigInt({ min: 0n, max: 5_000n * ONE }),
});
type Moment = typeof moment extends fc.Arbitrary<infer T> ? T : never;

const step = fc.record({ isUp: fc.boolean(), isBuy: fc.boolean(), isAll: fc.boolean(), amount });
