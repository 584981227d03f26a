import { createHmac, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;

/** 256 bits after the prefix, in hex. */
export function newApiKey(prefix: string): string {
  return prefix + randomBytes(KEY_BYTES).toString('hex');
}

/** What is stored in place of a key. Who reads the database alone can neither use a key nor test a guess. */
export type HashKey = (key: string) => string;

export function keyHasher(secret: string): HashKey {
  return (key) => createHmac('sha256', secret).update(key).digest('hex');
}
