import { encodeBase58 } from '../base/base58.ts';
import { indexedDbKeyStore, type KeyStore, type ThrowawayKey } from './key-store.ts';
import { insertSignature, parseWireTransaction } from './wire-transaction.ts';

const ALGORITHM = 'Ed25519';

/** What of the browser is needed. Each may be missing. */
export interface KeyFacilities {
  readonly subtle: SubtleCrypto | undefined;
  readonly hasDatabase: boolean;
  readonly isSecureContext: boolean;
}

/** Returns what this browser offers to this page. */
export function getKeyFacilities(): KeyFacilities {
  return {
    subtle: globalThis.crypto?.subtle,
    hasDatabase: typeof indexedDB !== 'undefined',
    isSecureContext: globalThis.isSecureContext !== false,
  };
}

/** Explains why this browser can hold no throwaway key; null if it can. */
export async function explainMissingFacilities({
  subtle,
  hasDatabase,
  isSecureContext,
}: KeyFacilities): Promise<string | null> {
  if (subtle === undefined)
    return isSecureContext
      ? 'This browser has no WebCrypto, which makes and uses the key.'
      : 'Browsers make keys on pages from this machine or over HTTPS only. Open the portal at 127.0.0.1, or put HTTPS in front of it.';
  if (!hasDatabase) return 'This browser has no IndexedDB, which would keep the key over a reload.';
  try {
    await subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
    return null;
  } catch {
    return 'This browser’s WebCrypto has no Ed25519, with which Solana signs. Chrome has it since 137, Firefox since 129, Safari since 17.';
  }
}

/** Returns the key of this browser; null if there is none. */
export function loadThrowawayKey(store: KeyStore = indexedDbKeyStore): Promise<ThrowawayKey | null> {
  return store.load();
}

/** Makes a key, unless this browser has one, and returns the one that is kept. */
export async function createThrowawayKey(store: KeyStore = indexedDbKeyStore): Promise<ThrowawayKey> {
  // A public key can always be exported; this is about the private one.
  const isExtractable = false;
  const pair = await crypto.subtle.generateKey(ALGORITHM, isExtractable, ['sign', 'verify']);
  const { privateKey, publicKey } = pair as CryptoKeyPair;
  const address = encodeBase58(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
  return store.add({ address, privateKey });
}

/** Removes the key from this browser. What its wallet holds is lost. */
export function forgetThrowawayKey(store: KeyStore = indexedDbKeyStore): Promise<void> {
  return store.remove();
}

/**
 * Signs a transaction as it is sent. Signatures of others stay.
 *
 * @throws Error if the bytes are no transaction, or it needs no signature of the key; the message says why
 */
export async function signTransaction(
  { address, privateKey }: ThrowawayKey,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const transaction = parseWireTransaction(bytes);
  // Checked first: a message in which the key takes no part is not signed.
  if (!transaction.signers.includes(address))
    throw new Error(`The transaction needs no signature of ${address}.`);
  const signature = await crypto.subtle.sign(ALGORITHM, privateKey, transaction.message);
  return insertSignature(transaction, address, new Uint8Array(signature));
}
