import type { Address } from '../../../solana/address.ts';
import { U64_MAX } from '../../../solana/units.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { requireAddress } from '../../parameter-values.ts';
import type { IntegerBounds } from '../../parameters.ts';
import { RequestRefused } from '../../../common/request-refused.ts';

const DIGITS = /^[0-9]{1,20}$/;

/** @throws RequestRefused when the text is not a whole number from 1 to 2^64 - 1 */
export function requireAmount(name: string, text: string): bigint {
  const amount = DIGITS.test(text) ? BigInt(text) : null;
  if (amount === null || amount > U64_MAX) {
    throw new RequestRefused(
      `${name} must be a whole number of base units from 1 to ${U64_MAX}, as a text of digits; got ${formatForError(text)}`,
    );
  }
  if (amount === 0n) throw new RequestRefused(`${name} must be at least 1, got 0`);
  return amount;
}

/**
 * @param bounds - The bounds of the number of different addresses.
 * @returns each address once, in the order in which they came
 * @throws RequestRefused when one of the texts is not an address, or there are too few or too many
 */
export function requireAddresses(
  name: string,
  texts: readonly string[],
  { minimum, maximum }: IntegerBounds,
): readonly Address[] {
  const given = texts.filter((text) => text !== '');
  // The number is checked before the addresses are parsed, so that a long list costs nothing.
  const count = new Set(given).size;
  if (count < minimum || count > maximum) {
    throw new RequestRefused(`${name} must name from ${minimum} to ${maximum} addresses, got ${count}`);
  }
  return [...new Set(given.map((text) => requireAddress(name, text)))];
}
