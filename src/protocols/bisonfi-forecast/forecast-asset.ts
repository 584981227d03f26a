import type { ByteReader } from '../../solana/codec/byte-reader.ts';
import type { ByteWriter } from '../../solana/codec/byte-writer.ts';

const SIZE = 8;

/** Reads what a feed prices: a text in 8 bytes, of which those that it does not need are 0. */
export function readForecastAsset(from: ByteReader): string {
  return Buffer.from(from.bytes(SIZE)).toString('latin1').replace(/\0+$/, '');
}

/**
 * Writes what a feed prices.
 *
 * @throws RangeError for a text that is longer than 8 bytes.
 */
export function writeForecastAsset(to: ByteWriter, asset: string): ByteWriter {
  const bytes = Buffer.from(asset, 'latin1');
  if (bytes.length > SIZE) throw new RangeError(`an asset takes at most ${SIZE} bytes, got ${asset}`);
  return to.bytes(bytes).zeros(SIZE - bytes.length);
}
