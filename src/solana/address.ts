import type { Address } from '@solana/kit';
import { decodeBase58Exactly, encodeBase58At32 } from './encoding/base58.ts';
import { BoundedCache, type Entry } from '../common/collections/bounded-cache.ts';

export type { Address } from '@solana/kit';

export const ADDRESS_BYTES = 32;

const CACHED = 1 << 15;
/** The key is the one string that stands for the address everywhere: the same text is then the same object too. */
const bytesOfAddress = new BoundedCache<Address, Uint8Array>(CACHED);

/**
 * The address that `text` is, or null when it is not base58 for exactly 32 bytes. Not `text` itself, which may be a
 * slice that keeps a whole request in memory, and is slow to compare with what pools hold.
 */
export function parseAddress(text: string): Address | null {
  return lookUp(text)?.key ?? null;
}

/** An address written in source code; throws `TypeError` when it is not one. */
export function address(text: string): Address {
  return known(text).key;
}

/** The 32 bytes of an address, shared with other callers: do not write to them. */
export function addressBytes(address: Address): Uint8Array {
  return known(address).value;
}

function known(text: string): Entry<Address, Uint8Array> {
  const found = lookUp(text);
  if (found === null) throw new TypeError(`not a Solana address: ${JSON.stringify(text.slice(0, 64))}`);
  return found;
}

function lookUp(text: string): Entry<Address, Uint8Array> | null {
  const cached = bytesOfAddress.find(text as Address);
  if (cached !== undefined) return cached;
  const bytes = decodeBase58Exactly(text, ADDRESS_BYTES);
  return bytes === null ? null : bytesOfAddress.set(addressFromBytes(bytes), bytes);
}

/** Orders addresses by their bytes, as on-chain programs do that sort a pair of mints. */
export function compareAddresses(left: Address, right: Address): number {
  if (left === right) return 0;
  return Buffer.compare(addressBytes(left), addressBytes(right));
}

const SLOTS = 1 << 16;
const WORDS = ADDRESS_BYTES / 4;

/** One entry per slot: an address whose hash falls on a used slot takes it over, so memory never grows. */
const slotBytes = new Int32Array(SLOTS * WORDS);
const slotText: (Address | undefined)[] = new Array(SLOTS).fill(undefined);
const words = new Int32Array(WORDS);

/** The address whose 32 bytes begin at `offset`; throws `RangeError` when fewer than 32 bytes are there. */
export function addressFromBytes(bytes: Uint8Array, offset = 0): Address {
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
