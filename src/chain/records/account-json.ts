import type { Account } from '../accounts.ts';
import type { AddressedAccount } from './records.ts';
import { findDuplicateKey } from '../../common/duplicate-key.ts';
import { removeByteOrderMark } from '../../common/files/text-file.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { type Address, parseAddress } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/encoding/base58.ts';
import { U64_MAX } from '../../solana/units.ts';
import { parseAccountJson } from '../exact-json.ts';

/** The runtime's limit on the data of an account, in bytes. */
export const MAX_ACCOUNT_DATA = 10 * 1024 * 1024;

/** The longest JSON text of one account: its data in base64, and room for the other fields. */
export const MAX_ACCOUNT_JSON = Math.ceil(MAX_ACCOUNT_DATA / 3) * 4 + 64 * 1024;

/**
 * Parses an account in the form of `solana account --output json`:
 * `{"pubkey", "account": {"lamports", "data": [text, "base64" | "base58"], "owner", "executable", "rentEpoch", "space"}}`.
 *
 * @param text - The content of the file.
 * @param source - Where the text is from, for messages.
 * @throws OperatorError that names the field, its value and what is allowed.
 */
export function parseAccountFile(text: string, source: string): AddressedAccount {
  if (text.length > MAX_ACCOUNT_JSON) {
    throw new OperatorError(
      `${source} is ${text.length} characters long; an account has at most ${MAX_ACCOUNT_JSON}`,
    );
  }
  let json: unknown;
  try {
    json = parseAccountJson(removeByteOrderMark(text));
  } catch (error) {
    throw new OperatorError(
      `${source} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const twice = findDuplicateKey(text);
  if (twice !== null) throw new OperatorError(`${source} has the key ${formatForError(twice)} twice`);
  const file = requireRecord(json, `${source}: the top level`);
  const address = asAddress(file.pubkey, `${source}: pubkey`);
  return { address, account: readAccountJson(file.account, `${source}: account`) };
}

/**
 * Reads an account from the JSON form of RPC responses with a binary encoding.
 *
 * @param json - A parsed value in which u64 fields are strings of digits: see `parseAccountJson`.
 * @param path - Where the value is from, for messages.
 * @throws OperatorError that names the field, its value and what is allowed.
 */
export function readAccountJson(json: unknown, path: string): Account {
  const fields = requireRecord(json, path);
  const data = asData(fields.data, `${path}.data`);
  const { space } = fields;
  if (space !== undefined && asU64(space, `${path}.space`) !== BigInt(data.length)) {
    throw new OperatorError(`${path}.space is ${String(space)}, but the data has ${data.length} bytes`);
  }
  const { executable } = fields;
  if (typeof executable !== 'boolean') {
    throw new OperatorError(`${path}.executable must be true or false, got ${formatForError(executable)}`);
  }
  const lamports = asU64(fields.lamports, `${path}.lamports`);
  if (lamports === 0n)
    throw new OperatorError(`${path}.lamports must be more than 0: such an account does not exist`);
  return {
    lamports,
    owner: asAddress(fields.owner, `${path}.owner`),
    data,
    executable,
    rentEpoch: asRentEpoch(fields.rentEpoch, `${path}.rentEpoch`),
  };
}

/** Formats an account as `parseAccountFile` reads it: indented by two spaces, with a final newline. */
export function formatAccountFile({ address, account }: AddressedAccount): string {
  const data = Buffer.from(account.data.buffer, account.data.byteOffset, account.data.length);
  return `{
  "pubkey": "${address}",
  "account": {
    "lamports": ${account.lamports},
    "data": [
      "${data.toString('base64')}",
      "base64"
    ],
    "owner": "${account.owner}",
    "executable": ${account.executable},
    "rentEpoch": ${account.rentEpoch},
    "space": ${data.length}
  }
}
`;
}

/**
 * Checks that a parsed JSON value is an object.
 *
 * @param path - Where the value is from, for messages.
 * @throws OperatorError when it is not.
 */
export function requireRecord(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new OperatorError(`${path} must be an object, got ${formatForError(value)}`);
}

function asAddress(value: unknown, path: string): Address {
  const address = typeof value === 'string' ? parseAddress(value) : null;
  if (address !== null) return address;
  throw new OperatorError(`${path} must be a base58 address of 32 bytes, got ${formatForError(value)}`);
}

function asU64(value: unknown, path: string): bigint {
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) {
    const number = BigInt(value);
    if (number <= U64_MAX) return number;
  }
  throw new OperatorError(
    `${path} must be a whole number from 0 to ${U64_MAX}, got ${formatForError(value)}`,
  );
}

/** 2^64 - 1, the rent epoch of rent-exempt accounts, as written by tools that parse numbers as doubles. */
const ROUNDED_U64_MAX = '18446744073709552000';

function asRentEpoch(value: unknown, path: string): bigint {
  return value === ROUNDED_U64_MAX ? U64_MAX : asU64(value, path);
}

function asData(value: unknown, path: string): Uint8Array {
  const [text, encoding] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : [];
  if (typeof text !== 'string' || (encoding !== 'base64' && encoding !== 'base58')) {
    throw new OperatorError(
      `${path} must be [text, "base64"] or [text, "base58"], got ${formatForError(value)}`,
    );
  }
  const bytes = encoding === 'base64' ? decodeBase64(text) : decodeBase58(text);
  if (bytes === null) throw new OperatorError(`${path} is not valid ${encoding}`);
  if (bytes.length > MAX_ACCOUNT_DATA) {
    throw new OperatorError(
      `${path} has ${bytes.length} bytes; an account holds at most ${MAX_ACCOUNT_DATA}`,
    );
  }
  return bytes;
}

/** Returns null unless `text` is canonical base64. Node's decoder would skip invalid characters. */
function decodeBase64(text: string): Uint8Array | null {
  const buffer = Buffer.from(text, 'base64');
  return buffer.toString('base64') === text ? new Uint8Array(buffer) : null;
}
