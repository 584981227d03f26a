import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeFairUpPrice, MICRO_USD } from '../../../src/protocols/bisonfi-forecast/pricing/fair-price.ts';
import {
  computeAskPrice,
  computeBidPrice,
  computeBoughtTokens,
  computeProceeds,
  type SideTerms,
} from '../../../src/protocols/bisonfi-forecast/pricing/round-quote.ts';
import { assertProperty } from '../../../src/testing/random.ts';
import { ForecastWorld, ONE, OPEN_PRICE, START } from './world.ts';

describe('swap', () => {
  it('trades what the quotes of routes say, or refuses where they have none', () => {
    const world = new ForecastWorld();
    world.open();
    const results = { traded: 0, refused: 0 };
    assertProperty(
      fc.property(trade, (each) => {
        const side = each.isUp ? 'up' : 'down';
        const price = OPEN_PRICE + (OPEN_PRICE * BigInt(each.moved)) / 100_000n;
        world.give(world.alice, MANY);
        world.setTokens(world.alice, side, MANY);
        const { deviation, halfSpread, slope } = each;
        world.set({
          deviation,
          halfSpread,
          slope,
          upOutstanding: MANY + each.up,
          downOutstanding: MANY + each.down,
        });
        world.give(world.round, MANY * 2n);
        world.publish(BigInt(each.second), price);
        world.write({ confidence: 0n });

        const up = computeFairUpPrice({
          price,
          openPrice: OPEN_PRICE,
          deviation: BigInt(deviation),
          closeAt: START + 300n,
          publishedAt: START + BigInt(each.second),
        });
        const terms: SideTerms = {
          fair: each.isUp ? up : MICRO_USD - up,
          halfSpread: BigInt(halfSpread),
          slope: BigInt(slope),
          imbalance: each.isUp ? each.up - each.down : each.down - each.up,
        };
        const compute = each.isBuy ? computeBoughtTokens : computeProceeds;
        const out = compute(terms, each.amount);
        const instruction = each.isBuy
          ? world.buy(world.alice, side, each.amount)
          : world.sell(world.alice, side, each.amount);
        if (out === null) {
          expect([6011, 6012]).toContain(world.refusal(instruction));
          results.refused++;
          return;
        }
        expect(world.must(instruction)).toMatchObject([
          {
            contracts: each.isBuy ? out : each.amount,
            usdc: each.isBuy ? each.amount : out,
            fairPrice: terms.fair,
            price: each.isBuy ? computeAskPrice(terms) : computeBidPrice(terms),
          },
        ]);
        results.traded++;
      }),
      { cases: 5_000, seed: 0xf0ca, against: 'the program' },
    );
    expect(results.traded).toBeGreaterThan(results.refused / 4);
    expect(results.refused).toBeGreaterThan(results.traded / 20);
  });
});

const MANY = 1n << 60n;

/** A trade in a round that is in any state. */
const trade = fc.record({
  second: fc.integer({ min: 0, max: 284 }),
  /** Of the open price, in hundred thousandths. */
  moved: fc.oneof(fc.integer({ min: -2_000, max: 2_000 }), fc.integer({ min: -99_000, max: 500_000 })),
  deviation: fc.oneof(fc.constant(5_000), fc.integer({ min: 1, max: 1_000_000 })),
  halfSpread: fc.oneof(fc.constant(10_000), fc.integer({ min: 0, max: 490_000 })),
  slope: fc.oneof(fc.constant(10_000), fc.integer({ min: 0, max: 1_000_000_000 })),
  up: fc.bigInt({ min: 0n, max: 20_000n * ONE }),
  down: fc.bigInt({ min: 0n, max: 20_000n * ONE }),
  isUp: fc.boolean(),
  isBuy: fc.boolean(),
  amount: fc.oneof(
    fc.bigInt({ min: 1n, max: 100n }),
    fc.bigInt({ min: 1n, max: 50_000n * ONE }),
    fc.bigInt({ min: 1n, max: (1n << 59n) - 1n }),
  ),
});
