import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';
import { ADDRESS_BYTES, type Address, toAddress } from '../../solana/address.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { findMasterKey, type MasterKey, type MasterKeys } from './master-key.ts';

export type KeyPurpose = 'vault' | 'co-signer';

/** A key as the database has it. */
export interface SealedKey {
  readonly address: Address;
  readonly purpose: KeyPurpose;
  /** Empty for the co-signer. */
  readonly wallet: Address | '';
  readonly sealed: string;
  readonly masterId: string;
}

export const SEED_BYTES = 32;
/** DER of a PKCS #8 private key up to its seed (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Makes a random key, and encrypts it for its row. */
export function createSealedKey(master: MasterKey, purpose: KeyPurpose, wallet: Address | ''): SealedKey {
  const seed = randomBytes(SEED_BYTES);
  const address = deriveAddress(seed);
  const row = { address, purpose, wallet, masterId: master.id };
  const sealed = master.seal(seed, nameRow(row));
  seed.fill(0);
  return { ...row, sealed };
}

/** Encrypts the key of a row under the current master key. */
export function sealAgain(masters: MasterKeys, row: SealedKey): SealedKey {
  const sealed = openSeed(masters, row, (seed) => masters.current.seal(seed, nameRow(row)));
  return { ...row, sealed, masterId: masters.current.id };
}

/**
 * Signs with the key of a row. The key is decrypted for each signature and overwritten afterwards, so that memory holds none
 * for longer. That costs 0.4 ms of processor time, most of it for importing the key from bytes; importing it as a JWK would cost a
 * tenth of that, but leave a text with the key in the heap.
 *
 * @throws Unavailable when the row cannot be decrypted
 */
export function signWithSealed(masters: MasterKeys, row: SealedKey, message: Uint8Array): Uint8Array {
  return openSeed(masters, row, (seed) => new Uint8Array(sign(null, message, importSeed(seed))));
}

/**
 * Calls `use` with the 32 bytes of the private key, which are overwritten afterwards.
 *
 * @throws Unavailable when the row cannot be decrypted, or holds another key than its address says
 */
export function openSeed<T>(masters: MasterKeys, row: SealedKey, use: (seed: Uint8Array) => T): T {
  const master = findMasterKey(masters, row.masterId);
  if (master === null) {
    throw new Unavailable(
      `the key of ${row.address} is under the master key ${row.masterId}, which this instance does not have`,
    );
  }
  const seed = openRow(master, row);
  try {
    return use(seed);
  } finally {
    seed.fill(0);
  }
}

function openRow(master: MasterKey, row: SealedKey): Buffer {
  try {
    return master.open(row.sealed, nameRow(row));
  } catch (cause) {
    throw new Unavailable(`the key of ${row.address} cannot be decrypted: its row was changed`, { cause });
  }
}

/** What a key is encrypted for. A sealed key that is copied into another row cannot be decrypted there. */
function nameRow({ purpose, wallet, address }: Pick<SealedKey, 'purpose' | 'wallet' | 'address'>): string {
  return JSON.stringify(['custody key', purpose, wallet, address]);
}

function importSeed(seed: Uint8Array) {
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
}

function deriveAddress(seed: Uint8Array): Address {
  const spki = createPublicKey(importSeed(seed)).export({ format: 'der', type: 'spki' });
  return toAddress(spki, spki.length - ADDRESS_BYTES);
}
