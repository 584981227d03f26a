import type { Address } from '../../address.ts';
import { ByteReader } from '../../codec/byte-reader.ts';
import { ByteWriter } from '../../codec/byte-writer.ts';
import { deriveEditionAddress } from './program.ts';

// The account that holds the name, symbol and link of a mint, as `@metaplex-foundation/mpl-token-metadata` reads it.

/** The length of the account in bytes. Accounts that were created before the end of 2024 have 679. */
const METADATA_LENGTH = 607;
/** The first byte of a metadata account. */
export const METADATA_KEY = 4;
const [MAX_NAME, MAX_SYMBOL, MAX_URI] = [32, 10, 200];

export const TokenStandard = { NonFungible: 0, FungibleAsset: 1, Fungible: 2 } as const;

export interface Creator {
  readonly address: Address;
  readonly verified: boolean;
  /** In percent; all shares together are 100. */
  readonly share: number;
}

/** The fields that the update authority can change as long as the account is mutable. */
export interface MetadataFields {
  /** At most 32 bytes of UTF-8. */
  readonly name: string;
  /** At most 10 bytes. */
  readonly symbol: string;
  /** At most 200 bytes. */
  readonly uri: string;
  /** The royalty in hundredths of a percent, at most 10,000. */
  readonly sellerFeeBasisPoints: number;
  readonly creators: readonly Creator[] | null;
}

export interface TokenMetadata extends MetadataFields {
  readonly updateAuthority: Address;
  readonly mint: Address;
  readonly primarySaleHappened: boolean;
  readonly isMutable: boolean;
  /** Null in accounts of the program's first version. */
  readonly tokenStandard: number | null;
}

/**
 * Encodes the account as the program writes it: with texts padded with zero bytes, without a collection or uses, and with
 * the flag in the last byte that the account still holds the fee for its creation.
 *
 * @throws RangeError when a text is longer than its field.
 *
 * @example
 * ```ts
 * import { address } from '../../address.ts';
 * import { encodeMetadata } from './account.ts';
 *
 * const mint = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
 * const data = encodeMetadata({
 *   updateAuthority: mint,
 *   mint,
 *   name: 'Jupiter',
 *   symbol: 'JUP',
 *   uri: '',
 *   sellerFeeBasisPoints: 0,
 *   creators: null,
 *   primarySaleHappened: false,
 *   isMutable: true,
 *   tokenStandard: 2,
 * });
 * ```
 */
export function encodeMetadata(metadata: TokenMetadata): Uint8Array {
  const writer = new ByteWriter(METADATA_LENGTH).u8(METADATA_KEY).address(metadata.updateAuthority);
  writer.address(metadata.mint);
  writeFilled(writer, metadata.name, MAX_NAME);
  writeFilled(writer, metadata.symbol, MAX_SYMBOL);
  writeFilled(writer, metadata.uri, MAX_URI);
  writeRoyalty(writer, metadata);
  writer.bool(metadata.primarySaleHappened).bool(metadata.isMutable);
  writer.u8(1).u8(deriveEditionAddress(metadata.mint).bump);
  if (metadata.tokenStandard === null) writer.u8(0);
  else writer.u8(1).u8(metadata.tokenStandard);
  return writer
    .zeros(METADATA_LENGTH - 1 - writer.length)
    .u8(1)
    .finish();
}

/**
 * Decodes all of a metadata account. The zero bytes that pad texts are removed. To display an untrusted token, use
 * `readMetadataAccount`.
 *
 * @throws LayoutInvalid when the bytes are not a metadata account.
 */
export function decodeMetadata(data: Uint8Array): TokenMetadata {
  const reader = new ByteReader(data, 'metadata account');
  const key = reader.u8();
  if (key !== METADATA_KEY) reader.fail(`the first byte must be ${METADATA_KEY}, got ${key}`);
  const updateAuthority = reader.address();
  const mint = reader.address();
  const [name, symbol, uri] = [readText(reader), readText(reader), readText(reader)];
  const sellerFeeBasisPoints = reader.u16();
  const creators = reader.bool() ? readCreators(reader) : null;
  const primarySaleHappened = reader.bool();
  const isMutable = reader.bool();
  if (reader.bool()) reader.skip(1);
  const tokenStandard = reader.remaining > 1 && reader.bool() ? reader.u8() : null;
  return {
    updateAuthority,
    mint,
    name,
    symbol,
    uri,
    sellerFeeBasisPoints,
    creators,
    primarySaleHappened,
    isMutable,
    tokenStandard,
  };
}

/** Writes the royalty and the creators, which have the same layout in instructions and in the account. */
export function writeRoyalty(writer: ByteWriter, { sellerFeeBasisPoints, creators }: MetadataFields): void {
  writer.u16(sellerFeeBasisPoints).bool(creators !== null);
  if (creators === null) return;
  writer.u32(creators.length);
  for (const { address: creator, verified, share } of creators) {
    writer.address(creator).bool(verified).u8(share);
  }
}

function readCreators(reader: ByteReader): Creator[] {
  const creators: Creator[] = [];
  for (let left = reader.u32(); left > 0; left--) {
    creators.push({ address: reader.address(), verified: reader.bool(), share: reader.u8() });
  }
  return creators;
}

function readText(reader: ByteReader): string {
  return Buffer.from(reader.bytes(reader.u32())).toString('utf8').replace(/\0+$/, '');
}

function writeFilled(writer: ByteWriter, text: string, length: number): void {
  const bytes = Buffer.from(text);
  if (bytes.length > length)
    throw new RangeError(`"${text}" has ${bytes.length} bytes, at most ${length} fit`);
  writer
    .u32(length)
    .bytes(bytes)
    .zeros(length - bytes.length);
}
