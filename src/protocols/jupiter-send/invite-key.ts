import { createKeypairFromSeed, type Keypair } from '../../solana/keypair.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';

/**
 * Derives the key pair of an invite from its code. Anybody who has the code can claim, so a service that never sees the code has
 * no use for this.
 *
 * @param code - 12 characters of base58 as the public clients make them. The hash takes any other text, too.
 *
 * @example
 * ```ts
 * import { deriveInviteKey } from './invite-key.ts';
 * import { deriveInvite } from './invite-program.ts';
 *
 * const key = deriveInviteKey('3mJr7AoUXx2W');
 * const { address: invite } = deriveInvite(key.address);
 * ```
 */
export function deriveInviteKey(code: string): Keypair {
  return createKeypairFromSeed(sha256(new TextEncoder().encode(`invite:${code}`)));
}
