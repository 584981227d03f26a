const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const ONE = 0x31;

/** Five base58 digits make one limb: 58^5 < 2^30, so a limb times a 16-bit word stays exact in a double. */
const DIGITS_PER_LIMB = 5;
const LIMB = 58 ** DIGITS_PER_LIMB;
const WORD = 1 << 16;

/** The longest text that is decoded: a transaction of 1,232 bytes has 1,683 digits. */
const MAX_TEXT = 2048;

const DIGIT_CODES = Uint8Array.from(ALPHABET, (char) => char.charCodeAt(0));
const DIGIT_OF_CODE = new Int8Array(128).fill(-1);
for (let digit = 0; digit < 58; digit++) DIGIT_OF_CODE[ALPHABET.charCodeAt(digit)] = digit;

/** Tables that turn base conversion of one length into a product of a vector and a constant matrix. */
interface FixedLength {
  readonly bytes: number;
  readonly words: number;
  readonly limbs: number;
  /** Row `i`: the limbs of 65536^(words - 1 - i). */
  readonly limbsOfWord: Float64Array;
  /** Row `j`: the 16-bit words of (58^5)^(limbs - 1 - j), without those that do not fit. */
  readonly wordsOfLimb: Float64Array;
  readonly limbScratch: Float64Array;
  readonly wordScratch: Float64Array;
}

function fixedLength(bytes: number): FixedLength {
  const words = bytes / 2;
  const limbs = Math.ceil((bytes * Math.log(256)) / Math.log(LIMB));
  const limbsOfWord = new Float64Array(words * limbs);
  const wordsOfLimb = new Float64Array(limbs * words);
  for (let i = 0; i < words; i++) {
    writeDigits(
      BigInt(WORD) ** BigInt(words - 1 - i),
      BigInt(LIMB),
      limbsOfWord.subarray(i * limbs, (i + 1) * limbs),
    );
  }
  for (let j = 0; j < limbs; j++) {
    writeDigits(
      BigInt(LIMB) ** BigInt(limbs - 1 - j),
      BigInt(WORD),
      wordsOfLimb.subarray(j * words, (j + 1) * words),
    );
  }
  return {
    bytes,
    words,
    limbs,
    limbsOfWord,
    wordsOfLimb,
    limbScratch: new Float64Array(limbs),
    wordScratch: new Float64Array(words),
  };
}

function writeDigits(value: bigint, base: bigint, out: Float64Array): void {
  for (let i = out.length - 1; i >= 0; i--, value /= base) out[i] = Number(value % base);
}

const FIXED_32 = fixedLength(32);
const FIXED_64 = fixedLength(64);
const TEXT_SCRATCH = Buffer.alloc(160);

/**
 * Encodes bytes as base58 text. The cost grows with the square of the length, so bound untrusted input first.
 *
 * @param bytes - Any number of bytes; 32 and 64 take a faster way.
 *
 * @example
 * ```ts
 * import { encodeBase58 } from './base58.ts';
 *
 * encodeBase58(new Uint8Array(32)); // '11111111111111111111111111111111', the system program
 * ```
 */
export function encodeBase58(bytes: Uint8Array): string {
  if (bytes.length === 32) return encodeFixed(FIXED_32, bytes, 0);
  if (bytes.length === 64) return encodeFixed(FIXED_64, bytes, 0);
  return encodeAny(bytes);
}

/**
 * Encodes 32 bytes in the middle of others without copying them.
 *
 * @param bytes - At least `offset + 32` bytes; the caller checks this.
 * @param offset - Where the 32 bytes begin.
 */
export function encodeBase58At32(bytes: Uint8Array, offset: number): string {
  return encodeFixed(FIXED_32, bytes, offset);
}

/**
 * Decodes base58 text of any length up to 2,048 characters.
 *
 * Returns the bytes, or null when `text` is longer or has a character outside the alphabet.
 */
export function decodeBase58(text: string): Uint8Array | null {
  if (text.length > MAX_TEXT) return null;
  return decodeAny(text);
}

/**
 * Decodes an address or a signature.
 *
 * @param text - Untrusted text.
 * @param length - The number of bytes: 32 for an address or a hash, 64 for a signature.
 * @returns The bytes, or null when `text` is not base58 or encodes another number of bytes.
 *
 * @example
 * ```ts
 * import { decodeBase58Exactly } from './base58.ts';
 *
 * const mint = decodeBase58Exactly('So11111111111111111111111111111111111111112', 32);
 * if (mint === null) throw new Error('not an address');
 * ```
 */
export function decodeBase58Exactly(text: string, length: 32 | 64): Uint8Array | null {
  return decodeFixed(length === 32 ? FIXED_32 : FIXED_64, text);
}

function encodeFixed(fixed: FixedLength, bytes: Uint8Array, offset: number): string {
  const { words, limbs, limbsOfWord, limbScratch } = fixed;
  limbScratch.fill(0);
  for (let i = 0, row = 0; i < words; i++, row += limbs) {
    const at = offset + 2 * i;
    const word = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
    if (word === 0) continue;
    for (let j = 0; j < limbs; j++)
      limbScratch[j] = (limbScratch[j] ?? 0) + word * (limbsOfWord[row + j] ?? 0);
  }
  carry(limbScratch, LIMB);
  let zeros = 0;
  while (zeros < fixed.bytes && bytes[offset + zeros] === 0) zeros++;
  return textOfLimbs(limbScratch, limbs, zeros);
}

