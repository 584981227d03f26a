// Debt factors are numbers with a coefficient of 35 bits and, in the low 15 bits, an exponent: coefficient x 2^exponent.
// The coefficient's highest bit is set, unless the number is 0. Source: the public interface of the vaults program.
// A `RangeError` is thrown for numbers that no account of the program can hold; the program fails in the same case.

const COEFFICIENT_BITS = 35n;
const EXPONENT_BITS = 15n;
const MAX_EXPONENT = (1n << EXPONENT_BITS) - 1n;
/** The exponent of the factor of a branch that was never liquidated. */
const EXPONENT_ONE = 1n << 14n;
/** The difference of exponents from which on a quotient is 0. */
const MAX_SHIFT = 128n;

/** The factor of a branch that was never liquidated. */
export const FIRST_DEBT_FACTOR = (((1n << COEFFICIENT_BITS) - 1n) << EXPONENT_BITS) | EXPONENT_ONE;
/** The connection factor of positions that were liquidated completely. */
export const NOTHING_LEFT_FACTOR = (1n << (COEFFICIENT_BITS + EXPONENT_BITS)) - 1n;

/**
 * Computes the rest of a debt after liquidations: `debt` x `factor` / `connection`, rounded down.
 *
 * @param debt - The raw debt.
 * @param factor - The factor of the branch now.
 * @param connection - The factor of the branch when the debt joined it.
 * @throws RangeError when the connection factor is 0 or the smaller number.
 *
 * @example
 * ```ts
 * import { computeDebtLeft, FIRST_DEBT_FACTOR } from './debt-factors.ts';
 *
 * computeDebtLeft(1_000_000n, FIRST_DEBT_FACTOR, FIRST_DEBT_FACTOR); // 1_000_000n
 * ```
 */
export function computeDebtLeft(debt: bigint, factor: bigint, connection: bigint): bigint {
  if (factor === 0n) return 0n;
  if (connection === 0n) throw new RangeError('a connection factor must not be 0');
  const shift = exponentOf(connection) - exponentOf(factor);
  if (shift < 0n) {
    throw new RangeError(`the factor ${factor} exceeds the connection factor ${connection}`);
  }
  if (shift > MAX_SHIFT) return 0n;
  return (debt * coefficientOf(factor)) / (coefficientOf(connection) << shift);
}

/**
 * Multiplies two factors, as for a position whose branch was merged into another.
 *
 * Returns `NOTHING_LEFT_FACTOR` when the product is too large.
 * @throws RangeError when the product is too small.
 */
export function multiplyFactors(left: bigint, right: bigint): bigint {
  const product = coefficientOf(left) * coefficientOf(right);
  const shift = product >> (2n * COEFFICIENT_BITS - 1n) === 0n ? COEFFICIENT_BITS - 1n : COEFFICIENT_BITS;
  const exponent = exponentOf(left) + exponentOf(right) + shift - EXPONENT_ONE;
  if (exponent < 0n) throw new RangeError(`the product of the factors ${left} and ${right} is too small`);
  if (exponent > MAX_EXPONENT) return NOTHING_LEFT_FACTOR;
  return ((product >> shift) << EXPONENT_BITS) | exponent;
}

/** A share of 1.0. */
export const SHARE_ONE = 1n << 64n;

/**
 * Computes the factor of a branch after a liquidation: `factor` x `share`, rounded down.
 *
 * @param share - The remaining share of the debt, where 2^64 is all of it.
 * @throws RangeError when the result is too small.
 */
export function computeReducedFactor(factor: bigint, share: bigint): bigint {
  if (factor === 0n || share === 0n) return 0n;
  const product = coefficientOf(factor) * share;
  const bits = BigInt(product.toString(2).length);
  const shift = bits > COEFFICIENT_BITS ? bits - COEFFICIENT_BITS : 0n;
  const exponent = exponentOf(factor) + shift - 64n;
  if (exponent <= 0n) throw new RangeError(`too little is left of the factor ${factor}`);
  return ((product >> shift) << EXPONENT_BITS) | exponent;
}

/**
 * Computes the connection factor of a branch that is merged: the factor of the branch below, divided by its own.
 *
 * @throws RangeError when its own factor is 0, or the quotient does not fit.
 */
export function divideFactors(below: bigint, own: bigint): bigint {
  if (below === 0n) return 0n;
  if (own === 0n) throw new RangeError('a branch with the factor 0 cannot be merged');
  const quotient = (coefficientOf(below) << 64n) / coefficientOf(own);
  const shift = (quotient >> 64n === 1n ? 65n : 64n) - COEFFICIENT_BITS;
  const exponent = exponentOf(below) + EXPONENT_ONE + shift - exponentOf(own) - 64n;
  if (exponent <= 0n || exponent > MAX_EXPONENT) {
    throw new RangeError(`the factor ${below} divided by ${own} does not fit`);
  }
  return ((quotient >> shift) << EXPONENT_BITS) | exponent;
}

function coefficientOf(factor: bigint): bigint {
  return factor >> EXPONENT_BITS;
}

function exponentOf(factor: bigint): bigint {
  return factor & MAX_EXPONENT;
}
