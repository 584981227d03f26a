import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { Address } from './address.ts';
import { encodeBase58 } from './base58.ts';

/** An Ed25519 key that can sign. Plain data, so that it can cross to a worker thread. */
export interface Keypair {
  readonly address: Address;
  /** 64 bytes, as in Solana's keypair files: the 32-byte seed, then the public key. */
  readonly secretKey: Uint8Array;
}

/** DER of a PKCS #8 private key up to its seed (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;

/** @throws RangeError when the seed is not 32 bytes. */
export function keypairFromSeed(seed: Uint8Array): Keypair {
  if (seed.length !== SEED_BYTES) {
    throw new RangeError(`a key's seed must be ${SEED_BYTES} bytes, got ${seed.length}`);
  }
  const spki = createPublicKey(privateKey(seed)).export({ format: 'der', type: 'spki' });
  const publicKey = spki.subarray(-32);
  const secretKey = new Uint8Array(64);
  secretKey.set(seed);
  secretKey.set(publicKey, SEED_BYTES);
  return { address: encodeBase58(publicKey) as Address, secretKey };
}

/** The 64-byte Ed25519 signature of `message`. */
export function signWith(keypair: Keypair, message: Uint8Array): Uint8Array {
  return sign(null, message, privateKey(keypair.secretKey.subarray(0, SEED_BYTES)));
}

function privateKey(seed: Uint8Array) {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}
