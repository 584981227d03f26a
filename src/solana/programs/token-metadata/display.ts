import type { Address } from '../../address.ts';
import { ByteReader, LayoutInvalid } from '../../codec/byte-reader.ts';
import { type Extension, ExtensionType, findExtension, readMaybeAddress } from '../token/extensions.ts';
import { METADATA_KEY } from './account.ts';
import { TOKEN_METADATA_PROGRAM } from './program.ts';

/** The metadata of a mint. The creator of the mint chose all of it, so it is for display only. */
export interface DisplayMetadata {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  /** Additional fields by name. Only Token-2022 has them. */
  readonly additional: readonly (readonly [name: string, value: string])[];
  /** The collection that has verified the token as its own, or null. */
  readonly collection: Address | null;
}

/** Longer texts are cut. The metadata program allows 32, 10 and 200 bytes; Token-2022 has no limit. */
const MAX_NAME = 64;
const MAX_SYMBOL = 32;
const MAX_URI = 512;
const MAX_ADDITIONAL = 64;
const MAX_VALUE = 256;

/**
 * Reads an account of the metadata program, `Metadata` of its public IDL, up to the collection.
 *
 * Returns null for another program's account, and for one that cannot be read.
 *
 * @example
 * ```ts
 * import { address } from '../../address.ts';
 * import { encodeMetadata } from './account.ts';
 * import { readMetadataAccount } from './display.ts';
 * import { TOKEN_METADATA_PROGRAM } from './program.ts';
 *
 * const mint = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
 * const fields = { name: 'Jupiter', symbol: 'JUP', uri: '', sellerFeeBasisPoints: 0, creators: null };
 * const flags = { primarySaleHappened: false, isMutable: true, tokenStandard: 2 };
 * const data = encodeMetadata({ ...fields, ...flags, updateAuthority: mint, mint });
 * const metadata = readMetadataAccount({ owner: TOKEN_METADATA_PROGRAM, data });
 * metadata?.symbol; // 'JUP'
 * ```
 */
export function readMetadataAccount(
  account: { readonly owner: Address; readonly data: Uint8Array } | null,
): DisplayMetadata | null {
  if (account === null || account.owner !== TOKEN_METADATA_PROGRAM) return null;
  return orNull(() => decodeAccount(account.data));
}

function decodeAccount(data: Uint8Array): DisplayMetadata {
  const from = new ByteReader(data, 'token metadata');
  const key = from.u8();
  if (key !== METADATA_KEY) from.fail(`its key is ${METADATA_KEY}, not ${key}`);
  from.skip(64);
  const texts = {
    name: readText(from, MAX_NAME),
    symbol: readText(from, MAX_SYMBOL),
    uri: readText(from, MAX_URI),
  };
  from.skip(2);
  if (from.bool()) from.skip(from.u32() * CREATOR_BYTES);
  from.skip(2);
  return { ...texts, additional: [], collection: readCollection(from) };
}

const CREATOR_BYTES = 34;

/** Accounts that were written before collections existed end earlier, or hold zeros. */
function readCollection(from: ByteReader): Address | null {
  if (from.remaining < 3) return null;
  // The edition's nonce and the token's standard are options of one byte each.
  for (let option = 0; option < 2; option++) if (from.u8() === 1) from.skip(1);
  if (from.remaining < 34 || from.u8() !== 1) return null;
  const verified = from.u8() === 1;
  const collection = from.address();
  return verified ? collection : null;
}

/**
 * Reads the metadata that a Token-2022 mint stores in its own account, and the group that it is a member of.
 *
 * Returns null if the mint has none, or none that can be read.
 */
export function readMintMetadata(mint: Address, extensions: readonly Extension[]): DisplayMetadata | null {
  return orNull(() => decodeExtension(mint, extensions));
}

function decodeExtension(mint: Address, extensions: readonly Extension[]): DisplayMetadata | null {
  const data = findExtension(extensions, ExtensionType.TOKEN_METADATA);
  if (data === null) return null;
  const from = new ByteReader(data, 'token metadata');
  from.skip(64);
  const texts = {
    name: readText(from, MAX_NAME),
    symbol: readText(from, MAX_SYMBOL),
    uri: readText(from, MAX_URI),
  };
  const additional: (readonly [string, string])[] = [];
  const count = from.u32();
  for (let at = 0; at < Math.min(count, MAX_ADDITIONAL); at++) {
    additional.push([readText(from, MAX_NAME), readText(from, MAX_VALUE)]);
  }
  return { ...texts, additional, collection: findTokenGroup(mint, extensions) };
}

/**
 * Returns the group of the mint. It only counts if the member entry names this mint, because Token-2022 requires the
 * signature of the group's authority for that.
 */
function findTokenGroup(mint: Address, extensions: readonly Extension[]): Address | null {
  const data = findExtension(extensions, ExtensionType.TOKEN_GROUP_MEMBER);
  if (data === null || data.length < 64) return null;
  const from = new ByteReader(data, 'token group member');
  return readMaybeAddress(from) === mint ? readMaybeAddress(from) : null;
}

/** Characters that a terminal or a page would act on instead of showing them, and those that reorder text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go
const UNSHOWABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Reads a text with its u32 length, without the zero bytes that the metadata program pads with. */
function readText(from: ByteReader, maxLength: number): string {
  const bytes = from.bytes(from.u32());
  // A character has at most four bytes of UTF-8, so no character that is kept is cut.
  const text = Buffer.from(bytes.subarray(0, maxLength * 4)).toString('utf8');
  return [...text.replaceAll(UNSHOWABLE, '')].slice(0, maxLength).join('').trim();
}

/** Returns null instead of throwing, because a token whose metadata cannot be read is displayed without it. */
function orNull(read: () => DisplayMetadata | null): DisplayMetadata | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
