import { formatForError } from '../../../common/format-for-error.ts';
import type { Address } from '../../../solana/address.ts';
import { U64_MAX } from '../../../solana/units.ts';
import { requireAddress } from '../../parameter-values.ts';
import { RequestRefused } from '../../../common/request-refused.ts';

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
  return [...new Set(given.map((text) => requireAddress(name, text)))];
}

/** @throws RequestRefused unless the text is a whole number of atoms from 1 to the largest that an account can hold */
export function parseAtoms(name: string, text: string): bigint {
  const atoms = /^[0-9]{1,20}$/.test(text) ? BigInt(text) : 0n;
  if (atoms > 0n && atoms <= U64_MAX) return atoms;
  throw new RequestRefused(
    `${name} must be a whole number of base units from 1 to ${U64_MAX}, got ${formatForError(text)}`,
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
