import { formatForError } from '../../common/format-for-error.ts';
import { type Address, parseAddress } from '../../solana/address.ts';
import { U64_MAX } from '../../solana/units.ts';
import type { IntegerBounds } from '../parameters.ts';
import { RequestRefused } from '../request-refused.ts';

/** @throws RequestRefused when the text is no address */
export function parseAddressOf(name: string, text: string): Address {
  const address = parseAddress(text);
  if (address !== null) return address;
  throw new RequestRefused(`${name} must be an address: 32 bytes in base58, got ${formatForError(text)}`);
}

/**
 * Reads a list of addresses.
 *
 * @param maximum - How many may be given, repetitions included.
 * @returns each address once, in the order in which they were given
 * @throws RequestRefused when the list is empty or too long, or holds something else
 */
export function parseAddresses(name: string, texts: readonly string[], maximum: number): readonly Address[] {
  const given = texts.map((text) => text.trim()).filter((text) => text !== '');
  if (given.length === 0) throw new RequestRefused(`${name} must hold at least one address`);
  if (given.length > maximum) {
    throw new RequestRefused(`${name} must hold at most ${maximum} addresses, got ${given.length}`);
  }
  return [...new Set(given.map((text) => parseAddressOf(name, text)))];
}

/** @throws RequestRefused unless the text is a whole number of atoms from 1 to the largest that an account can hold */
export function parseAtoms(name: string, text: string): bigint {
  const atoms = /^[0-9]{1,20}$/.test(text) ? BigInt(text) : 0n;
  if (atoms > 0n && atoms <= U64_MAX) return atoms;
  throw new RequestRefused(
    `${name} must be a whole number of base units from 1 to ${U64_MAX}, got ${formatForError(text)}`,
  );
}

/** @throws RequestRefused when the text is no whole number within the bounds */
export function parseInteger(
  name: string,
  text: string | undefined,
  { minimum, maximum }: IntegerBounds,
  defaultValue: number,
): number {
  if (text === undefined || text === '') return defaultValue;
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new RequestRefused(
    `${name} must be a whole number from ${minimum} to ${maximum}, got ${formatForError(text)}`,
  );
}

/**
 * @returns Unix seconds; null without a text
 * @throws RequestRefused when the text is neither Unix seconds nor a time in ISO 8601
 */
export function parseTime(name: string, text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  if (/^[0-9]{1,12}$/.test(text)) return Number(text);
  const milliseconds = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(milliseconds)) return Math.floor(milliseconds / 1_000);
  throw new RequestRefused(
    `${name} must be a time in ISO 8601 or in Unix seconds, got ${formatForError(text)}`,
  );
}
