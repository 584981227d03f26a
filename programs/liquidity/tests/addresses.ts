import { type Address, address, toAddressBytes } from '../../../src/solana/address.ts';
import { findProgramAddress } from '../../../src/solana/pda.ts';

export const LIQUIDITY_PROGRAM = address('jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC');

export const LIQUIDITY = derive('liquidity');
export const AUTH_LIST = derive('auth_list');

export function reserveAddress(mint: Address): Address {
  return derive('reserve', mint);
}

export function rateModelAddress(mint: Address): Address {
  return derive('rate_model', mint);
}

export function supplyPositionAddress(mint: Address, protocol: Address): Address {
  return derive('user_supply_position', mint, protocol);
}

export function borrowPositionAddress(mint: Address, protocol: Address): Address {
  return derive('user_borrow_position', mint, protocol);
}

export function claimAddress(user: Address, mint: Address): Address {
  return derive('user_claim', user, mint);
}

function derive(name: string, ...parts: readonly Address[]): Address {
  return findProgramAddress(LIQUIDITY_PROGRAM, [Buffer.from(name), ...parts.map(toAddressBytes)]).address;
}
