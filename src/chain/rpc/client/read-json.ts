import { OperatorError } from '../../../common/operator-error.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';
import { decodeBase58 } from '../../../solana/encoding/base58.ts';
import { U64_MAX } from '../../../solana/units.ts';
import { requireRecord } from '../../records/account-json.ts';

// Readers for fields of untrusted RPC answers. Each throws `OperatorError` that names the field, its value and what is
// allowed.

/** Reads a whole number from 0 to 2^64 - 1, which the parser may return as a number, a bigint or a string of digits. */
export function requireU64(value: unknown, path: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === 'bigint' && value >= 0n && value <= U64_MAX) return value;
  if (typeof value === 'string' && /^\d{1,20}$/.test(value) && BigInt(value) <= U64_MAX) return BigInt(value);
  throw new OperatorError(`${path} must be a whole number from 0 to ${U64_MAX}, got ${brief(value)}`);
}

export function requireIndex(value: unknown, path: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255) return value;
  throw new OperatorError(`${path} must be a whole number from 0 to 255, got ${brief(value)}`);
}

export function requireText(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw new OperatorError(`${path} must be a text, got ${brief(value)}`);
}

export function requireAddressText(value: unknown, path: string): Address {
  const address = typeof value === 'string' ? parseAddress(value) : null;
  if (address !== null) return address;
  throw new OperatorError(`${path} must be a base58 address of 32 bytes, got ${brief(value)}`);
}

export function requireBase58(value: unknown, path: string): Uint8Array {
  const bytes = decodeBase58(requireText(value, path));
  if (bytes !== null) return bytes;
  throw new OperatorError(`${path} must be base58, got ${brief(value)}`);
}

/** Reads `[text, "base64"]`. The text has to be canonical, because Node's decoder skips invalid characters. */
export function requireBase64Pair(value: unknown, path: string): Uint8Array {
  const [text, encoding] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : [];
  if (typeof text === 'string' && encoding === 'base64') {
    const buffer = Buffer.from(text, 'base64');
    if (buffer.toString('base64') === text) return new Uint8Array(buffer);
  }
  throw new OperatorError(`${path} must be [text, "base64"], got ${brief(value)}`);
}

/** The maximum length of a list in an answer. Logs are the longest lists, and the runtime cuts them at 10,000 bytes. */
const MAX_LIST = 10_000;

/** Reads a list. Null and undefined, which nodes write for data that they do not record, become an empty array. */
export function requireList<T>(
  value: unknown,
  path: string,
  read: (element: unknown, path: string) => T,
): T[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw new OperatorError(`${path} must be an array, got ${brief(value)}`);
  if (value.length > MAX_LIST) {
    throw new OperatorError(`${path} may have ${MAX_LIST} elements, got ${value.length}`);
  }
  return value.map((element, index) => read(element, `${path}[${index}]`));
}

export interface InContext {
  readonly slot: bigint;
  readonly value: unknown;
}

/** Reads `{context: {slot}, value}`. */
export function requireInContext(result: unknown): InContext {
  const { context, value } = requireRecord(result, 'result');
  const { slot } = requireRecord(context, 'result.context');
  return { slot: requireU64(slot, 'result.context.slot'), value };
}

/** Like `formatForError`, and also formats a bigint, which JSON cannot represent. */
function brief(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : formatForError(value);
}
