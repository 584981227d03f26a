import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { computeNanoDollars, convertAtMarket, parsePrice } from './market-price.ts';

const SOL = { decimals: 9, price: parsePrice(200) };
const USDC = { decimals: 6, price: parsePrice(1) };

describe('parsePrice', () => {
  it.each([
    [1, 10n ** 24n],
    [200.00000000000026, 200_000_000_000_000_260_000_000_000n],
    [2.050000000000034e-5, 20_500_000_000_000_340_000n],
    [1e21, 10n ** 45n],
    [5e-324, 0n],
  ])('reads %s exactly', (price, scaled) => {
    expect(parsePrice(price)).toBe(scaled);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '1', null, undefined, {}])('refuses %s', (price) => {
    expect(parsePrice(price)).toBeNull();
  });
});

describe('computeNanoDollars', () => {
  it('multiplies without a floating point', () => {
    expect(computeNanoDollars(100_000_000n, SOL)).toBe(20_000_000_000n);
    expect(computeNanoDollars(1n, { decimals: null, price: 1n })).toBeNull();
  });
});

describe('convertAtMarket', () => {
  it('converts by the prices and the decimals of both', () => {
    expect(convertAtMarket(10_000n, SOL, USDC)).toBe(2_000n);
    expect(convertAtMarket(1n, SOL, USDC, 'up')).toBe(1n);
    expect(convertAtMarket(1n, SOL, USDC)).toBe(0n);
  });

  it('gives no more back than it took', () => {
    assertProperty(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n }), (raw) => {
        const there = convertAtMarket(raw, SOL, USDC) ?? -1n;
        expect(convertAtMarket(there, USDC, SOL) ?? 0n).toBeLessThanOrEqual(raw);
      }),
      { cases: 100, seed: 4422 },
    );
  });
});
