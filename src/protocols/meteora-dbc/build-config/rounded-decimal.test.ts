import { describe, expect, it } from 'vitest';
import {
  addDecimals,
  divideDecimals,
  roundDecimalDown,
  multiplyDecimals,
  type RoundedDecimal,
  roundDecimalToDouble,
  subtractDecimals,
  takeDecimalRoot,
  toDecimal,
} from './rounded-decimal.ts';

describe('RoundedDecimal', () => {
  it('keeps 20 significant digits, and rounds halves away from zero', () => {
    const long = toDecimal(123_456_789_012_345_678_905n);
    expect(multiplyDecimals(long, toDecimal(1n))).toEqual({
      digits: 12_345_678_901_234_567_891n,
      exponent: 1,
    });
    expect(multiplyDecimals(long, toDecimal(-1n))).toEqual({
      digits: -12_345_678_901_234_567_891n,
      exponent: 1,
    });
    expect(text(divideDecimals(toDecimal(2n), toDecimal(3n)))).toBe('0.66666666666666666667');
    expect(text(divideDecimals(toDecimal(1n), toDecimal(3n)))).toBe('0.33333333333333333333');
    expect(text(takeDecimalRoot(toDecimal(2n)))).toBe('1.4142135623730950488');
    expect(text(takeDecimalRoot(toDecimal(2n, -1)))).toBe('0.44721359549995793928');
    expect(text(takeDecimalRoot(toDecimal(0n)))).toBe('0');
  });

  it('adds and subtracts numbers of any scale', () => {
    expect(text(addDecimals(toDecimal(5n, -1), toDecimal(25n, -2)))).toBe('0.75');
    expect(text(subtractDecimals(toDecimal(1n), toDecimal(1n, -19)))).toBe('0.9999999999999999999');
    expect(text(addDecimals(toDecimal(1n, 25), toDecimal(1n)))).toBe(`1${'0'.repeat(25)}`);
  });

  it('is cut to integers downwards', () => {
    expect(roundDecimalDown(toDecimal(1_999n, -3))).toBe(1n);
    expect(roundDecimalDown(toDecimal(-1_001n, -3))).toBe(-2n);
    expect(roundDecimalDown(toDecimal(-2_000n, -3))).toBe(-2n);
    expect(roundDecimalDown(toDecimal(12n, 2))).toBe(1_200n);
  });

  it('is shortened to what a double keeps', () => {
    expect(text(roundDecimalToDouble(toDecimal(32_503_027_889_274_601_234n, -18)))).toBe('32.5030278892746');
    expect(roundDecimalToDouble(toDecimal(5n, -9))).toEqual(toDecimal(5n, -9));
    expect(text(roundDecimalToDouble(toDecimal(123_456_789_012_345_678_901_234n)))).toBe(
      '123456789012345690000000',
    );
    expect(roundDecimalToDouble(toDecimal(-15n, -1))).toEqual(toDecimal(-15n, -1));
  });

  it('refuses to divide by zero', () => {
    expect(() => divideDecimals(toDecimal(1n), toDecimal(0n))).toThrow(RangeError);
  });
});

function text({ digits, exponent }: RoundedDecimal): string {
  if (exponent >= 0) return `${digits}${'0'.repeat(exponent)}`;
  const padded = digits.toString().padStart(1 - exponent, '0');
  const [whole, fraction] = [padded.slice(0, exponent), padded.slice(exponent).replace(/0+$/, '')];
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
