import { formatForError } from '../../../common/format-for-error.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';
import { U64_MAX } from '../../../solana/units.ts';
import { RequestInvalid } from '../../http/validation.ts';

/**
 * Reads an address.
 * @param name - The name of the field, for the error.
 * @throws RequestInvalid if the text is not 32 bytes in base58
 */
export function parseAddressField(name: string, text: string): Address {
  const address = parseAddress(text);
  if (address === null)
    throw new RequestInvalid(`${name} must be an address of 32 bytes in base58, got ${formatForError(text)}`);
  return address;
}

/**
 * Reads a u64.
 * @param name - The name of the field, for the error.
 * @param text - Decimal digits, which the schema has checked.
 * @throws RequestInvalid if the number exceeds a u64
 */
export function parseU64Field(name: string, text: string): bigint {
  const value = BigInt(text);
  if (value > U64_MAX) throw new RequestInvalid(`${name} must be at most ${U64_MAX}, got ${text}`);
  return value;
}

/**
 * Reads bytes in base64.
 * @param name - The name of the field, for the error.
 * @throws RequestInvalid if the text is not base64 in its canonical form
 */
export function parseBase64Field(name: string, text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text)
    throw new RequestInvalid(`${name} must be base64, got ${formatForError(text)}`);
  return new Uint8Array(bytes);
}
