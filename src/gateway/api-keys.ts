import { createHash, timingSafeEqual } from 'node:crypto';

export const API_KEY_HEADER = 'x-api-key';

/** Tells whether a key is one of those that exist. */
export type KnowsKey = (key: string) => boolean;

/**
 * Hashes are compared, and all of them, so that the time an answer takes says nothing about a key.
 * @param keys those that exist; only their hashes are kept
 */
export function keyCheck(keys: readonly string[]): KnowsKey {
  const digests = keys.map(digestOf);
  return (key) => {
    const digest = digestOf(key);
    return digests.reduce((found, candidate) => timingSafeEqual(digest, candidate) || found, false);
  };
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
