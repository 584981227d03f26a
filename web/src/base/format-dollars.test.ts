import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { formatDollars, formatShare } from './format-dollars.ts';

describe('formatDollars', () => {
  it.each([
    [0n, '$0.00'],
    [20_005_000_000n, '$20.01'],
    [1_234_567_891_000_000n, '$1\u202f234\u202f567.89'],
    [999_999_999n, '$1.00'],
    [34_264_163n, '$0.03426'],
    [7n, '$0.000000007'],
    [-2_500_000_000n, '\u2212$2.50'],
  ])('formats %s as %s', (amount, text) => {
    expect(formatDollars(amount)).toBe(text);
  });

  it('is never further from the amount than half a cent, or a thousandth of a smaller one', () => {
    assertProperty(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), (amount) => {
        const [whole = '', fraction = ''] = formatDollars(amount)
          .replaceAll(/[$\u202f]/g, '')
          .split('.');
        const shown = BigInt(whole + fraction.padEnd(9, '0'));
        const difference = shown > amount ? shown - amount : amount - shown;
        expect(difference * 1_000n <= amount || difference <= 5_000_000n).toBe(true);
        if (amount < 10n ** 8n) expect(difference * 1_000n <= amount).toBe(true);
      }),
      { cases: 100, seed: 4414 },
    );
  });
});

describe('formatShare', () => {
  it.each([
    [0n, '0%'],
    [1n, '0.0001%'],
    [-100n, '\u22120.01%'],
    [258_675n, '25.87%'],
    [1_000_000n, '100%'],
    [-258_675n, '\u221225.87%'],
  ])('formats %s millionths as %s', (share, text) => {
    expect(formatShare(share)).toBe(text);
  });
});
