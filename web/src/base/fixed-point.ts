/** A number in the notation of JSON. Longer ones are not numbers that anybody means. */
const DECIMAL = /^(-?)(\d{1,400})(?:\.(\d{1,400}))?(?:[eE]([+-]?\d{1,4}))?$/;
/** Digits that a result has at most. More could not be shown, and could take long to compute with. */
const MAX_DIGITS = 60;

/**
 * Parses a decimal number to an integer that has some of its digits behind the point. What does not fit is rounded, half away
 * from zero.
 *
 * @param source - A number in the notation of JSON, such as `1.5e-7`.
 * @param places - How many digits of the result stand behind the point.
 * @returns null if the text is no number, or has more digits before the point than anything that is counted.
 *
 * @example
 * ```ts
 * parseFixed('199.91998', 9); // 199919980000n
 * ```
 */
export function parseFixed(source: string, places: number): bigint | null {
  const match = DECIMAL.exec(source);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return 0n;
  const shift = Number(exponent) - fraction.length + places;
  if (digits.length + shift > MAX_DIGITS) return null;
  const size = shift >= 0 ? BigInt(digits) * 10n ** BigInt(shift) : shiftRight(digits, -shift);
  return sign === '' ? size : -size;
}

/** Multiplies two fixed-point numbers. The result has the places of the first one, and is rounded down. */
export function multiplyFixed(value: bigint, factor: bigint, factorPlaces: number): bigint {
  return (value * factor) / 10n ** BigInt(factorPlaces);
}

/**
 * Divides two amounts, in millionths of the second one.
 *
 * @returns null if the second one is not above zero: there is no share of nothing.
 */
export function computeShare(part: bigint, whole: bigint): bigint | null {
  return whole <= 0n ? null : (part * 1_000_000n) / whole;
}

function shiftRight(digits: string, by: number): bigint {
  if (by > digits.length) return 0n;
  const kept = digits.slice(0, digits.length - by);
  const isUp = (digits[digits.length - by] ?? '0') >= '5';
  return BigInt(kept === '' ? '0' : kept) + (isUp ? 1n : 0n);
}
