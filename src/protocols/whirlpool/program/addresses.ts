import { type Address, addressBytes } from '../../../solana/address.ts';
import { findProgramAddress, type ProgramAddress } from '../../../solana/pda.ts';
import { WHIRLPOOL_PROGRAM, WHIRLPOOL_SEEDS } from './program.ts';

/** The pool of two mints, in the order of their bytes, under a configuration and fee tier. */
export function whirlpoolAddress(
  config: Address,
  mintA: Address,
  mintB: Address,
  feeTierIndex: number,
): ProgramAddress {
  const seeds = [addressBytes(config), addressBytes(mintA), addressBytes(mintB), u16(feeTierIndex)];
  return find(WHIRLPOOL_SEEDS.whirlpool, ...seeds);
}

export function feeTierAddress(config: Address, feeTierIndex: number): Address {
  return find(WHIRLPOOL_SEEDS.feeTier, addressBytes(config), u16(feeTierIndex)).address;
}

/** The start index is part of the seeds as decimal text. */
export function tickArrayAddress(whirlpool: Address, start: number): Address {
  return find(WHIRLPOOL_SEEDS.tickArray, addressBytes(whirlpool), Buffer.from(String(start))).address;
}

export function oracleAddress(whirlpool: Address): Address {
  return find(WHIRLPOOL_SEEDS.oracle, addressBytes(whirlpool)).address;
}

export function positionAddress(positionMint: Address): ProgramAddress {
  return find(WHIRLPOOL_SEEDS.position, addressBytes(positionMint));
}

export function positionBundleAddress(bundleMint: Address): Address {
  return find(WHIRLPOOL_SEEDS.positionBundle, addressBytes(bundleMint)).address;
}

/** The index is part of the seeds as decimal text. */
export function bundledPositionAddress(bundleMint: Address, index: number): Address {
  return find(WHIRLPOOL_SEEDS.bundledPosition, addressBytes(bundleMint), Buffer.from(String(index))).address;
}

/** Says which unusual mints a configuration's pools may hold. */
export function tokenBadgeAddress(config: Address, mint: Address): Address {
  return find(WHIRLPOOL_SEEDS.tokenBadge, addressBytes(config), addressBytes(mint)).address;
}

function find(seed: string, ...more: readonly Uint8Array[]): ProgramAddress {
  return findProgramAddress(WHIRLPOOL_PROGRAM, [Buffer.from(seed), ...more]);
}

function u16(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, value >> 8);
}
