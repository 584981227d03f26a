/**
 * The largest compact u16. Messages encode lengths in this format (Solana's `short_vec`): seven bits per byte, low bits
 * first, in one to three bytes.
 */
export const MAX_COMPACT_U16 = 0xffff;

/** The number of bytes that `value` takes as a compact u16. */
export function computeCompactU16Size(value: number): 1 | 2 | 3 {
  if (value < 0x80) return 1;
  return value < 0x4000 ? 2 : 3;
}

/**
 * Writes a compact u16.
 *
 * @param value - From 0 to 65,535; not checked. `out` must have room for it.
 * @returns The offset after the number.
 */
export function writeCompactU16(out: Uint8Array, offset: number, value: number): number {
  let at = offset;
  let rest = value;
  while (rest >= 0x80) {
    out[at++] = (rest & 0x7f) | 0x80;
    rest >>= 7;
  }
  out[at++] = rest;
  return at;
}

/**
 * Reads a compact u16.
 *
 * Returns the number and the offset after it, or null when the bytes end early, encode the number with more bytes than
 * it needs, or encode a number above 65,535.
 */
export function readCompactU16(bytes: Uint8Array, offset: number): { value: number; end: number } | null {
  let value = 0;
  for (let i = 0; i < 3; i++) {
    const byte = bytes[offset + i];
    if (byte === undefined || (byte === 0 && i > 0)) return null;
    value |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) return value > MAX_COMPACT_U16 ? null : { value, end: offset + i + 1 };
  }
  return null;
}
