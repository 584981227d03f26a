import { type Address, toAddressBytes, toAddress } from './address.ts';
import { BoundedCache } from '../common/collections/bounded-cache.ts';
import { isOnCurve } from './curve.ts';
import { ASSOCIATED_TOKEN_PROGRAM } from './program-addresses.ts';
import { sha256 } from './encoding/sha256.ts';

/** A program-derived address. */
export interface ProgramAddress {
  readonly address: Address;
  /** The last seed, chosen so that the address is not on the curve. */
  readonly bump: number;
}

const MAX_SEEDS = 16;
const MAX_SEED_BYTES = 32;
const MARKER = new TextEncoder().encode('ProgramDerivedAddress');

/** The bytes that are hashed: seeds, program and marker, as in `Pubkey::create_program_address`. */
const preimage = new Uint8Array(576);
const preimageWords = new Int32Array(preimage.buffer);

interface CachedDerivation {
  readonly derived: ProgramAddress;
  /** The preimage up to the marker, with 0 as the bump. Boundaries between seeds are not part of the hash. */
  readonly words: Int32Array;
  /** The number of bytes in `words` without the padding of the last word. */
  readonly end: number;
}

/** Keyed by a hash of the words. Preimages with the same hash are distinguished, but only one of them is cached. */
const derivations = new BoundedCache<number, CachedDerivation>(1 << 15);

/**
 * Derives the program's address for exactly these seeds, without searching for a bump.
 *
 * Returns the address, or null when it is on the curve, where a private key for it might exist.
 * @throws RangeError for more than 16 seeds, or a seed of more than 32 bytes.
 */
export function createProgramAddress(program: Address, seeds: readonly Uint8Array[]): Address | null {
  const end = append(toAddressBytes(program), writeSeeds(seeds, MAX_SEEDS));
  const digest = sha256(preimage.subarray(0, append(MARKER, end)));
  return isOnCurve(digest) ? null : toAddress(digest);
}

/**
 * Derives the program's address for these seeds and the highest bump that puts it off the curve. Results are cached.
 *
 * @param program - The program that can sign for the address.
 * @param seeds - At most 15, because the bump is the sixteenth; each has at most 32 bytes.
 * @throws RangeError for too many seeds, or a seed that is too long.
 *
 * @example
 * ```ts
 * import { address, toAddressBytes } from './address.ts';
 * import { findProgramAddress } from './pda.ts';
 *
 * const vaults = address('jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi');
 * const mint = address('So11111111111111111111111111111111111111112');
 * const { address: vault, bump } = findProgramAddress(vaults, [Buffer.from('vault'), toAddressBytes(mint)]);
 * ```
 */
export function findProgramAddress(program: Address, seeds: readonly Uint8Array[]): ProgramAddress {
  const bumpAt = writeSeeds(seeds, MAX_SEEDS - 1);
  preimage[bumpAt] = 0;
  const end = append(toAddressBytes(program), bumpAt + 1);
  const words = padToWord(end) / 4;
  const key = hashPreimage(words, end);
  const cached = derivations.get(key);
  if (cached !== undefined && cached.end === end && equalsPreimage(cached.words)) return cached.derived;
  const keptWords = preimageWords.slice(0, words);
  const derived = searchBump(bumpAt, append(MARKER, end));
  derivations.set(key, { derived, words: keptWords, end });
  return derived;
}

/**
 * Derives the address of `owner`'s associated token account for `mint`.
 *
 * @param tokenProgram - The program that owns the mint: the token program or Token-2022.
 *
 * @example
 * ```ts
 * import { address } from './address.ts';
 * import { deriveAssociatedTokenAddress } from './pda.ts';
 * import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from './program-addresses.ts';
 *
 * const owner = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
 * const account = deriveAssociatedTokenAddress(owner, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
 * ```
 */
export function deriveAssociatedTokenAddress(owner: Address, mint: Address, tokenProgram: Address): Address {
  associatedSeeds[0] = toAddressBytes(owner);
  associatedSeeds[1] = toAddressBytes(tokenProgram);
  associatedSeeds[2] = toAddressBytes(mint);
  return findProgramAddress(ASSOCIATED_TOKEN_PROGRAM, associatedSeeds).address;
}

const associatedSeeds: Uint8Array[] = [];

/**
 * Derives the address that `base` can create an account at, as in `Pubkey::create_with_seed`.
 *
 * @param seed - At most 32 bytes of text.
 * @param owner - The program that owns the account.
 * @throws RangeError for a longer seed.
 */
export function deriveSeededAddress(base: Address, seed: string, owner: Address): Address {
  const text = new TextEncoder().encode(seed);
  if (text.length > MAX_SEED_BYTES) {
    throw new RangeError(`a seed takes at most ${MAX_SEED_BYTES} bytes, got ${text.length}`);
  }
  return toAddress(sha256(Buffer.concat([toAddressBytes(base), text, toAddressBytes(owner)])));
}

function searchBump(bumpAt: number, end: number): ProgramAddress {
  const hashed = preimage.subarray(0, end);
  for (let bump = 255; bump >= 0; bump--) {
    preimage[bumpAt] = bump;
    const digest = sha256(hashed);
    if (!isOnCurve(digest)) return { address: toAddress(digest), bump };
  }
  throw new Error('no bump from 255 to 0 gives an address off the curve for these seeds');
}

/** Writes the seeds to `preimage` and returns the offset after them. */
function writeSeeds(seeds: readonly Uint8Array[], maxSeeds: number): number {
  if (seeds.length > maxSeeds)
    throw new RangeError(`a program address takes at most ${maxSeeds} seeds, got ${seeds.length}`);
  let at = 0;
  for (const seed of seeds) {
    if (seed.length > MAX_SEED_BYTES) {
      throw new RangeError(`a seed takes at most ${MAX_SEED_BYTES} bytes, got ${seed.length}`);
    }
    at = append(seed, at);
  }
  return at;
}

/** Zeroes the bytes up to the next word boundary and returns its offset. */
function padToWord(end: number): number {
  let padded = end;
  while (padded % 4 !== 0) preimage[padded++] = 0;
  return padded;
}

/** Returns a small integer, because maps are fastest with small integers as keys. */
function hashPreimage(words: number, end: number): number {
  let hash = end;
  for (let i = 0; i < words; i++) {
    hash = Math.imul(hash ^ (preimageWords[i] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash & 0x3fff_ffff;
}

function equalsPreimage(words: Int32Array): boolean {
  for (let i = 0; i < words.length; i++) if (words[i] !== preimageWords[i]) return false;
  return true;
}

function append(bytes: Uint8Array, at: number): number {
  for (let i = 0; i < bytes.length; i++) preimage[at + i] = bytes[i] ?? 0;
  return at + bytes.length;
}
