import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeDcaBounds } from '../../protocols/jupiter-dca/dca-schedule.ts';
import type { DcaOrder } from '../../protocols/jupiter-dca/dca-order.ts';
import { assertProperty } from '../../testing/random.ts';
import { computeDcaOutputBounds } from './dca-price-bounds.ts';

/** 100 USDC for SOL. */
const CYCLE = { amount: 100_000_000n, inputDecimals: 6, outputDecimals: 9 };
const bounds = (minPrice: number | bigint | null, maxPrice: number | bigint | null, cycle = CYCLE) =>
  computeDcaOutputBounds({ minPrice, maxPrice }, cycle);

describe('computeDcaOutputBounds', () => {
  it('takes the highest price as the least output, and the lowest price as the most', () => {
    expect(bounds(125, 200)).toEqual({ minOutAmount: 500_000_000n, maxOutAmount: 800_000_000n });
    expect(bounds(null, 200)).toEqual({ minOutAmount: 500_000_000n });
    expect(bounds(125, null)).toEqual({ maxOutAmount: 800_000_000n });
    expect(bounds(null, null)).toEqual({});
  });

  it('takes a minimum price of 0 as none', () => {
    expect(bounds(0, null)).toEqual({});
    expect(bounds(0n, 200n)).toEqual({ minOutAmount: 500_000_000n });
  });

  it('rounds so that no price outside the range fits', () => {
    expect(bounds(150, 300)).toEqual({ minOutAmount: 333_333_334n, maxOutAmount: 666_666_666n });
  });

  it.each([
    [0.1, 1_000_000_000_000n],
    [1e-7, 1_000_000_000_000_000_000n],
    [0.3, 333_333_333_334n],
    [1e21, 1n],
  ])('reads %s as it is written', (price, least) => {
    expect(bounds(null, price)).toEqual({ minOutAmount: least });
  });

  it('reads a whole number that a double cannot hold', () => {
    const price = 9_007_199_254_740_993n;
    const cycle = { amount: 2n * price, inputDecimals: 0, outputDecimals: 0 };
    expect(bounds(price, null, cycle)).toEqual({ maxOutAmount: 2n });
    expect(bounds(null, price, cycle)).toEqual({ minOutAmount: 2n });
  });

  it.each([
    [-1, null, 'minPrice must be a number above 0 or null, got -1'],
    [null, 0, 'maxPrice must be a number above 0 or null, got 0'],
    [null, -0.5, 'maxPrice must be a number above 0 or null, got -0.5'],
    [Number.NaN, null, 'minPrice must be a number above 0 or null, got NaN'],
    [null, Number.POSITIVE_INFINITY, 'maxPrice must be a number above 0 or null, got Infinity'],
    [200, 125, 'minPrice must be below maxPrice, got 200 and 125'],
    [150, 150, 'minPrice must be below maxPrice, got 150 and 150'],
    [1e300, null, 'minPrice is too high: at 1e+300, an order brings less than one base unit'],
    [
      null,
      1e-300,
      'maxPrice is too low: at 1e-300, an order brings more than 18446744073709551615 base units',
    ],
  ])('refuses %s and %s', (minPrice, maxPrice, error) => {
    expect(bounds(minPrice, maxPrice)).toEqual({ kind: 'impossible', error });
  });

  it('has no maximum output where a price is so low that every output is possible', () => {
    expect(bounds(1e-300, null)).toEqual({});
  });

  it('allows the program no fill at a price outside the range, whatever part of a cycle it is', () => {
    const property = fc.property(
      fc.bigInt(1_000n, 10n ** 15n),
      fc.integer({ min: 1, max: 10 ** 6 }),
      fc.integer({ min: 2, max: 1_000 }),
      fc.integer({ min: 1, max: 1_000 }),
      (amount, minPrice, factor, share) => {
        const maxPrice = minPrice * factor;
        const range = bounds(minPrice, maxPrice, { amount, inputDecimals: 6, outputDecimals: 6 });
        if ('kind' in range) return;
        const { minOutAmount = 0n, maxOutAmount = 0n } = range;
        const part = (amount * BigInt(share)) / 1_000n;
        const order = { inAmountPerCycle: amount, minOutAmount, maxOutAmount } as DcaOrder;
        const { least, most } = computeDcaBounds(order, part);
        expect(least * BigInt(maxPrice)).toBeGreaterThanOrEqual(part);
        // The program rounds the maximum of a part up, by less than one base unit.
        expect(((most ?? 0n) - (share === 1_000 ? 0n : 1n)) * BigInt(minPrice)).toBeLessThanOrEqual(part);
      },
    );
    assertProperty(property, { cases: 2_000, seed: 7 });
  });
});
