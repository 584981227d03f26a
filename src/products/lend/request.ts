import { type Address, parseAddress } from '../../solana/address.ts';
import { U64_MAX } from '../../solana/units.ts';
import { formatForError } from '../../common/format-for-error.ts';
import type { IntegerBounds } from '../parameters.ts';
import { RequestRefused } from '../request-refused.ts';

/** @throws RequestRefused when the text is not an address */
export function requireAddress(name: string, text: string): Address {
  const address = parseAddress(text);
  if (address === null) {
    throw new RequestRefused(`${name} must be an address: 32 bytes in base58, got ${formatForError(text)}`);
  }
  return address;
}

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

/**
 * @returns null when the parameter is absent
 * @throws RequestRefused when the text is not a whole number within the bounds
 */
export function optionalInteger(
  name: string,
  text: string | undefined,
  { minimum, maximum }: IntegerBounds,
): number | null {
  if (text === undefined || text === '') return null;
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new RequestRefused(
    `${name} must be a whole number from ${minimum} to ${maximum}, got ${formatForError(text)}`,
  );
}
