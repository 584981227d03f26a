declare const unit: unique symbol;

/** Basis points, hundredths of a percent: a whole number from 0 to 10,000. */
export type Bps = number & { readonly [unit]: 'bps' };

/** The largest amount that a token account or a u64 argument can hold. */
export const U64_MAX = (1n << 64n) - 1n;
export const U128_MAX = (1n << 128n) - 1n;

export function minimum(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

export function maximum(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

export function sumAmounts(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

/** Divides and rounds up. The dividend must not be negative, and the divisor must be positive. */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** Compares two amounts, for sorting in ascending order. */
export function compareAmounts(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * Checks and brands a number of basis points.
 *
 * @throws RangeError when `value` is not a whole number from 0 to 10,000.
 */
export function bps(value: number): Bps {
  if (!Number.isInteger(value) || value < 0 || value > 10_000) {
    throw new RangeError(`basis points must be a whole number from 0 to 10000, got ${value}`);
  }
  return value as Bps;
}
