import { U64_MAX, divideUp } from '../../../solana/units.ts';

/** An exchange price of 1.0. */
export const PRICE_ONE = 1_000_000_000_000n;
/** 100 percent of a rate, a fee, a utilisation or an expansion, in basis points. */
export const WHOLE = 10_000n;
/** The length of a year in seconds. */
export const YEAR = 31_536_000n;

/** Thrown when a number exceeds its field in the program's accounts. The program fails in the same case. */
export class LendingOverflow extends RangeError {
  override readonly name = 'LendingOverflow';
}

/**
 * Returns the number itself.
 *
 * @param what - What the number is, for the message.
 * @throws LendingOverflow when it is negative or beyond 64 bits.
 */
export function assertU64(value: bigint, what: string): bigint {
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
 * import { toAtoms } from './amounts.ts';
 *
 * toAtoms(1_000_000n, 1_050_000_000_000n); // 1_050_000n
 * ```
 */
export function toAtoms(raw: bigint, price: bigint): bigint {
  return (raw * price) / PRICE_ONE;
}

/** The same as `toAtoms`, rounded up. */
export function toAtomsRoundedUp(raw: bigint, price: bigint): bigint {
  return divideUp(raw * price, PRICE_ONE);
}

/**
 * Converts atoms to a raw amount.
 *
 * Returns the raw amount, rounded down, as for a deposit or a repayment.
 */
export function toRawAmount(amount: bigint, price: bigint): bigint {
  return (amount * PRICE_ONE) / price;
}

/** The same as `toRawAmount`, rounded up, as for a withdrawal or a loan. */
export function toRawAmountRoundedUp(amount: bigint, price: bigint): bigint {
  return divideUp(amount * PRICE_ONE, price);
}

/** Returns `share` basis points of `amount`, rounded down. */
export function computeShare(amount: bigint, share: bigint): bigint {
  return (amount * share) / WHOLE;
}
