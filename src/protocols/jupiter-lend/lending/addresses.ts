import { type Address, toAddressBytes } from '../../../solana/address.ts';
import { findProgramAddress, type ProgramAddress } from '../../../solana/pda.ts';
import { LENDING_PROGRAM } from '../lending-base/programs.ts';

/** The account that mints the receipt tokens, and lists who may create lendings. */
export const LENDING_ADMIN: ProgramAddress = derive('lending_admin');

/**
 * Derives the mint of the receipt tokens that depositors of `mint` receive.
 * @example
 * ```ts
 * import { address } from '../../../solana/address.ts';
 * import { deriveReceiptMintAddress } from './addresses.ts';
 *
 * const usdc = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
 * deriveReceiptMintAddress(usdc); // 9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D
 * ```
 */
export function deriveReceiptMintAddress(mint: Address): Address {
  return derive('f_token_mint', mint).address;
}

/** Derives the address of a token's lending account, which is the protocol that supplies to the liquidity program. */
export function deriveLendingAddress(mint: Address): ProgramAddress {
  return derive('lending', mint, deriveReceiptMintAddress(mint));
}

function derive(name: string, ...parts: readonly Address[]): ProgramAddress {
  return findProgramAddress(LENDING_PROGRAM, [Buffer.from(name), ...parts.map(toAddressBytes)]);
}
