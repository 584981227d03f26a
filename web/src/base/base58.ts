const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** A transaction of 1,232 bytes has 1,683 digits. The cost grows with the square of the length. */
const MAX_TEXT = 2048;

/** Encodes the bytes of an address, a hash or a signature as base58 text. */
export function encodeBase58(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  let digits = '';
  for (; value > 0n; value /= 58n) digits = `${ALPHABET[Number(value % 58n)]}${digits}`;
  // A leading zero byte is one leading digit zero.
  return `${'1'.repeat(countLeading(bytes, 0))}${digits}`;
}

/**
 * Decodes base58 text.
 *
 * @param text - Untrusted text.
 * @returns null if the text has other characters or more than 2,048 of them.
 */
export function decodeBase58(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length > MAX_TEXT) return null;
  let value = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return null;
    value = value * 58n + BigInt(digit);
  }
  const bytes: number[] = [];
  for (; value > 0n; value >>= 8n) bytes.unshift(Number(value & 0xffn));
  const zeros = countLeading([...text], ALPHABET[0]);
  return Uint8Array.from([...new Array<number>(zeros).fill(0), ...bytes]);
}

function countLeading<Item>(items: ArrayLike<Item>, item: unknown): number {
  let count = 0;
  while (count < items.length && items[count] === item) count += 1;
  return count;
}
