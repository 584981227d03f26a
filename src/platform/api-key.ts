import { hash, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
/** Of SHA-256. */
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

/** 256 bits after the prefix, in hex. */
export function newApiKey(prefix: string): string {
  return prefix + randomBytes(KEY_BYTES).toString('hex');
}

/** What is stored in place of a key. Who reads the database alone can neither use a key nor test a guess. */
export type HashKey = (key: string) => string;

/**
 * HMAC-SHA-256 (RFC 2104) in hex, of two hashes that are each one call: every request with a key needs one, and an
 * object for it would cost more than the hashing.
 */
export function keyHasher(secret: string): HashKey {
  const given = Buffer.from(secret);
  const block = Buffer.alloc(BLOCK_BYTES);
  (given.length > BLOCK_BYTES ? hash('sha256', given, 'buffer') : given).copy(block);
  const inner = block.map((byte) => byte ^ 0x36);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
  outer.set(block.map((byte) => byte ^ 0x5c));
  return (key) => {
    const message = Buffer.allocUnsafe(BLOCK_BYTES + Buffer.byteLength(key));
    message.set(inner);
    message.write(key, BLOCK_BYTES);
    outer.write(hash('sha256', message, 'binary'), BLOCK_BYTES, 'binary');
    return hash('sha256', outer, 'hex');
  };
}
