import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { parseUnits } from './format-amount.ts';
import { formatBriefUnits, formatRate } from './format-brief.ts';

describe('formatBriefUnits', () => {
  it.each([
    [3_666_673_211_104n, 6, '3\u202f666\u202f673'],
    [199_980_001n, 6, '199.98'],
    [1_234_567n, 9, '0.00123456'],
    [5n, 6, '0.000005'],
    [-1_999_999n, 6, '\u22121.99999'],
    [123_456_789n, 0, '123\u202f456\u202f789'],
  ])('formats %s of %s decimals as %s', (raw, decimals, text) => {
    expect(formatBriefUnits(raw, decimals)).toBe(text);
  });

  it('is never more than the amount, nor less by a hundred thousandth', () => {
    assertProperty(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n }),
        fc.integer({ min: 0, max: 18 }),
        (raw, decimals) => {
          const shown = parseUnits(formatBriefUnits(raw, decimals), decimals) ?? -1n;
          expect(shown).toBeLessThanOrEqual(raw);
          expect((raw - shown) * 100_000n).toBeLessThanOrEqual(raw);
        },
      ),
      { cases: 100, seed: 4415 },
    );
  });
});

describe('formatRate', () => {
  it('divides without a floating point', () => {
    const paid = { raw: 1_000_000_000n, decimals: 9 };
    expect(formatRate(paid, { raw: 199_980_000n, decimals: 6 })).toBe('199.98');
    expect(formatRate(paid, { raw: 1n, decimals: 6 })).toBe('0.000001');
    expect(formatRate({ raw: 3n, decimals: 0 }, { raw: 1n, decimals: 0 })).toBe('0.333333');
    expect(formatRate({ raw: 0n, decimals: 9 }, { raw: 1n, decimals: 6 })).toBeNull();
  });
});
