import { type Address, toAddressBytes } from '../../../solana/address.ts';
import { findProgramAddress, type ProgramAddress } from '../../../solana/pda.ts';
import { REWARDS_PROGRAM } from '../lending-base/programs.ts';

/** The account that lists who may set rewards. */
export const REWARDS_ADMIN: ProgramAddress = derive('lending_rewards_admin');

/** Derives the address of the account with the rewards of a token. */
export function deriveRewardsAddress(mint: Address): ProgramAddress {
  return derive('lending_rewards_rate_model', mint);
}

function derive(name: string, ...parts: readonly Address[]): ProgramAddress {
  return findProgramAddress(REWARDS_PROGRAM, [Buffer.from(name), ...parts.map(toAddressBytes)]);
}
