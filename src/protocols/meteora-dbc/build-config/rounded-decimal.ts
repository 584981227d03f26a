import { computeIntegerSquareRoot } from '../../../common/integer-square-root.ts';

/**
 * The number `digits` · 10^`exponent`. What is computed with such numbers is rounded to 20 significant digits, halves away
 * from zero. The public builders of curves compute so, and a curve of theirs and one of ours are the same only if every
 * step is rounded as they do.
 */
export interface RoundedDecimal {
  readonly digits: bigint;
  readonly exponent: number;
}

const SIGNIFICANT_DIGITS = 20;
/** More digits than are kept, so that a quotient and a root are cut behind the digit that decides the rounding. */
const WORKING_DIGITS = 45;

/** Returns an exact number, whatever its length: `toDecimal(265n, -1)` is 26.5. */
export function toDecimal(digits: bigint, exponent = 0): RoundedDecimal {
  return { digits, exponent };
}

export function multiplyDecimals(one: RoundedDecimal, other: RoundedDecimal): RoundedDecimal {
  return roundDigits(one.digits * other.digits, one.exponent + other.exponent);
}

/** @throws RangeError for a divisor of zero */
export function divideDecimals(dividend: RoundedDecimal, divisor: RoundedDecimal): RoundedDecimal {
  const missing = WORKING_DIGITS + countDigits(divisor.digits) - countDigits(dividend.digits);
  const scale = Math.max(missing, 0);
  const digits = (dividend.digits * 10n ** BigInt(scale)) / divisor.digits;
  return roundDigits(digits, dividend.exponent - divisor.exponent - scale);
}

export function addDecimals(one: RoundedDecimal, other: RoundedDecimal): RoundedDecimal {
  const exponent = Math.min(one.exponent, other.exponent);
  return roundDigits(toDigits(one, exponent) + toDigits(other, exponent), exponent);
}

export function subtractDecimals(one: RoundedDecimal, other: RoundedDecimal): RoundedDecimal {
  return addDecimals(one, { digits: -other.digits, exponent: other.exponent });
}

/** Returns the square root of a number that is not negative. */
export function takeDecimalRoot({ digits, exponent }: RoundedDecimal): RoundedDecimal {
  const missing = 2 * WORKING_DIGITS - countDigits(digits);
  const scale = Math.max(missing, 0);
  const even = (exponent - scale) % 2 === 0 ? scale : scale + 1;
  return roundDigits(computeIntegerSquareRoot(digits * 10n ** BigInt(even)), (exponent - even) / 2);
}

/** Returns the largest integer that is not above the number. */
export function roundDecimalDown({ digits, exponent }: RoundedDecimal): bigint {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const unit = 10n ** BigInt(-exponent);
  const whole = digits / unit;
  return digits < 0n && whole * unit !== digits ? whole - 1n : whole;
}

/**
 * Returns the shortest decimal that reads as the nearest double, because the public builders keep two numbers on the way as
 * doubles. Only the digits are used here: no amount is computed with a double.
 */
export function roundDecimalToDouble({ digits, exponent }: RoundedDecimal): RoundedDecimal {
  const [, sign = '', whole = '0', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(Number(`${digits}e${exponent}`))) ?? [];
  return { digits: BigInt(`${sign}${whole}${fraction}`), exponent: Number(power) - fraction.length };
}

function roundDigits(digits: bigint, exponent: number): RoundedDecimal {
  const surplus = countDigits(digits) - SIGNIFICANT_DIGITS;
  if (surplus <= 0) return { digits, exponent };
  const unit = 10n ** BigInt(surplus);
  const half = digits < 0n ? -unit / 2n : unit / 2n;
  return { digits: (digits + half) / unit, exponent: exponent + surplus };
}

function countDigits(digits: bigint): number {
  return (digits < 0n ? -digits : digits).toString().length;
}

function toDigits({ digits, exponent }: RoundedDecimal, target: number): bigint {
  return digits * 10n ** BigInt(exponent - target);
}
