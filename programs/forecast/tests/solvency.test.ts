import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { HouseModel } from './house-model.ts';
import { ONE, OPEN_PRICE } from './world.ts';

describe('the vaults of rounds of 5 and of 15 minutes', () => {
  it('always hold what either side would win, and pay it; no USDC is made or lost', () => {
    const seen = new Map<string, number>();
    assertProperty(
      fc.property(
        terms,
        fc.array(step, { minLength: 20, maxLength: 50 }),
        fc.tuple(end, end),
        (numbers, steps, ends) => {
          const model = new HouseModel(numbers);
          for (const each of steps) {
            model.run(each);
            model.check();
          }
          for (const [at, { isVoid, moved, callers }] of ends.entries()) {
            model.end(at, isVoid ? null : OPEN_PRICE + BigInt(moved), callers);
          }
          model.checkEmpty();
          for (const each of model.seen) seen.set(each, (seen.get(each) ?? 0) + 1);
        },
      ),
      { cases: 100, short: 12, seed: 0x501f },
    );
    expect([...seen.keys()].sort()).toEqual([
      'burn',
      'buy',
      'donate',
      'down',
      'move',
      'sell',
      'sell-all',
      'send',
      'up',
      'void',
    ]);
  });
});

const amount = fc
  .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 99 }))
  .map(([magnitude, digits]) => BigInt(digits) * 10n ** BigInt(magnitude));
const trader = fc.nat({ max: 2 });
const side = fc.constantFrom('up' as const, 'down' as const);
const index = fc.constantFrom(0, 1);

const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('buy' as const), index, trader, side, amount }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('sell' as const), index, trader, side, amount }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sell-all' as const), index, trader, side }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('burn' as const), index, trader, side, amount }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('send' as const), index, trader, side, amount }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('donate' as const), index, trader, amount }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      seconds: fc.integer({ min: 0, max: 30 }),
      /** Of the open price, in millionths. */
      moved: fc.integer({ min: -4_000, max: 4_000 }),
    }),
  },
);

const end = fc.record({
  isVoid: fc.boolean(),
  moved: fc.integer({ min: -1, max: 1 }),
  callers: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
});

const terms = fc.record({
  funding: fc.constantFrom(0n, 50n * ONE, 5_000n * ONE),
  halfSpread: fc.constantFrom(0, 10_000),
  slope: fc.constantFrom(0, 10_000, 2_000_000),
});
