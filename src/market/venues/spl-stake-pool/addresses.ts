import { type Address, addressBytes } from '../../../solana/address.ts';
import { findProgramAddress, type ProgramAddress } from '../../../solana/pda.ts';
import { STAKE_POOL_PROGRAM, STAKEDEX_PROGRAM } from './program.ts';

/** Holds the pool's stake, and mints its tokens. */
export function withdrawAuthority(pool: Address): ProgramAddress {
  return findProgramAddress(STAKE_POOL_PROGRAM, [addressBytes(pool), Buffer.from('withdraw')]);
}

/** Who signs deposits of stake, when nobody else was named. */
export function stakeDepositAuthority(pool: Address): Address {
  return findProgramAddress(STAKE_POOL_PROGRAM, [addressBytes(pool), Buffer.from('deposit')]).address;
}

/** Where the wrapper keeps its fees in a mint: wrapped SOL for withdrawals. Deposits name it and pay nothing. */
export function stakedexFeeAccount(mint: Address): ProgramAddress {
  return findProgramAddress(STAKEDEX_PROGRAM, [Buffer.from('fee'), addressBytes(mint)]);
}
