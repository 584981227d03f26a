import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { removeByteOrderMark } from '../common/files/text-file.ts';
import { OperatorError } from '../common/operator-error.ts';
import { ADDRESS_BYTES, type Address, toAddress } from './address.ts';

/** An Ed25519 key that can sign. It is plain data, so that it can be posted to a worker thread. */
export interface Keypair {
  readonly address: Address;
  /** 64 bytes, as in Solana's keypair files: the 32-byte seed, then the public key. */
  readonly secretKey: Uint8Array;
}

/** DER of a PKCS #8 private key up to its seed (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;
const SECRET_KEY_BYTES = SEED_BYTES + ADDRESS_BYTES;

/**
 * Derives a keypair from its seed.
 *
 * @param seed - The 32 bytes of the private key.
 * @throws RangeError when the seed does not have 32 bytes.
 *
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto';
 * import { createKeypairFromSeed } from './keypair.ts';
 *
 * const wallet = createKeypairFromSeed(randomBytes(32));
 * wallet.address;
 * ```
 */
export function createKeypairFromSeed(seed: Uint8Array): Keypair {
  if (seed.length !== SEED_BYTES) {
    throw new RangeError(`a key's seed must be ${SEED_BYTES} bytes, got ${seed.length}`);
  }
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  const publicKey = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const secretKey = new Uint8Array(SECRET_KEY_BYTES);
  secretKey.set(seed);
  secretKey.set(spki.subarray(-ADDRESS_BYTES), SEED_BYTES);
  return { address: toAddress(secretKey, SEED_BYTES), secretKey };
}

/** Creates a keypair that nobody else has. It takes less time than one from a seed. */
export function createRandomKeypair(): Keypair {
  const { privateKey: key } = generateKeyPairSync('ed25519');
  const { d = '', x = '' } = key.export({ format: 'jwk' });
  const halves = [d, x].map((half) => Buffer.from(half, 'base64url'));
  const secretKey = new Uint8Array(Buffer.concat(halves));
  const keypair = { address: toAddress(secretKey, SEED_BYTES), secretKey };
  privateKeys.set(keypair, key);
  return keypair;
}

/**
 * Checks a secret key and wraps it.
 *
 * @param secretKey - 64 bytes: the seed, then the public key.
 * @throws OperatorError when the bytes are not a seed followed by its public key.
 */
export function createKeypairFromSecretKey(secretKey: Uint8Array): Keypair {
  if (secretKey.length !== SECRET_KEY_BYTES) {
    throw new OperatorError(`a secret key must be ${SECRET_KEY_BYTES} bytes, got ${secretKey.length}`);
  }
  const keypair = createKeypairFromSeed(secretKey.subarray(0, SEED_BYTES));
  if (Buffer.compare(keypair.secretKey, secretKey) !== 0) {
    throw new OperatorError("the last 32 bytes of the secret key are not its first 32 bytes' public key");
  }
  return keypair;
}

/**
 * Parses a keypair file in the format of Solana's tools.
 *
 * @param text - The content of the file, a JSON array of 64 bytes.
 * @throws OperatorError when the file has another form, or its two halves do not belong together.
 */
export function parseKeypairFile(text: string): Keypair {
  const bytes = parseJson(removeByteOrderMark(text));
  if (!Array.isArray(bytes) || !bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)) {
    throw new OperatorError('a keypair file must be a JSON array of 64 numbers from 0 to 255');
  }
  return createKeypairFromSecretKey(Uint8Array.from(bytes));
}

/** Returns the content of a keypair file in the format of Solana's tools. */
export function encodeKeypairFile(keypair: Keypair): string {
  return JSON.stringify([...keypair.secretKey]);
}

/** Signs `message` and returns the 64-byte Ed25519 signature. */
export function signWith(keypair: Keypair, message: Uint8Array): Uint8Array {
  return new Uint8Array(sign(null, message, privateKey(keypair)));
}

/** Importing a key costs more than twice as much as signing. */
const privateKeys = new WeakMap<Keypair, KeyObject>();

function privateKey(keypair: Keypair): KeyObject {
  const known = privateKeys.get(keypair);
  if (known !== undefined) return known;
  const d = Buffer.from(keypair.secretKey.subarray(0, SEED_BYTES)).toString('base64url');
  const x = Buffer.from(keypair.secretKey.subarray(SEED_BYTES)).toString('base64url');
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
  privateKeys.set(keypair, key);
  return key;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
