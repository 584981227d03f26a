/** Lengths in messages: seven bits a byte, low bits first, one to three bytes (Solana's `short_vec`). */
export const COMPACT_U16_MAX = 0xffff;

export function compactU16Size(value: number): 1 | 2 | 3 {
  if (value < 0x80) return 1;
  return value < 0x4000 ? 2 : 3;
}

/** Returns the offset after the number. `value` must be 0 to 65,535 and have room. */
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

/** Null when the bytes at `offset` end early, are longer than the number needs, or exceed 65,535. */
export function readCompactU16(bytes: Uint8Array, offset: number): { value: number; end: number } | null {
  let value = 0;
  for (let i = 0; i < 3; i++) {
    const byte = bytes[offset + i];
    if (byte === undefined || (byte === 0 && i > 0)) return null;
    value |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) return value > COMPACT_U16_MAX ? null : { value, end: offset + i + 1 };
  }
  return null;
}
