import type { Address } from '../../../../solana/address.ts';
import { encodeBase58 } from '../../../../solana/encoding/base58.ts';
import type { Account } from '../../../accounts.ts';
import { invalidRequest } from '../../../json-rpc/rpc-errors.ts';
import { parseAccount } from '../parsed/accounts/index.ts';
import type { MintDisplays } from '../parsed/mint-display.ts';
import { toBase64 } from '../encoding/base64.ts';
import { toZstd } from '../encoding/zstd.ts';

/** The encodings of account data. `binary`, the default, is the oldest form: base58 text alone. */
export type AccountEncoding = 'binary' | 'base58' | 'base64' | 'base64+zstd' | 'jsonParsed';

export const ACCOUNT_ENCODINGS: readonly AccountEncoding[] = [
  'binary',
  'base58',
  'base64',
  'base64+zstd',
  'jsonParsed',
];

export interface DataSlice {
  readonly offset: number;
  readonly length: number;
}

/** The requested form of accounts. */
export interface AccountFormat {
  readonly encoding: AccountEncoding;
  readonly slice: DataSlice | null;
}

/** The cost of base58 grows with the square of the length, so longer data is only available in base64. */
const MAX_BASE58_BYTES = 128;

/**
 * Returns the `UiAccount` of the public interface.
 *
 * @throws RpcError -32600 when the data is too long for base58.
 */
export function encodeAccount(
  address: Address,
  account: Account,
  format: AccountFormat,
  mints: MintDisplays,
) {
  const { lamports, owner, executable, rentEpoch } = account;
  const data = encodeData(address, account, format, mints);
  return { lamports, data, owner, executable, rentEpoch, space: account.data.length };
}

/** Like `encodeAccount`, for notifications, which cannot fail: data that is too long for base58 becomes a message. */
export function encodeAccountOrSay(
  address: Address,
  account: Account,
  format: AccountFormat,
  mints: MintDisplays,
) {
  const { encoding, slice } = format;
  const tooLong = isBase58(encoding) && shownBytes(account.data, slice).length > MAX_BASE58_BYTES;
  if (!tooLong) return encodeAccount(address, account, format, mints);
  const sentence = 'error: data too large for base58, subscribe with base64';
  const empty = encodeAccount(address, account, { encoding, slice: { offset: 0, length: 0 } }, mints);
  return { ...empty, data: encoding === 'binary' ? sentence : [sentence, encoding] };
}

function isBase58(encoding: AccountEncoding): boolean {
  return encoding === 'binary' || encoding === 'base58';
}

function encodeData(
  address: Address,
  account: Account,
  { encoding, slice }: AccountFormat,
  mints: MintDisplays,
) {
  const bytes = shownBytes(account.data, slice);
  switch (encoding) {
    case 'binary':
      return toBase58(bytes);
    case 'base58':
      return [toBase58(bytes), encoding];
    case 'base64':
      return [toBase64(bytes), encoding];
    case 'base64+zstd':
      return [toBase64(toZstd(bytes)), encoding];
    case 'jsonParsed':
      return parseAccount(address, account, mints) ?? [toBase64(bytes), 'base64'];
  }
}

function toBase58(bytes: Uint8Array): string {
  if (bytes.length > MAX_BASE58_BYTES) {
    throw invalidRequest(
      `Encoded binary (base 58) data should be at most ${MAX_BASE58_BYTES} bytes, but there are ${bytes.length}; ` +
        'use base64 or a dataSlice',
    );
  }
  return encodeBase58(bytes);
}

/** Applies a slice. The part of it outside the data is left out, as on the public interface. */
function shownBytes(data: Uint8Array, slice: DataSlice | null): Uint8Array {
  return slice === null ? data : data.subarray(slice.offset, slice.offset + slice.length);
}
