import type { Address } from '../../address.ts';
import type { ByteReader } from '../../codec/byte-reader.ts';
import type { ByteWriter } from '../../codec/byte-writer.ts';

// The token program's `COption`: a u32 tag of 0 or 1, then the value's full size, whether there is a value or not.

export function readOptionalAddress(reader: ByteReader): Address | null {
  if (readTag(reader)) return reader.address();
  reader.skip(32);
  return null;
}

export function readOptionalU64(reader: ByteReader): bigint | null {
  if (readTag(reader)) return reader.u64();
  reader.skip(8);
  return null;
}

export function writeOptionalAddress(writer: ByteWriter, value: Address | null): void {
  if (value === null) writer.zeros(36);
  else writer.u32(1).address(value);
}

export function writeOptionalU64(writer: ByteWriter, value: bigint | null): void {
  if (value === null) writer.zeros(12);
  else writer.u32(1).u64(value);
}

function readTag(reader: ByteReader): boolean {
  const tag = reader.u32();
  if (tag > 1) reader.fail(`an option's tag must be 0 or 1, got ${tag} at byte ${reader.offset - 4}`);
  return tag === 1;
}
