import { type Address, toAddressBytes } from '../../solana/address.ts';
import { findProgramAddress, type ProgramAddress } from '../../solana/pda.ts';
import { STAKE_POOL_PROGRAM, STAKEDEX_PROGRAM } from './program.ts';

/** The authority that holds the pool's stake and mints its tokens. */
export function deriveWithdrawAuthority(pool: Address): ProgramAddress {
  return findProgramAddress(STAKE_POOL_PROGRAM, [toAddressBytes(pool), Buffer.from('withdraw')]);
}

/** The default signer for deposits of stake. */
export function deriveStakeDepositAuthority(pool: Address): Address {
  return findProgramAddress(STAKE_POOL_PROGRAM, [toAddressBytes(pool), Buffer.from('deposit')]).address;
}

/** The wrapper's fee account for a mint: wrapped SOL for withdrawals. Deposits name it and pay nothing. */
export function deriveStakedexFeeAccount(mint: Address): ProgramAddress {
  return findProgramAddress(STAKEDEX_PROGRAM, [Buffer.from('fee'), toAddressBytes(mint)]);
}
