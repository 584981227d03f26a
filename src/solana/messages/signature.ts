import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Signature } from '@solana/kit';
import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import { type Address, toAddressBytes } from '../address.ts';
import { decodeBase58Exactly, encodeBase58 } from '../encoding/base58.ts';

/** The base58 text of a signature. The first signature of a transaction is its id. */
export type { Signature } from '@solana/kit';

export const SIGNATURE_BYTES = 64;

/** Parses an untrusted signature. Returns null when `text` does not encode exactly 64 bytes. */
export function parseSignature(text: string): Signature | null {
  return decodeBase58Exactly(text, SIGNATURE_BYTES) === null ? null : (text as Signature);
}

/**
 * Encodes a signature.
 *
 * @throws RangeError when there are not exactly 64 bytes.
 */
export function encodeSignature(bytes: Uint8Array): Signature {
  if (bytes.length !== SIGNATURE_BYTES) throw new RangeError(`a signature has 64 bytes, got ${bytes.length}`);
  return encodeBase58(bytes) as Signature;
}

/**
 * Whether `signature` is an Ed25519 signature of `message` by the key `address`. It is as strict as the chain.
 *
 * @example
 * ```ts
 * import { createKeypairFromSeed, signWith } from '../keypair.ts';
 * import { verifySignature } from './signature.ts';
 *
 * const key = createKeypairFromSeed(new Uint8Array(32).fill(1));
 * const message = new TextEncoder().encode('hello');
 * verifySignature(key.address, message, signWith(key, message)); // true
 * ```
 */
export function verifySignature(address: Address, message: Uint8Array, signature: Uint8Array): boolean {
  const publicKey = keyToVerifyWith(address, signature);
  return publicKey !== null && verify(null, message, publicKey, signature);
}

/** Like `verifySignature`, but runs in Node's thread pool, because verifying takes a fifth of a millisecond. */
export function verifySignatureInPool(
  address: Address,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const publicKey = keyToVerifyWith(address, signature);
  if (publicKey === null) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    verify(null, message, publicKey, signature, (error, isValid) =>
      error === null ? resolve(isValid) : reject(error),
    );
  });
}

/** Returns the key of the address, or null if the chain refuses every signature by that key or with this R. */
function keyToVerifyWith(address: Address, signature: Uint8Array): KeyObject | null {
  if (signature.length !== SIGNATURE_BYTES || isSmallOrder(signature)) return null;
  const known = importedKeys.get(address);
  if (known !== undefined) return known;
  const imported = importKey(address);
  if (imported !== null) importedKeys.set(address, imported);
  return imported;
}

/** Few wallets sign most transactions, and importing a key takes a sixth of the time of verifying with it. */
const importedKeys = new BoundedCache<Address, KeyObject>(1_000);

/** Returns null for a key that anyone can sign for. */
function importKey(address: Address): KeyObject | null {
  const key = toAddressBytes(address);
  if (isSmallOrder(key)) return null;
  const x = Buffer.from(key).toString('base64url');
  // Importing a JWK takes a sixth of the time of importing DER.
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/**
 * The y coordinates of the points of order 1, 2, 4 and 8, little-endian, with the encodings that exceed the prime.
 * Anyone can sign for such a key. The chain therefore refuses it, and also a signature whose R is such a point
 * (`verify_strict` of ed25519-dalek).
 */
const SMALL_ORDER = new Set([
  `00${'00'.repeat(31)}`,
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]);

/** Whether the first 32 bytes are a compressed point of small order, with either sign. */
function isSmallOrder(bytes: Uint8Array): boolean {
  const point = Buffer.from(bytes.subarray(0, 32));
  point[31] = (point[31] ?? 0) & 0x7f;
  return SMALL_ORDER.has(point.toString('hex'));
}
