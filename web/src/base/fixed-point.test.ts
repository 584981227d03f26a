import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { computeShare, multiplyFixed, parseFixed } from './fixed-point.ts';

describe('parseFixed', () => {
  it('keeps digits that a double would lose', () => {
    expect(parseFixed('18446744073709551615', 0)).toBe(18446744073709551615n);
    expect(parseFixed('9007199254740993.000000001', 9)).toBe(9007199254740993000000001n);
  });

  it('reads exponents as JavaScript writes them', () => {
    expect(parseFixed('1.5e-7', 9)).toBe(150n);
    expect(parseFixed('1e+21', 0)).toBe(10n ** 21n);
    expect(parseFixed('4.9e-9', 9)).toBe(5n);
    expect(parseFixed('-2.5E1', 0)).toBe(-25n);
  });

  it('rounds half away from zero', () => {
    expect(['0.5', '-0.5', '0.49', '1.5'].map((text) => parseFixed(text, 0))).toEqual([1n, -1n, 0n, 2n]);
  });

  it('returns null for what is no number, or is larger than anything that is counted', () => {
    for (const text of [
      '',
      'NaN',
      'Infinity',
      '1,5',
      '0x10',
      '1e999',
      '1e99999',
      '--1',
      ' 1',
      '9'.repeat(401),
    ])
      expect(parseFixed(text, 9)).toBeNull();
    expect(parseFixed('0e9999', 9)).toBe(0n);
    expect(parseFixed('1e-9999', 9)).toBe(0n);
  });

  it('is exact for every decimal number that fits', () => {
    assertProperty(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n }),
        fc.integer({ min: 0, max: 18 }),
        (raw, places) => {
          const digits = String(raw < 0n ? -raw : raw).padStart(places + 1, '0');
          const cut = digits.length - places;
          const text = `${raw < 0n ? '-' : ''}${digits.slice(0, cut)}${places === 0 ? '' : `.${digits.slice(cut)}`}`;
          expect(parseFixed(text, places)).toBe(raw);
        },
      ),
      { cases: 1_000, seed: 4_501 },
    );
  });
});

describe('multiplyFixed', () => {
  it('has the places of the first number', () => {
    expect(multiplyFixed(1_500_000_000n, 200_000_000n, 6)).toBe(300_000_000_000n);
  });
});

describe('computeShare', () => {
  it('has no share of nothing', () => {
    expect(computeShare(1n, 4n)).toBe(250_000n);
    expect(computeShare(1n, 0n)).toBeNull();
    expect(computeShare(1n, -5n)).toBeNull();
  });
});
