import type { Address } from '../../address.ts';
import { ByteReader } from '../../codec/byte-reader.ts';
import { ByteWriter } from '../../codec/byte-writer.ts';
import { type Extension, hasExtensions, readExtensions, writeExtensions } from './extensions.ts';
import { readOptionalAddress, writeOptionalAddress } from './option.ts';

/** A mint of the token program, or of Token-2022 with its extensions. */
export interface Mint {
  /** Null when no more tokens can be minted. */
  readonly mintAuthority: Address | null;
  readonly supply: bigint;
  readonly decimals: number;
  /** Null when no token account of this mint can be frozen. */
  readonly freezeAuthority: Address | null;
  readonly extensions: readonly Extension[];
}

/** The data length of a mint without extensions. */
const MINT_SIZE = 82;
const INITIALIZED_AT = 45;

/** Whether the data is an initialized mint's, provided that a token program owns the account. */
export function isMint(data: Uint8Array): boolean {
  return data[INITIALIZED_AT] === 1 && (data.length === MINT_SIZE || hasExtensions('mint', data));
}

/**
 * Decodes the data of a mint of the token program or Token-2022.
 *
 * @throws LayoutInvalid when the data is not an initialized mint's.
 *
 * @example
 * ```ts
 * import { decodeMint } from './mint.ts';
 *
 * function canBeFrozen(data: Uint8Array): boolean {
 *   return decodeMint(data).freezeAuthority !== null;
 * }
 * ```
 */
export function decodeMint(data: Uint8Array): Mint {
  const reader = new ByteReader(data, 'mint');
  const mintAuthority = readOptionalAddress(reader);
  const supply = reader.u64();
  const decimals = reader.u8();
  if (!reader.bool()) reader.fail('it is not initialized');
  const freezeAuthority = readOptionalAddress(reader);
  return {
    mintAuthority,
    supply,
    decimals,
    freezeAuthority,
    extensions: readExtensions('mint', data, MINT_SIZE),
  };
}

export function encodeMint(mint: Mint): Uint8Array {
  const writer = new ByteWriter(MINT_SIZE);
  writeOptionalAddress(writer, mint.mintAuthority);
  writer.u64(mint.supply).u8(mint.decimals).bool(true);
  writeOptionalAddress(writer, mint.freezeAuthority);
  return writeExtensions('mint', writer.finish(), mint.extensions);
}
