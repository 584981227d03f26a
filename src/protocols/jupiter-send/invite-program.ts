import { type Address, address, toAddressBytes } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress, findProgramAddress, type ProgramAddress } from '../../solana/pda.ts';

/** The public program of invites. */
export const INVITE_PROGRAM = address('inv1tEtSwRMtM44tbvJGNiTxMvDfPVnX9StyqXfDfks');

/** What an invite holds for whoever returns it after its expiry, in lamports. */
export const INVITE_REWARD = 10_000n;

const INVITE = Buffer.from('invite');

/** Signs the program's calls to itself, by which it emits events. */
export const INVITE_EVENT_AUTHORITY = findProgramAddress(INVITE_PROGRAM, [
  Buffer.from('__event_authority'),
]).address;

/**
 * Derives the address of an invite, and the bump by which the invite signs.
 * @param inviteKey - The public key of the pair that is derived from the code.
 */
export function deriveInvite(inviteKey: Address): ProgramAddress {
  return findProgramAddress(INVITE_PROGRAM, [INVITE, toAddressBytes(inviteKey)]);
}

/** Derives the token account that holds an invite's tokens. */
export function deriveInviteVault(invite: Address, mint: Address, tokenProgram: Address): Address {
  return deriveAssociatedTokenAddress(invite, mint, tokenProgram);
}
