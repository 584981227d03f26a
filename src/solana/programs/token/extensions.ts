import type { Address } from '../../address.ts';
import type { ByteReader } from '../../codec/byte-reader.ts';
import { LayoutInvalid } from '../../codec/byte-reader.ts';
import type { ByteWriter } from '../../codec/byte-writer.ts';

/** Type numbers of the Token-2022 extensions in account data. */
export const ExtensionType = {
  UNINITIALIZED: 0,
  TRANSFER_FEE_CONFIG: 1,
  TRANSFER_FEE_AMOUNT: 2,
  MINT_CLOSE_AUTHORITY: 3,
  CONFIDENTIAL_TRANSFER_MINT: 4,
  CONFIDENTIAL_TRANSFER_ACCOUNT: 5,
  DEFAULT_ACCOUNT_STATE: 6,
  IMMUTABLE_OWNER: 7,
  MEMO_TRANSFER: 8,
  NON_TRANSFERABLE: 9,
  INTEREST_BEARING_CONFIG: 10,
  CPI_GUARD: 11,
  PERMANENT_DELEGATE: 12,
  NON_TRANSFERABLE_ACCOUNT: 13,
  TRANSFER_HOOK: 14,
  TRANSFER_HOOK_ACCOUNT: 15,
  CONFIDENTIAL_TRANSFER_FEE_CONFIG: 16,
  CONFIDENTIAL_TRANSFER_FEE_AMOUNT: 17,
  METADATA_POINTER: 18,
  TOKEN_METADATA: 19,
  GROUP_POINTER: 20,
  TOKEN_GROUP: 21,
  GROUP_MEMBER_POINTER: 22,
  TOKEN_GROUP_MEMBER: 23,
  CONFIDENTIAL_MINT_BURN: 24,
  SCALED_UI_AMOUNT: 25,
  PAUSABLE: 26,
  PAUSABLE_ACCOUNT: 27,
  PERMISSIONED_BURN: 28,
} as const;

/** One type-length-value entry. `type` may be a number that `ExtensionType` does not list; `data` is a view. */
export interface Extension {
  readonly type: number;
  readonly data: Uint8Array;
}

export type Extended = 'mint' | 'account';

/** An extended mint is padded to this length, so that the byte with the kind has the same offset in both. */
export const TOKEN_ACCOUNT_SIZE = 165;
const EXTENSIONS_START = TOKEN_ACCOUNT_SIZE + 1;
const KIND = { mint: 1, account: 2 } as const;

/** The length of a multisig account. Extended mints and accounts never have it. */
export const MULTISIG_SIZE = 355;

/** Whether the data is marked as an extended mint or account. The base part is not checked. */
export function hasExtensions(kind: Extended, data: Uint8Array): boolean {
  return (
    data.length > TOKEN_ACCOUNT_SIZE &&
    data.length !== MULTISIG_SIZE &&
    data[TOKEN_ACCOUNT_SIZE] === KIND[kind]
  );
}

/**
 * Reads the extensions of a Token-2022 mint or token account.
 *
 * @param baseSize - The length of the data without extensions.
 * @returns One entry per extension, unknown types included; empty when the data has the base size.
 * @throws LayoutInvalid where Token-2022 would refuse the data.
 */
export function readExtensions(kind: Extended, data: Uint8Array, baseSize: number): readonly Extension[] {
  if (data.length === baseSize) return [];
  if (!hasExtensions(kind, data)) {
    throw new LayoutInvalid(
      `not a valid ${getExtendedName(kind)}: ${data.length} bytes without its mark at byte 165`,
    );
  }
  for (let i = baseSize; i < TOKEN_ACCOUNT_SIZE; i++) {
    if (data[i] !== 0)
      throw new LayoutInvalid(`not a valid ${getExtendedName(kind)}: padding byte ${i} is not zero`);
  }
  const extensions: Extension[] = [];
  for (let at = EXTENSIONS_START; at + 2 <= data.length; ) {
    const type = readU16(data, at);
    if (type === ExtensionType.UNINITIALIZED) break;
    const start = at + 4;
    const end = start + readU16(data, at + 2);
    if (start > data.length || end > data.length) {
      throw new LayoutInvalid(
        `not a valid ${getExtendedName(kind)}: extension ${type} at byte ${at} does not fit the data`,
      );
    }
    extensions.push({ type, data: data.subarray(start, end) });
    at = end;
  }
  return extensions;
}

/** Encodes a base and its extensions as Token-2022 stores them. Returns `base` itself when there are no extensions. */
export function writeExtensions(
  kind: Extended,
  base: Uint8Array,
  extensions: readonly Extension[],
): Uint8Array {
  if (extensions.length === 0) return base;
  const data = new Uint8Array(computeExtendedSize(extensions.map((extension) => extension.data.length)));
  data.set(base);
  data[TOKEN_ACCOUNT_SIZE] = KIND[kind];
  const view = new DataView(data.buffer);
  let at = EXTENSIONS_START;
  for (const extension of extensions) {
    view.setUint16(at, extension.type, true);
    view.setUint16(at + 2, extension.data.length, true);
    data.set(extension.data, at + 4);
    at += 4 + extension.data.length;
  }
  return data;
}

/**
 * Computes the data length of a mint or token account with extensions.
 *
 * @param extensionSizes - The data length of each extension, in bytes.
 */
export function computeExtendedSize(extensionSizes: readonly number[]): number {
  const size = extensionSizes.reduce((sum, each) => sum + 4 + each, EXTENSIONS_START);
  return size === MULTISIG_SIZE ? size + 2 : size;
}

/** Returns the data of the first extension of this type, or null when there is none. */
export function findExtension(extensions: readonly Extension[], type: number): Uint8Array | null {
  return extensions.find((extension) => extension.type === type)?.data ?? null;
}

/** The one byte of `DefaultAccountState` that says that new accounts are frozen. */
const FROZEN = 2;

/** Whether accounts of a mint with these extensions are frozen when they are opened. */
export function hasFrozenNewAccounts(mintExtensions: readonly Extension[]): boolean {
  return findExtension(mintExtensions, ExtensionType.DEFAULT_ACCOUNT_STATE)?.[0] === FROZEN;
}

const NO_ADDRESS = '11111111111111111111111111111111';

/** Reads an optional address of an extension, where 32 zero bytes mean that there is none. */
export function readMaybeAddress(reader: ByteReader): Address | null {
  const address = reader.address();
  return address === NO_ADDRESS ? null : address;
}

/** Writes an optional address of an extension, with 32 zero bytes for null. */
export function writeMaybeAddress(writer: ByteWriter, address: Address | null): ByteWriter {
  return address === null ? writer.zeros(32) : writer.address(address);
}

function readU16(data: Uint8Array, at: number): number {
  return (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8);
}

function getExtendedName(kind: Extended): string {
  return kind === 'mint' ? 'mint' : 'token account';
}
