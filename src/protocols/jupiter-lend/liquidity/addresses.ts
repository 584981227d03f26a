import { type Address, toAddressBytes } from '../../../solana/address.ts';
import {
  deriveAssociatedTokenAddress,
  findProgramAddress,
  type ProgramAddress,
} from '../../../solana/pda.ts';
import { LIQUIDITY_PROGRAM } from '../lending-base/programs.ts';

/** The account that owns the tokens of all reserves. */
export const LIQUIDITY: ProgramAddress = derive('liquidity');
/** The account that lists the administrators of the program. */
export const AUTHORIZATION_LIST: ProgramAddress = derive('auth_list');

/** Derives the address of the account with the totals and prices of a token. */
export function deriveReserveAddress(mint: Address): Address {
  return derive('reserve', mint).address;
}

/** Derives the address of the account with the curve of a token's borrow rate. */
export function deriveRateModelAddress(mint: Address): Address {
  return derive('rate_model', mint).address;
}

/**
 * Derives the address of the token account that holds a reserve.
 *
 * @param tokenProgram - The program that owns the mint.
 */
export function deriveReserveVaultAddress(mint: Address, tokenProgram: Address): Address {
  return deriveAssociatedTokenAddress(LIQUIDITY.address, mint, tokenProgram);
}

/**
 * Derives the address of the account with a protocol's supply of a token.
 *
 * @param protocol - The address that signs for the protocol: a lending, or the configuration of a vault.
 */
export function deriveSupplyPositionAddress(mint: Address, protocol: Address): Address {
  return derive('user_supply_position', mint, protocol).address;
}

/** Derives the address of the account with a protocol's debt in a token. */
export function deriveBorrowPositionAddress(mint: Address, protocol: Address): Address {
  return derive('user_borrow_position', mint, protocol).address;
}

/** Derives the address of the account with the amount that a user may claim later. */
export function deriveClaimAddress(user: Address, mint: Address): Address {
  return derive('user_claim', user, mint).address;
}

function derive(name: string, ...parts: readonly Address[]): ProgramAddress {
  return findProgramAddress(LIQUIDITY_PROGRAM, [Buffer.from(name), ...parts.map(toAddressBytes)]);
}
