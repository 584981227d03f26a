import { postJson } from '../api/call.ts';
import { encodeBase58 } from '../base/base58.ts';
import type { ThrowawayKey } from './key-store.ts';

/**
 * Signs in to orders that wait for a price, by a message that the wallet signs. Returns the token.
 *
 * @throws ApiError if the instance refuses; Error if what it asks to be signed is no sentence
 */
export async function requestToken({ address, privateKey }: ThrowawayKey): Promise<string> {
  const { challenge } = await postJson<{ readonly challenge: string }>('/trigger/v2/auth/challenge', {
    walletPubkey: address,
    type: 'message',
  });
  // A transaction has bytes that no sentence has. Signed as a message, it could be sent.
  if (!/^[\x20-\x7e\n]{20,}$/.test(challenge))
    throw new Error('The challenge is no sentence, and was not signed.');
  const signature = await crypto.subtle.sign('Ed25519', privateKey, new TextEncoder().encode(challenge));
  const { token } = await postJson<{ readonly token: string }>('/trigger/v2/auth/verify', {
    walletPubkey: address,
    type: 'message',
    signature: encodeBase58(new Uint8Array(signature)),
  });
  return token;
}