/** Every element is below 2^51 (64 bytes: 32 products of 2^16 and 2^29.3), where the floored quotient is exact. */
function carry(digits: Float64Array, base: number): void {
  for (let i = digits.length - 1; i > 0; i--) {
    const value = digits[i] ?? 0;
    const quotient = Math.floor(value / base);
    digits[i] = value - quotient * base;
    digits[i - 1] = (digits[i - 1] ?? 0) + quotient;
  }
}

/** A leading zero byte is written as one leading `1`, whatever the number of leading zero digits. */
function textOfLimbs(limbs: Float64Array, count: number, zeroBytes: number): string {
  const size = count * DIGITS_PER_LIMB;
  const text = size + zeroBytes <= TEXT_SCRATCH.length ? TEXT_SCRATCH : Buffer.alloc(size + zeroBytes);
  for (let j = 0; j < count; j++) {
    let limb = (limbs[j] ?? 0) | 0;
    const first = zeroBytes + j * DIGITS_PER_LIMB;
    for (let k = first + DIGITS_PER_LIMB - 1; k >= first; k--) {
      const quotient = (limb / 58) | 0;
      text[k] = DIGIT_CODES[limb - quotient * 58] ?? 0;
      limb = quotient;
    }
  }
  let start = zeroBytes;
  while (start < zeroBytes + size && text[start] === ONE) start++;
  text.fill(ONE, start - zeroBytes, start);
  return text.toString('latin1', start - zeroBytes, zeroBytes + size);
}

function encodeAny(bytes: Uint8Array): string {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++;
  const limbs = new Float64Array(Math.ceil(((bytes.length - zeros) * Math.log(256)) / Math.log(LIMB)) + 1);
  const last = limbs.length - 1;
  let lowest = last;
  for (let i = zeros; i < bytes.length; i++) {
    let carried = bytes[i] ?? 0;
    for (let j = last; j >= lowest || carried !== 0; j--) {
      const value = (limbs[j] ?? 0) * 256 + carried;
      carried = Math.floor(value / LIMB);
      limbs[j] = value - carried * LIMB;
      if (j < lowest) lowest = j;
    }
  }
  return textOfLimbs(limbs, limbs.length, zeros);
}

function decodeFixed(fixed: FixedLength, text: string): Uint8Array | null {
  const { words, limbs, wordsOfLimb, limbScratch, wordScratch } = fixed;
  if (text.length > limbs * DIGITS_PER_LIMB || !readLimbs(text, limbScratch)) return null;
  wordScratch.fill(0);
  for (let j = 0, row = 0; j < limbs; j++, row += words) {
    const limb = limbScratch[j] ?? 0;
    if (limb === 0) continue;
    for (let i = 0; i < words; i++)
      wordScratch[i] = (wordScratch[i] ?? 0) + limb * (wordsOfLimb[row + i] ?? 0);
  }
  carry(wordScratch, WORD);
  if ((wordScratch[0] ?? 0) >= WORD) return null;
  const bytes = new Uint8Array(fixed.bytes);
  for (let i = 0; i < words; i++) {
    const word = wordScratch[i] ?? 0;
    bytes[2 * i] = word >> 8;
    bytes[2 * i + 1] = word;
  }
  return leadingOnes(text) === leadingZeros(bytes) ? bytes : null;
}

/** Right-aligned base 58^5 limbs of `text`; false at a character outside the alphabet. */
function readLimbs(text: string, limbs: Float64Array): boolean {
  let end = text.length;
  for (let j = limbs.length - 1; j >= 0; j--, end -= DIGITS_PER_LIMB) {
    let limb = 0;
    for (let k = Math.max(0, end - DIGITS_PER_LIMB); k < end; k++) {
      const digit = DIGIT_OF_CODE[text.charCodeAt(k)] ?? -1;
      if (digit < 0) return false;
      limb = limb * 58 + digit;
    }
    limbs[j] = limb;
  }
  return true;
}

function decodeAny(text: string): Uint8Array | null {
  const limbs = new Float64Array(Math.ceil(text.length / DIGITS_PER_LIMB));
  if (!readLimbs(text, limbs)) return null;
  const size = Math.ceil((text.length * Math.log(58)) / Math.log(256)) + 1;
  const bytes = new Uint8Array(size);
  let lowest = size - 1;
  for (let j = 0; j < limbs.length; j++) {
    let carried = limbs[j] ?? 0;
    for (let i = size - 1; i >= lowest || carried !== 0; i--) {
      const value = (bytes[i] ?? 0) * LIMB + carried;
      bytes[i] = value % 256;
      carried = Math.floor(value / 256);
      if (i < lowest) lowest = i;
    }
  }
  const ones = leadingOnes(text);
  const zeros = leadingZeros(bytes);
  const decoded = new Uint8Array(ones + size - zeros);
  decoded.set(bytes.subarray(zeros), ones);
  return decoded;
}

function leadingOnes(text: string): number {
  let count = 0;
  while (text.charCodeAt(count) === ONE) count++;
  return count;
}

function leadingZeros(bytes: Uint8Array): number {
  let count = 0;
  while (count < bytes.length && bytes[count] === 0) count++;
  return count;
}
