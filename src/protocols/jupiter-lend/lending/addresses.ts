import { type Address, addressBytes } from '../../../solana/address.ts';
import { findProgramAddress, type ProgramAddress } from '../../../solana/pda.ts';
import { LENDING_PROGRAM, REWARDS_PROGRAM } from '../lending-base/programs.ts';

/** The account that mints the receipt tokens, and lists who may create lendings. */
export const LENDING_ADMIN: ProgramAddress = derive(LENDING_PROGRAM, 'lending_admin');
/** The account that lists who may set rewards. */
export const REWARDS_ADMIN: ProgramAddress = derive(REWARDS_PROGRAM, 'lending_rewards_admin');

/**
 * Derives the mint of the receipt tokens that depositors of `mint` receive.
 * @example
 * ```ts
 * import { address } from '../../../solana/address.ts';
 * import { receiptMintAddress } from './addresses.ts';
 *
 * const usdc = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
 * receiptMintAddress(usdc); // 9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D
 * ```
 */
export function receiptMintAddress(mint: Address): Address {
  return derive(LENDING_PROGRAM, 'f_token_mint', mint).address;
}

/** Derives the address of a token's lending account, which is the protocol that supplies to the liquidity program. */
export function lendingAddress(mint: Address): ProgramAddress {
  return derive(LENDING_PROGRAM, 'lending', mint, receiptMintAddress(mint));
}

/** Derives the address of the account with the rewards of a token. */
export function rewardsAddress(mint: Address): ProgramAddress {
  return derive(REWARDS_PROGRAM, 'lending_rewards_rate_model', mint);
}

function derive(program: Address, name: string, ...parts: readonly Address[]): ProgramAddress {
  return findProgramAddress(program, [Buffer.from(name), ...parts.map(addressBytes)]);
}
