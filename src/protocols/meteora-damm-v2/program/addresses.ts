import { type Address, addressBytes, compareAddresses } from '../../../solana/address.ts';
import { findProgramAddress } from '../../../solana/pda.ts';
import { METEORA_DAMM_V2_PROGRAM, METEORA_DAMM_V2_SEEDS } from './program.ts';

/** The pool of two mints, in any order, under a configuration. */
export function poolAddress(config: Address, one: Address, other: Address): Address {
  return derive(METEORA_DAMM_V2_SEEDS.pool, addressBytes(config), ...largerFirst(one, other));
}

/** The one pool of two mints, in any order, whose creator set its terms. */
export function customPoolAddress(one: Address, other: Address): Address {
  return derive(METEORA_DAMM_V2_SEEDS.customPool, ...largerFirst(one, other));
}

export function vaultAddress(pool: Address, mint: Address): Address {
  return derive(METEORA_DAMM_V2_SEEDS.vault, addressBytes(mint), addressBytes(pool));
}

/** The position that a mint stands for. */
export function positionAddress(positionMint: Address): Address {
  return derive(METEORA_DAMM_V2_SEEDS.position, addressBytes(positionMint));
}

/** The token account that a position's one token is minted to. */
export function positionTokenAddress(positionMint: Address): Address {
  return derive(METEORA_DAMM_V2_SEEDS.positionToken, addressBytes(positionMint));
}

function largerFirst(one: Address, other: Address): [Uint8Array, Uint8Array] {
  const order = compareAddresses(one, other) > 0 ? [one, other] : [other, one];
  return order.map(addressBytes) as [Uint8Array, Uint8Array];
}

function derive(seed: string, ...more: readonly Uint8Array[]): Address {
  return findProgramAddress(METEORA_DAMM_V2_PROGRAM, [Buffer.from(seed), ...more]).address;
}
