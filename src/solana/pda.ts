import { type Address, addressBytes, addressFromBytes } from './address.ts';
import { BoundedCache } from '../common/collections/bounded-cache.ts';
import { isOnCurve } from './curve.ts';
import { ASSOCIATED_TOKEN_PROGRAM } from './program-addresses.ts';
import { sha256 } from './encoding/sha256.ts';

export interface ProgramAddress {
  readonly address: Address;
  readonly bump: number;
}

const MAX_SEEDS = 16;
const MAX_SEED_BYTES = 32;
const MARKER = new TextEncoder().encode('ProgramDerivedAddress');

/** Seeds, then the program, then the marker: what is hashed, as `Pubkey::create_program_address` does. */
const preimage = new Uint8Array(576);
const preimageWords = new Int32Array(preimage.buffer);

interface Found {
  readonly derived: ProgramAddress;
  /** The preimage up to the marker, with 0 for the bump; where one seed ends and the next begins is not hashed. */
  readonly words: Int32Array;
  /** How many of the bytes count: the last word is padded with zeros. */
  readonly end: number;
}

/** Keyed by a hash of the words: two that share it take turns in the cache, but are told apart. */
const found = new BoundedCache<number, Found>(1 << 15);

/**
 * The program's address for exactly these seeds, or null when it falls on the curve, where it might have a key.
 * Throws `RangeError` for more than 16 seeds or a seed above 32 bytes.
 */
export function createProgramAddress(program: Address, seeds: readonly Uint8Array[]): Address | null {
  const end = append(addressBytes(program), writeSeeds(seeds, MAX_SEEDS));
  const digest = sha256(preimage.subarray(0, append(MARKER, end)));
  return isOnCurve(digest) ? null : addressFromBytes(digest);
}

/**
 * The program's address for these seeds and the highest bump that leaves the curve. The answer is cached.
 * Throws `RangeError` for more than 15 seeds (the bump is the sixteenth) or a seed above 32 bytes.
 */
export function findProgramAddress(program: Address, seeds: readonly Uint8Array[]): ProgramAddress {
  const bumpAt = writeSeeds(seeds, MAX_SEEDS - 1);
  preimage[bumpAt] = 0;
  const end = append(addressBytes(program), bumpAt + 1);
  const words = padToWord(end) / 4;
  const key = hashPreimage(words, end);
  const cached = found.get(key);
  if (cached !== undefined && cached.end === end && isPreimage(cached.words)) return cached.derived;
  const keptWords = preimageWords.slice(0, words);
  const derived = searchBump(bumpAt, append(MARKER, end));
  found.set(key, { derived, words: keptWords, end });
  return derived;
}

/** Where the associated-token program keeps `owner`'s tokens of `mint`. */
export function associatedTokenAddress(owner: Address, mint: Address, tokenProgram: Address): Address {
  associatedSeeds[0] = addressBytes(owner);
  associatedSeeds[1] = addressBytes(tokenProgram);
  associatedSeeds[2] = addressBytes(mint);
  return findProgramAddress(ASSOCIATED_TOKEN_PROGRAM, associatedSeeds).address;
}

const associatedSeeds: Uint8Array[] = [];

function searchBump(bumpAt: number, end: number): ProgramAddress {
  const hashed = preimage.subarray(0, end);
  for (let bump = 255; bump >= 0; bump--) {
    preimage[bumpAt] = bump;
    const digest = sha256(hashed);
    if (!isOnCurve(digest)) return { address: addressFromBytes(digest), bump };
  }
  throw new Error('no bump from 255 to 0 gives an address off the curve for these seeds');
}

/** Returns where the seeds end in `preimage`. */
function writeSeeds(seeds: readonly Uint8Array[], most: number): number {
  if (seeds.length > most)
    throw new RangeError(`a program address takes at most ${most} seeds, got ${seeds.length}`);
  let at = 0;
  for (const seed of seeds) {
    if (seed.length > MAX_SEED_BYTES) {
      throw new RangeError(`a seed takes at most ${MAX_SEED_BYTES} bytes, got ${seed.length}`);
    }
    at = append(seed, at);
  }
  return at;
}

/** Zeros the bytes up to the next whole word and returns where that is. */
function padToWord(end: number): number {
  let padded = end;
  while (padded % 4 !== 0) preimage[padded++] = 0;
  return padded;
}

/** A small integer, which a map hashes fastest. */
function hashPreimage(words: number, end: number): number {
  let hash = end;
  for (let i = 0; i < words; i++) {
    hash = Math.imul(hash ^ (preimageWords[i] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash & 0x3fff_ffff;
}

function isPreimage(words: Int32Array): boolean {
  for (let i = 0; i < words.length; i++) if (words[i] !== preimageWords[i]) return false;
  return true;
}

function append(bytes: Uint8Array, at: number): number {
  for (let i = 0; i < bytes.length; i++) preimage[at + i] = bytes[i] ?? 0;
  return at + bytes.length;
}
