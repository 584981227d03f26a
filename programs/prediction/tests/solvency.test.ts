import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { VenueModel } from './venue-model.ts';
import { ONE } from './world.ts';

const trader = fc.nat({ max: 3 });
const market = fc.nat({ max: 2 });
const placed = fc.record({
  kind: fc.constant('place' as const),
  order: fc.record({
    trader,
    market,
    isYes: fc.boolean(),
    isBuy: fc.boolean(),
    isLimit: fc.boolean(),
    lots: fc.integer({ min: 1, max: 4_000 }),
    cents: fc.integer({ min: 1, max: 99 }),
  }),
});
const withdrawn = fc.record({ kind: fc.constant('withdraw' as const), index: fc.nat({ max: 20 }) });
const decided = fc.constantFrom(0 as const, 1 as const, 'cancelled' as const);
const resolved = fc.record({ kind: fc.constant('resolve' as const), market, decided });
const ended = fc.record({
  kind: fc.constant('end' as const),
  trader,
  market,
  isYes: fc.boolean(),
  isByOwner: fc.boolean(),
});
const step = fc.oneof(
  { weight: 24, arbitrary: placed },
  { weight: 4, arbitrary: withdrawn },
  { weight: 1, arbitrary: resolved },
  { weight: 3, arbitrary: ended },
);
const house = fc.record({
  startCents: fc.integer({ min: 1, max: 99 }),
  levelContracts: fc.constantFrom(0n, ONE, 5n * ONE),
});

/** What the random steps are sure to bring about. */
const COMMON = [
  'contracts change hands',
  'end by the keeper',
  'end by the owner',
  'outcome 0',
  'outcome 1',
  'outcome 3',
  'trade with the house',
  'two buyers make a pair',
];

describe('the vault', () => {
  it('covers every position in every outcome, and pays all of them in the end', () => {
    const seen = new Set<string>();
    assertProperty(
      fc.property(
        fc.tuple(house, house, house),
        fc.array(step, { minLength: 20, maxLength: 60 }),
        (houses, steps) => {
          const model = new VenueModel(houses);
          for (const each of steps) {
            if (each.kind === 'place') model.place(each.order);
            else if (each.kind === 'withdraw') model.withdraw(each.index);
            else if (each.kind === 'resolve') model.resolve(each.market, each.decided);
            else model.end(each.trader, each.market, each.isYes, each.isByOwner);
            model.check();
          }
          model.endAll();
          model.check();
          expect(model.world.readVault().currentContracts).toBe(0n);
          for (const each of model.seen) seen.add(each);
        },
      ),
      { cases: 300, short: 15, seed: 0x501e },
    );
    expect([...seen].sort()).toEqual(expect.arrayContaining(COMMON));
  });

  it('pays half of each contract where contracts were sold on for more than the market has taken in', () => {
    const model = new VenueModel([{ startCents: 50, levelContracts: 0n }]);
    const order = { market: 0, isLimit: true, lots: 10_000 };
    // Two buyers pay a dollar for each pair. Then the cheap side is sold on at nearly the full price.
    model.place({ ...order, trader: 0, isYes: true, isBuy: true, cents: 10 });
    model.place({ ...order, trader: 2, isYes: false, isBuy: true, cents: 90 });
    model.place({ ...order, trader: 0, isYes: true, isBuy: false, cents: 99 });
    model.place({ ...order, trader: 1, isYes: true, isBuy: true, cents: 99 });
    const [market] = model.markets;
    if (market === undefined) throw new Error('no market');
    expect(model.sum(market)).toEqual({ yes: 100n * ONE, no: 100n * ONE, cost: 189n * ONE });
    model.check();
    model.resolve(0, 'cancelled');
    expect(market.outcome).toBe(2);
    model.check();
    model.endAll();
    model.check();
  });
});
