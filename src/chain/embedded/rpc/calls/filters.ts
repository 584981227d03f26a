import { decodeBase58 } from '../../../../solana/encoding/base58.ts';
import { isTokenAccount } from '../../../../solana/programs/token/account.ts';
import { decodeStrictBase64 } from '../encoding/base64.ts';
import { invalidParams } from '../../../json-rpc/rpc-errors.ts';
import {
  createIntegerReader,
  type ParamName,
  createEnumReader,
  readArray,
  readObject,
  readSize,
  readString,
  readU64,
} from './params.ts';

/** Returns whether the data of an account passes. */
export type DataFilter = (data: Uint8Array) => boolean;

const MAX_FILTERS = 4;
const MAX_BYTES = 128;
/** The maximum length of the base58 text of 128 bytes. */
const MAX_BASE58 = 175;
const MAX_BASE64 = 172;

/** Reads the `filters` of getProgramAccounts and programSubscribe. */
export function readFilters(value: unknown, name: ParamName): DataFilter[] {
  return readArray(value, name, MAX_FILTERS, readFilter);
}

export function passesFilters(filters: readonly DataFilter[], data: Uint8Array): boolean {
  return filters.every((filter) => filter(data));
}

function readFilter(value: unknown, name: ParamName): DataFilter {
  if (value === 'tokenAccountState') return isTokenAccount;
  const fields = readObject(value, name);
  const kinds = Object.keys(fields);
  if (kinds.length === 1 && kinds[0] === 'dataSize') {
    const size = readU64(fields.dataSize, `${name}.dataSize`);
    return (data) => BigInt(data.length) === size;
  }
  if (kinds.length === 1 && kinds[0] === 'memcmp') return readMemcmp(fields.memcmp, `${name}.memcmp`);
  throw invalidParams(`${name} must be {"memcmp": ...}, {"dataSize": ...} or "tokenAccountState"`);
}

function readMemcmp(value: unknown, name: ParamName): DataFilter {
  const fields = readObject(value, name);
  const offset = readSize(fields.offset, `${name}.offset`);
  const bytes = readBytes(fields.bytes, fields.encoding, name);
  if (bytes.length > MAX_BYTES)
    throw invalidParams(`${name}.bytes has ${bytes.length} bytes; max ${MAX_BYTES}`);
  return (data) => {
    if (data.length < offset + bytes.length) return false;
    for (let i = 0; i < bytes.length; i++) if (data[offset + i] !== bytes[i]) return false;
    return true;
  };
}

const readEncoding = createEnumReader(['base58', 'base64', 'bytes', 'binary']);

function readBytes(value: unknown, encodingValue: unknown, name: ParamName): Uint8Array {
  const encoding = encodingValue == null ? null : readEncoding(encodingValue, `${name}.encoding`);
  if (Array.isArray(value))
    return Uint8Array.from(readArray(value, `${name}.bytes`, MAX_BYTES, createIntegerReader(0, 255)));
  const text = readString(value, `${name}.bytes`);
  if (encoding === 'bytes')
    throw invalidParams(`${name}.bytes must be an array of numbers in the encoding "bytes"`);
  const base64 = encoding === 'base64';
  if (text.length > (base64 ? MAX_BASE64 : MAX_BASE58)) {
    throw invalidParams(`${name}.bytes has ${text.length} characters; max ${MAX_BYTES} bytes`);
  }
  const bytes = base64 ? decodeStrictBase64(text) : decodeBase58(text);
  if (bytes === null) throw invalidParams(`${name}.bytes is not ${base64 ? 'base64' : 'base58'}`);
  return bytes;
}
