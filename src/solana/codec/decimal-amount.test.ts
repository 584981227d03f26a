import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { formatDecimalAmount, parseDecimalAmount } from './decimal-amount.ts';
import { U64_MAX } from '../units.ts';

describe('parseDecimalAmount and formatDecimalAmount', () => {
  it('survive a round trip for every u64 and number of decimals', () => {
    assertProperty(
      fc.property(
        fc.bigInt({ min: 0n, max: U64_MAX }),
        fc.integer({ min: 0, max: 18 }),
        (atoms, decimals) => {
          expect(parseDecimalAmount(formatDecimalAmount(atoms, decimals), decimals)).toBe(atoms);
        },
      ),
      { cases: 2000, seed: 20240901 },
    );
  });

  it.each([
    ['1', 9, 1_000_000_000n],
    ['1.', 6, 1_000_000n],
    ['.5', 6, 500_000n],
    ['0.000001', 6, 1n],
    ['1.50000000000000000', 1, 15n],
    ['007', 0, 7n],
    ['18446744073709551615', 0, U64_MAX],
  ])('reads %s with %i decimals', (text, decimals, atoms) => {
    expect(parseDecimalAmount(text, decimals)).toBe(atoms);
  });

  it.each([
    '',
    '.',
    '-1',
    '+1',
    '1e3',
    '1,000',
    ' 1',
    '1 ',
    '0x10',
    '1.2.3',
    'NaN',
    'Infinity',
    '１',
    '9'.repeat(41),
  ])('throws for %j, which is not a plain decimal number', (text) => {
    expect(() => parseDecimalAmount(text, 6)).toThrow('plain decimal number');
  });

  it('throws for too many decimals and for more than a u64 holds', () => {
    expect(() => parseDecimalAmount('0.0000001', 6)).toThrow(
      'the token has 6 decimals, but "0.0000001" has 7',
    );
    expect(() => parseDecimalAmount('18446744073709.551616', 6)).toThrow('at most 18446744073709.551615');
  });
});
