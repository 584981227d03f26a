import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts texts that have to be stored and read again, such as the key that a maker's webhook wants. */
export interface TextSealer {
  /**
   * @param purpose - What the text is for. The sealed text cannot be opened for another purpose, so it is worth nothing in
   *   another row.
   * @returns the encrypted text in base64, which is another one each time
   */
  readonly seal: (text: string, purpose: string) => string;
  /** @throws Error when the text was not sealed with this secret for this purpose, or was changed */
  readonly open: (sealed: string, purpose: string) => string;
}

/**
 * Creates a sealer whose key is derived from a secret. The key is of no use elsewhere, and neither is the secret revealed.
 *
 * @param secret - The secret that API keys are hashed with.
 *
 * @example
 * ```ts
 * import { createTextSealer } from './text-sealer.ts';
 *
 * const { seal, open } = createTextSealer('s'.repeat(64));
 * console.log(open(seal('key', 'webhook acme'), 'webhook acme')); // key
 * ```
 */
export function createTextSealer(secret: string): TextSealer {
  const key = createHmac('sha256', secret).update('sealed texts').digest();
  return {
    seal: (text, purpose) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64');
    },
    open: (sealed, purpose) => {
      const bytes = Buffer.from(sealed, 'base64');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('a sealed text is too short');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}
