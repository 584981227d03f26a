import { createPublicKey, verify } from 'node:crypto';
import type { Signature } from '@solana/kit';
import { type Address, addressBytes } from '../address.ts';
import { decodeBase58Exactly, encodeBase58 } from '../encoding/base58.ts';

/** Base58 text of the 64 bytes of a signature; a transaction's first one is its id. */
export type { Signature } from '@solana/kit';

export const SIGNATURE_BYTES = 64;

/** Null when `text` is not base58 for exactly 64 bytes. */
export function parseSignature(text: string): Signature | null {
  return decodeBase58Exactly(text, SIGNATURE_BYTES) === null ? null : (text as Signature);
}

/** Throws `RangeError` when the bytes are not 64. */
export function signatureFromBytes(bytes: Uint8Array): Signature {
  if (bytes.length !== SIGNATURE_BYTES) throw new RangeError(`a signature has 64 bytes, got ${bytes.length}`);
  return encodeBase58(bytes) as Signature;
}

/** Whether `signature` is the Ed25519 signature of `message` by `address`'s key, as strictly as the chain checks. */
export function verifySignature(address: Address, message: Uint8Array, signature: Uint8Array): boolean {
  const key = addressBytes(address);
  if (signature.length !== SIGNATURE_BYTES || isSmallOrder(key) || isSmallOrder(signature)) return false;
  const x = Buffer.from(key).toString('base64url');
  // A JWK is imported in a sixth of the time that DER takes.
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, message, publicKey, signature);
}

/**
 * The y of the points of order 1, 2, 4 and 8, little-endian, those beyond the prime included. Anyone can sign for such
 * a key, so the chain refuses it, and a signature that begins with one (`verify_strict` of ed25519-dalek).
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

/** Whether the first 32 bytes are a compressed point of small order, of either sign. */
function isSmallOrder(bytes: Uint8Array): boolean {
  const point = Buffer.from(bytes.subarray(0, 32));
  point[31] = (point[31] ?? 0) & 0x7f;
  return SMALL_ORDER.has(point.toString('hex'));
}
