import type { Address } from '@solana/kit';
import { decodeBase58Exactly, encodeBase58At32 } from './encoding/base58.ts';
import { BoundedCache, type CacheEntry } from '../common/collections/bounded-cache.ts';

export type { Address } from '@solana/kit';

export const ADDRESS_BYTES = 32;

const MAX_CACHED_ADDRESSES = 1 << 15;
/** Its keys are interned: equal addresses are the same string object, which makes comparing them cheap. */
const bytesOfAddress = new BoundedCache<Address, Uint8Array>(MAX_CACHED_ADDRESSES);

/**
 * Parses an untrusted address.
 *
 * The result is an interned string rather than `text` itself: `text` may be a slice that keeps a whole request in
 * memory, and interned strings compare faster.
 *
 * @param text - Base58 text of any length.
 * @returns The address, or null when `text` does not encode exactly 32 bytes.
 *
 * @example
 * ```ts
 * import { parseAddress } from './address.ts';
 *
 * parseAddress('So11111111111111111111111111111111111111112'); // the mint of wrapped SOL
 * parseAddress('not an address'); // null
 * ```
 */
export function parseAddress(text: string): Address | null {
  return lookUp(text)?.key ?? null;
}

/**
 * Parses an address that is written in source code.
 *
 * @throws TypeError when `text` does not encode exactly 32 bytes.
 *
 * @example
 * ```ts
 * import { address } from './address.ts';
 *
 * const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
 * ```
 */
export function address(text: string): Address {
  return lookUpOrThrow(text).key;
}

/**
 * Decodes an address.
 *
 * Returns the 32 bytes, which other callers share: do not write to them.
 * @throws TypeError when `address` was cast from text that is not an address.
 *
 * @example
 * ```ts
 * import { address, toAddressBytes } from './address.ts';
 *
 * toAddressBytes(address('11111111111111111111111111111111')); // 32 zero bytes
 * ```
 */
export function toAddressBytes(address: Address): Uint8Array {
  return lookUpOrThrow(address).value;
}

function lookUpOrThrow(text: string): CacheEntry<Address, Uint8Array> {
  const found = lookUp(text);
  if (found === null) throw new TypeError(`not a Solana address: ${JSON.stringify(text.slice(0, 64))}`);
  return found;
}

function lookUp(text: string): CacheEntry<Address, Uint8Array> | null {
  const cached = bytesOfAddress.find(text as Address);
  if (cached !== undefined) return cached;
  const bytes = decodeBase58Exactly(text, ADDRESS_BYTES);
  return bytes === null ? null : bytesOfAddress.set(toAddress(bytes), bytes);
}

/**
 * Compares two addresses by their bytes, as on-chain programs do when they sort a pair of mints.
 *
 * Returns a negative number when `left` comes first, a positive one when `right` does, and 0 when they are equal.
 */
export function compareAddresses(left: Address, right: Address): number {
  if (left === right) return 0;
  return Buffer.compare(toAddressBytes(left), toAddressBytes(right));
}

const SLOTS = 1 << 16;
const WORDS = ADDRESS_BYTES / 4;

/** A direct-mapped cache: an address replaces the one whose hash selects the same slot, so memory never grows. */
const slotBytes = new Int32Array(SLOTS * WORDS);
const slotText: (Address | undefined)[] = new Array(SLOTS).fill(undefined);
const words = new Int32Array(WORDS);

/**
 * Encodes 32 bytes as an address. The result is cached and interned.
 *
 * @param bytes - Account data, a message, or the 32 bytes themselves.
 * @param offset - Where the address begins.
 * @throws RangeError when fewer than 32 bytes follow `offset`.
 *
 * @example
 * ```ts
 * import { toAddress } from './address.ts';
 *
 * const tokenAccountData = new Uint8Array(165);
 * const owner = toAddress(tokenAccountData, 32);
 * ```
 */
export function toAddress(bytes: Uint8Array, offset = 0): Address {
  if (offset < 0 || offset + ADDRESS_BYTES > bytes.length) {
    throw new RangeError(
      `an address needs 32 bytes at offset ${offset}, but the data has ${bytes.length} bytes`,
    );
  }
  const slot = readWords(bytes, offset) & (SLOTS - 1);
  const cached = slotText[slot];
  if (cached !== undefined && slotHoldsWords(slot)) return cached;
  const text = encodeBase58At32(bytes, offset) as Address;
  const address = bytesOfAddress.find(text)?.key ?? text;
  slotBytes.set(words, slot * WORDS);
  slotText[slot] = address;
  return address;
}

/** Copies the address into `words` and returns a hash of it. */
function readWords(bytes: Uint8Array, offset: number): number {
  let hash = 0;
  for (let i = 0, at = offset; i < WORDS; i++, at += 4) {
    const word =
      (bytes[at] ?? 0) |
      ((bytes[at + 1] ?? 0) << 8) |
      ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24);
    words[i] = word;
    hash = Math.imul(hash ^ word, 0x9e3779b1);
  }
  return hash ^ (hash >>> 16);
}

function slotHoldsWords(slot: number): boolean {
  const first = slot * WORDS;
  for (let i = 0; i < WORDS; i++) if (slotBytes[first + i] !== words[i]) return false;
  return true;
}
