import { type Address, addressBytes } from '../../../solana/address.ts';
import { createProgramAddress, findProgramAddress, type ProgramAddress } from '../../../solana/pda.ts';
import { SABER_PROGRAM } from './program.ts';

/** Every account of a pool that its instructions name, besides those of the user. */
export interface SaberAddresses {
  readonly address: Address;
  readonly authority: Address;
  readonly mints: readonly [Address, Address];
  readonly reserves: readonly [Address, Address];
  readonly adminFees: readonly [Address, Address];
  readonly lpMint: Address;
}

/** Owns the reserves and mints the LP tokens, for a pool made with the highest nonce. */
export function saberAuthority(pool: Address): ProgramAddress {
  return findProgramAddress(SABER_PROGRAM, [addressBytes(pool)]);
}

/** The same for a pool made with any nonce; null where that gives no address. */
export function saberAuthorityAt(pool: Address, nonce: number): Address | null {
  return createProgramAddress(SABER_PROGRAM, [addressBytes(pool), Uint8Array.of(nonce)]);
}
