import { type Address, toAddressBytes } from '../../solana/address.ts';
import { createProgramAddress, findProgramAddress, type ProgramAddress } from '../../solana/pda.ts';
import { SABER_PROGRAM } from './program.ts';

/** All accounts of a pool that its instructions name, without those of the user. */
export interface SaberAddresses {
  readonly address: Address;
  readonly authority: Address;
  readonly mints: readonly [Address, Address];
  readonly reserves: readonly [Address, Address];
  readonly adminFees: readonly [Address, Address];
  readonly lpMint: Address;
}

/** The authority that owns the reserves and mints the LP tokens, for a pool with the highest possible nonce. */
export function deriveSaberAuthority(pool: Address): ProgramAddress {
  return findProgramAddress(SABER_PROGRAM, [toAddressBytes(pool)]);
}

/** The authority of a pool with any nonce; null if that nonce gives no address. */
export function deriveSaberAuthorityAt(pool: Address, nonce: number): Address | null {
  return createProgramAddress(SABER_PROGRAM, [toAddressBytes(pool), Uint8Array.of(nonce)]);
}
