import { formatForError } from '../../common/format-for-error.ts';
import { type Address, parseAddress } from '../../solana/address.ts';
import { U64_MAX } from '../../solana/units.ts';
import { RequestInvalid } from '../http/validation.ts';

/** @throws RequestInvalid naming the field when it is not 32 bytes in base58 */
export function addressField(name: string, text: string): Address {
  const address = parseAddress(text);
  if (address === null)
    throw new RequestInvalid(`${name} must be an address of 32 bytes in base58, got ${formatForError(text)}`);
  return address;
}

/** @throws RequestInvalid naming the field when it is more than a u64 holds; the schema has seen to the digits */
export function u64Field(name: string, text: string): bigint {
  const value = BigInt(text);
  if (value > U64_MAX) throw new RequestInvalid(`${name} must be at most ${U64_MAX}, got ${text}`);
  return value;
}

/** @throws RequestInvalid naming the field when it is not base64 in its one canonical form */
export function base64Field(name: string, text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text)
    throw new RequestInvalid(`${name} must be base64, got ${formatForError(text)}`);
  return new Uint8Array(bytes);
}
