import type { Account } from './chain.ts';
import type { AddressedAccount } from './embedded/records/records.ts';
import { OperatorError } from '../common/operator-error.ts';
import { formatForError } from '../common/format-for-error.ts';
import { type Address, parseAddress } from '../solana/address.ts';
import { decodeBase58 } from '../solana/encoding/base58.ts';
import { U64_MAX } from '../solana/units.ts';
import { parseAccountJson } from './exact-json.ts';

/** The runtime's bound on the data of an account. */
export const MAX_ACCOUNT_DATA = 10 * 1024 * 1024;

/** Longest JSON text of one account: its data in base64 and some room for the rest. */
export const MAX_ACCOUNT_JSON = Math.ceil(MAX_ACCOUNT_DATA / 3) * 4 + 64 * 1024;

/**
 * An account in the form of `solana account --output json`:
 * `{"pubkey", "account": {"lamports", "data": [text, "base64" | "base58"], "owner", "executable", "rentEpoch", "space"}}`.
 *
 * @throws OperatorError naming the field, its value and what would be right; `source` says where the text is from.
 */
export function parseAccountFile(text: string, source: string): AddressedAccount {
  if (text.length > MAX_ACCOUNT_JSON) {
    throw new OperatorError(
      `${source} is ${text.length} characters long; an account has at most ${MAX_ACCOUNT_JSON}`,
    );
  }
  let json: unknown;
  try {
    json = parseAccountJson(text);
  } catch (error) {
    throw new OperatorError(
      `${source} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const file = asRecord(json, `${source}: the top level`);
  const address = asAddress(file.pubkey, `${source}: pubkey`);
  return { address, account: accountOfJson(file.account, `${source}: account`) };
}

/** One account as RPC answers it with a binary encoding. */
export function accountOfJson(json: unknown, path: string): Account {
  const fields = asRecord(json, path);
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

/** The inverse of `parseAccountFile`, two spaces deep as the usual tools write it, with a final newline. */
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

export function asRecord(value: unknown, path: string): Readonly<Record<string, unknown>> {
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

/** What tools that count in doubles make of 2^64 - 1, the epoch of accounts that never pay rent. */
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

/** Null unless `text` is canonical base64: Node's decoder drops what it cannot read. */
function decodeBase64(text: string): Uint8Array | null {
  const buffer = Buffer.from(text, 'base64');
  return buffer.toString('base64') === text ? new Uint8Array(buffer) : null;
}
