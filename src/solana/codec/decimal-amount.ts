import { U64_MAX } from '../units.ts';

/**
 * Converts an amount of whole tokens, as people write it, to atoms. The conversion is exact.
 *
 * @param text - A plain decimal number such as `12`, `0.5` or `.25`.
 * @param decimals - The decimals of the token's mint.
 * @returns Atoms.
 * @throws RangeError for signs, exponents, separators, too many decimals, and more atoms than a u64 holds.
 *
 * @example
 * ```ts
 * import { parseDecimalAmount } from './decimal-amount.ts';
 *
 * parseDecimalAmount('1.5', 9); // 1_500_000_000n
 * ```
 */
export function parseDecimalAmount(text: string, decimals: number): bigint {
  const shown = JSON.stringify(text.slice(0, 64));
  const match = /^(\d{0,40})(?:\.(\d{0,255}))?$/.exec(text);
  const whole = match?.[1] ?? '';
  const fraction = match?.[2] ?? '';
  if (match === null || whole + fraction === '') {
    throw new RangeError(`an amount must be a plain decimal number such as 12 or 0.5, got ${shown}`);
  }
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > decimals) {
    throw new RangeError(`the token has ${decimals} decimals, but ${shown} has ${significant.length}`);
  }
  const atoms = BigInt(whole + significant.padEnd(decimals, '0'));
  if (atoms > U64_MAX) {
    throw new RangeError(`an amount can be at most ${formatDecimalAmount(U64_MAX, decimals)}, got ${shown}`);
  }
  return atoms;
}

/**
 * Formats an amount in whole tokens, without trailing zeros or separators.
 *
 * @param atoms - An amount that is not negative.
 * @param decimals - The decimals of the token's mint.
 *
 * @example
 * ```ts
 * import { formatDecimalAmount } from './decimal-amount.ts';
 *
 * formatDecimalAmount(1_500_000_000n, 9); // '1.5'
 * ```
 */
export function formatDecimalAmount(atoms: bigint, decimals: number): string {
  const digits = atoms.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
