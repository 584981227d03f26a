import { U64_MAX } from '../units.ts';

/**
 * Atoms of an amount in whole tokens as people write it: `12`, `0.5`, `.25`. Exact, or refused.
 *
 * @throws RangeError for signs, exponents, separators, more decimals than the token has, and more than a u64 holds.
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

/** The shortest decimal form of `atoms` in whole tokens: no trailing zeros, no separators. */
export function formatDecimalAmount(atoms: bigint, decimals: number): string {
  const digits = atoms.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
