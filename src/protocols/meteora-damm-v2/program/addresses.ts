import { type Address, toAddressBytes, compareAddresses } from '../../../solana/address.ts';
import { findProgramAddress } from '../../../solana/pda.ts';
import { METEORA_DAMM_V2_PROGRAM, METEORA_DAMM_V2_SEEDS } from './program.ts';

/** The pool of two mints, in any order, under a configuration. */
export function deriveDammPoolAddress(config: Address, one: Address, other: Address): Address {
  return derive(METEORA_DAMM_V2_SEEDS.pool, toAddressBytes(config), ...largerFirst(one, other));
}

/** The one pool of two mints, in any order, whose creator set its terms. */
export function deriveDammCustomPoolAddress(one: Address, other: Address): Address {
  return derive(METEORA_DAMM_V2_SEEDS.customPool, ...largerFirst(one, other));
}

export function deriveDammVaultAddress(pool: Address, mint: Address): Address {
  return derive(METEORA_DAMM_V2_SEEDS.vault, toAddressBytes(mint), toAddressBytes(pool));
}

/** The position that a mint stands for. */
export function deriveDammPositionAddress(positionMint: Address): Address {
  return derive(METEORA_DAMM_V2_SEEDS.position, toAddressBytes(positionMint));
}

/** The token account that a position's one token is minted to. */
export function deriveDammPositionTokenAddress(positionMint: Address): Address {
  return derive(METEORA_DAMM_V2_SEEDS.positionToken, toAddressBytes(positionMint));
}

function largerFirst(one: Address, other: Address): [Uint8Array, Uint8Array] {
  const order = compareAddresses(one, other) > 0 ? [one, other] : [other, one];
  return order.map(toAddressBytes) as [Uint8Array, Uint8Array];
}

function derive(seed: string, ...more: readonly Uint8Array[]): Address {
  return findProgramAddress(METEORA_DAMM_V2_PROGRAM, [Buffer.from(seed), ...more]).address;
}
