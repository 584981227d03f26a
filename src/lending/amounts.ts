import { U64_MAX } from '../solana/units.ts';

/** 1.0 of an exchange price. */
export const PRICE_ONE = 1_000_000_000_000n;
/** 100 percent of a rate, a fee, a utilisation or an expansion. */
export const WHOLE = 10_000n;
/** Seconds. */
export const YEAR = 31_536_000n;

/** Thrown when a number exceeds the field that the program keeps it in. The program fails there, too. */
export class LendingOverflow extends RangeError {
  override readonly name = 'LendingOverflow';
}

/**
 * Returns the number itself.
 *
 * @param what - What the number is, for the message.
 * @throws LendingOverflow when it is negative or beyond 64 bits.
 */
export function asU64(value: bigint, what: string): bigint {
  if (value < 0n || value > U64_MAX) throw new LendingOverflow(`${what} does not fit 64 bits: ${value}`);
  return value;
}

/**
 * Converts a raw amount, on which interest is paid by a growing price, to atoms.
 *
 * @param raw - As accounts keep it.
 * @param price - An exchange price: 10^12 is 1.0.
 * @returns Atoms, rounded down.
 *
 * @example
 * ```ts
 * import { worth } from './amounts.ts';
 *
 * worth(1_000_000n, 1_050_000_000_000n); // 1_050_000n
 * ```
 */
export function worth(raw: bigint, price: bigint): bigint {
  return (raw * price) / PRICE_ONE;
}

/** The same as `worth`, rounded up. */
export function worthRoundedUp(raw: bigint, price: bigint): bigint {
  return divideRoundedUp(raw * price, PRICE_ONE);
}

/**
 * Converts atoms to a raw amount.
 *
 * @returns The raw amount, rounded down, as for a deposit or a repayment.
 */
export function rawOf(amount: bigint, price: bigint): bigint {
  return (amount * PRICE_ONE) / price;
}

/** The same as `rawOf`, rounded up, as for a withdrawal or a loan. */
export function rawOfRoundedUp(amount: bigint, price: bigint): bigint {
  return divideRoundedUp(amount * PRICE_ONE, price);
}

/** Returns the part of `amount` that `share` of 10,000 is, rounded down. */
export function shareOf(amount: bigint, share: bigint): bigint {
  return (amount * share) / WHOLE;
}

/** Both numbers must be positive, or the dividend zero. */
export function divideRoundedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

export function minimum(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function maximum(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
