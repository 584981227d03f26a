import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const CIPHER = 'aes-256-gcm';
export const MASTER_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 8;

/**
 * A key of 32 bytes under which the keys of vaults are encrypted. It lives outside of the JavaScript heap, so that neither a
 * heap snapshot nor a text that is printed contains it.
 */
export class MasterKey {
  /** Tells which key it is, without telling anything of it. */
  readonly id: string;
  readonly #key: KeyObject;

  /**
   * @param bytes - 32 random bytes, which are overwritten with zeros.
   * @throws RangeError for another length
   */
  constructor(bytes: Uint8Array) {
    if (bytes.length !== MASTER_KEY_BYTES) {
      throw new RangeError(`a master key has ${MASTER_KEY_BYTES} bytes, got ${bytes.length}`);
    }
    this.#key = createSecretKey(bytes);
    bytes.fill(0);
    const hash = createHmac('sha256', this.#key).update('which master key it is').digest('hex');
    this.id = hash.slice(0, 2 * ID_BYTES);
  }

  /**
   * Encrypts `secret`.
   *
   * @param place - What the secret belongs to. It can be decrypted for the same place alone.
   */
  seal(secret: Uint8Array, place: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(place));
    const sealed = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    return sealed.toString('base64');
  }

  /**
   * Decrypts what `seal` returned. The caller overwrites the bytes once it has used them.
   *
   * @throws Error when it was sealed with another key or for another place, or was changed
   */
  open(sealed: string, place: string): Buffer {
    const bytes = Buffer.from(sealed, 'base64');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('a sealed key is too short');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    try {
      decipher.final();
    } catch (error) {
      opened.fill(0);
      throw error;
    }
    return opened;
  }
}

/** The master keys that an instance accepts. */
export interface MasterKeys {
  /** Encrypts every key that is written. */
  readonly current: MasterKey;
  /** Only decrypts, while keys are put under the current one; null when no rotation is under way. */
  readonly previous: MasterKey | null;
}

/** Returns the one of the keys with this id; null if it is neither. */
export function findMasterKey({ current, previous }: MasterKeys, id: string): MasterKey | null {
  if (current.id === id) return current;
  return previous?.id === id ? previous : null;
}
