import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import {
  computeMinimumCollateralPerDebt,
  selectOffersThatPay,
  computeLiquidationProfit,
  listSizesToTry,
} from './choose.ts';

describe('computeLiquidationProfit', () => {
  it('is what is left of the proceeds, with the fee of the loan rounded up', () => {
    const offer = { debt: 1_001n, collateral: 7n, proceeds: 1_200n };
    expect(computeLiquidationProfit(offer, COSTS)).toBe(1_200n - 1_001n - 1n - 100n);
    expect(computeLiquidationProfit({ ...offer, proceeds: 1_000n }, COSTS)).toBe(-102n);
  });
});

describe('selectOffersThatPay', () => {
  it('returns every offer that reaches the least profit, the best first', () => {
    const property = fc.property(
      fc.array(offer, { maxLength: 10 }),
      fc.bigInt(-1_000n, 10n ** 14n),
      (offers, least) => {
        const profits = offers
          .map((each) => computeLiquidationProfit(each, COSTS))
          .filter((profit) => profit >= least);
        const picked = selectOffersThatPay(offers, COSTS, least).map((each) =>
          computeLiquidationProfit(each, COSTS),
        );
        expect(picked).toEqual(profits.toSorted((one, other) => Number(other - one)));
      },
    );
    assertProperty(property, { cases: 500, seed: SEED });
  });

  it('prefers a part to the whole where the whole moves the price too far', () => {
    // Collateral with a bonus of 5 percent, sold to a pool with a constant product.
    const pool = { collateral: 1_000_000n, debt: 1_000_000n };
    const offers = listSizesToTry(400_000n, 1_000n).map((debt) => {
      const collateral = (debt * 105n) / 100n;
      return { debt, collateral, proceeds: (pool.debt * collateral) / (pool.collateral + collateral) };
    });
    const [best] = selectOffersThatPay(offers, { flashFee: 0n, transaction: 0n }, 1n);
    // The optimum is near 23,000: the square root of 1.05 times the pool, less the pool.
    expect(best?.debt).toBeGreaterThan(17_000n);
    expect(best?.debt).toBeLessThan(32_000n);
    expect(selectOffersThatPay(offers, { flashFee: 500n, transaction: 0n }, 1n)).toEqual([]);
  });

  const offer = fc.record({ debt: amount, collateral: amount, proceeds: amount });
});

describe('listSizesToTry', () => {
  it('begins with all there is and falls to no less than the least, in few steps', () => {
    const property = fc.property(amount, amount, (most, least) => {
      const sizes = listSizesToTry(most, least);
      expect(sizes.length).toBeLessThanOrEqual(16);
      if (most < least) expect(sizes).toEqual([]);
      else expect(sizes[0]).toBe(most);
      for (const [index, size] of sizes.entries()) {
        expect(size >= least && size > 0n).toBe(true);
        if (index > 0) expect(size).toBeLessThan(sizes[index - 1] ?? 0n);
      }
    });
    assertProperty(property, { cases: 300, seed: SEED });
  });
});

describe('computeMinimumCollateralPerDebt', () => {
  it('is the expected rate less the tolerance, rounded down', () => {
    expect(computeMinimumCollateralPerDebt({ debt: 200n, collateral: 1n }, 0n)).toBe(5_000_000_000_000n);
    expect(computeMinimumCollateralPerDebt({ debt: 3n, collateral: 1n }, 100n)).toBe(330_000_000_000_000n);
  });
});

const SEED = 20_261_122;
const COSTS = { flashFee: 5n, transaction: 100n };
const amount = fc.bigInt(1n, 10n ** 15n);
