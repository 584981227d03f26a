import { hash, randomBytes } from 'node:crypto';
import { memoize } from '../../common/collections/memoized.ts';

/** No issued key is longer, so a longer text is refused without hashing it. */
export const MAX_KEY_LENGTH = 200;
const KEY_BYTES = 32;
/** The block and digest sizes of SHA-256. */
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Keys up to this size are hashed in a buffer that is reused; longer ones in a new one. */
const USUAL_BYTES = 600;
/** Most bytes that one UTF-16 code unit takes in UTF-8. */
const MAX_BYTES_OF_UNIT = 3;

/** Returns a new key: the prefix, and 256 random bits in hex. */
export function createApiKey(prefix: string): string {
  return prefix + randomBytes(KEY_BYTES).toString('hex');
}

/** How many characters of each end of a key are shown, in addition to its prefix. */
const SHOWN_OF_END = 4;
/** A key with fewer characters that stay secret is not shown at all. */
const MIN_SECRET = 24;

/**
 * Returns what a key can be recognised by: its first and last characters.
 * Returns such as `jup_12ab...cd89`; null for a key that is so short that too few characters would stay secret.
 */
export function toKeyExcerpt(key: string, prefix: string): string | null {
  const first = key.slice(0, (key.startsWith(prefix) ? prefix.length : 0) + SHOWN_OF_END);
  const isLong = key.length - first.length - SHOWN_OF_END >= MIN_SECRET;
  return isLong ? `${first}...${key.slice(-SHOWN_OF_END)}` : null;
}

/** Returns the hash that is stored instead of a key. Without the secret, it neither reveals the key nor confirms a guess. */
export type HashKey = (key: string) => string;

/**
 * Every request with a key needs a hash, so it is computed from preallocated buffers: creating HMAC objects would cost more
 * than the hashing.
 * Returns a function that computes HMAC-SHA-256 (RFC 2104) in hex.
 */
export function createKeyHasher(secret: string): HashKey {
  const given = Buffer.from(secret);
  const block = Buffer.alloc(BLOCK_BYTES);
  (given.length > BLOCK_BYTES ? hash('sha256', given, 'buffer') : given).copy(block);
  const inner = Buffer.alloc(BLOCK_BYTES + USUAL_BYTES);
  inner.set(block.map((byte) => byte ^ 0x36));
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
  outer.set(block.map((byte) => byte ^ 0x5c));
  const firstBytes = memoize((length: number) => inner.subarray(0, length));
  const innerHash = (key: string) => {
    if (key.length * MAX_BYTES_OF_UNIT > USUAL_BYTES) {
      return hash('sha256', Buffer.concat([inner.subarray(0, BLOCK_BYTES), Buffer.from(key)]), 'binary');
    }
    return hash('sha256', firstBytes(BLOCK_BYTES + inner.write(key, BLOCK_BYTES)), 'binary');
  };
  return (key) => {
    outer.write(innerHash(key), BLOCK_BYTES, 'binary');
    return hash('sha256', outer, 'hex');
  };
}

/** Hashes what can be a key. Returns null for a text that is longer than any key. */
export function hashPossibleKey(hashKey: HashKey, key: string): string | null {
  return key.length > MAX_KEY_LENGTH ? null : hashKey(key);
}

/**
 * Creates a hash for looking up keys within this process alone. It is one digest instead of the two of `createKeyHasher`. The
 * random prefix is never stored, so its hashes confirm no guess of a key outside this process.
 */
export function createInProcessKeyHasher(): HashKey {
  const prefix = randomBytes(KEY_BYTES).toString('hex');
  return (key) => hash('sha256', prefix + key, 'base64');
}
