import { hash, randomBytes } from 'node:crypto';
import { remembered } from '../../common/collections/remembered.ts';

const KEY_BYTES = 32;
/** Of SHA-256. */
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** There is room for a key of so many, and it is hashed from there; a longer one is hashed too. */
const USUAL_BYTES = 600;
/** Of UTF-8, for one unit of a string. */
const MAX_BYTES_OF_UNIT = 3;

/** 256 bits after the prefix, in hex. */
export function newApiKey(prefix: string): string {
  return prefix + randomBytes(KEY_BYTES).toString('hex');
}

/** What is stored in place of a key. Who reads the database alone can neither use a key nor test a guess. */
export type HashKey = (key: string) => string;

/**
 * HMAC-SHA-256 (RFC 2104) in hex, of two hashes that are each one call over bytes that are there already: every request
 * with a key needs one, and objects for it would cost more than the hashing.
 */
export function keyHasher(secret: string): HashKey {
  const given = Buffer.from(secret);
  const block = Buffer.alloc(BLOCK_BYTES);
  (given.length > BLOCK_BYTES ? hash('sha256', given, 'buffer') : given).copy(block);
  const inner = Buffer.alloc(BLOCK_BYTES + USUAL_BYTES);
  inner.set(block.map((byte) => byte ^ 0x36));
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
  outer.set(block.map((byte) => byte ^ 0x5c));
  const firstBytes = remembered((length: number) => inner.subarray(0, length));
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
