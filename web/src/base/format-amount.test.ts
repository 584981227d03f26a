import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { formatUnits, formatWhole, parseUnits } from './format-amount.ts';

describe('formatUnits', () => {
  it.each([
    [0n, 9, '0'],
    [1n, 9, '0.000000001'],
    [1_234_500_000n, 6, '1\u202f234.5'],
    [-25_000_000n, 6, '\u221225'],
    [1_000_000n, 0, '1\u202f000\u202f000'],
  ])('formats %s of %s decimals as %s', (raw, decimals, text) => {
    expect(formatUnits(raw, decimals)).toBe(text);
  });

  it('is exact: what it formats is parsed to the same amount', () => {
    assertProperty(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n }),
        fc.integer({ min: 0, max: 18 }),
        (raw, decimals) => {
          expect(parseUnits(formatUnits(raw, decimals), decimals)).toBe(raw);
        },
      ),
      { cases: 100, seed: 4409 },
    );
  });
});

describe('formatWhole', () => {
  it('groups the digits', () => {
    expect([formatWhole(999), formatWhole(-1234567n)]).toEqual(['999', '\u22121\u202f234\u202f567']);
  });
});

describe('parseUnits', () => {
  it.each(['', '.', '1e3', '-1', '0.1234567', '1,5', '0x10', 'NaN'])('refuses %j', (text) => {
    expect(parseUnits(text, 6)).toBeNull();
  });

  it.each([
    ['.5', 500_000n],
    ['1.', 1_000_000n],
    [' 1 000.25 ', 1_000_250_000n],
  ])('reads %j', (text, amount) => {
    expect(parseUnits(text, 6)).toBe(amount);
  });
});
