import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { TextSealer } from '../../common/ports/text-sealer.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

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
