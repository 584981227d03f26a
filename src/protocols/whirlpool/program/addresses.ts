import { type Address, toAddressBytes } from '../../../solana/address.ts';
import { findProgramAddress, type ProgramAddress } from '../../../solana/pda.ts';
import { WHIRLPOOL_PROGRAM, WHIRLPOOL_SEEDS } from './program.ts';

/** The pool of two mints, in the order of their bytes, under a configuration and fee tier. */
export function deriveWhirlpoolAddress(
  config: Address,
  mintA: Address,
  mintB: Address,
  feeTierIndex: number,
): ProgramAddress {
  const seeds = [toAddressBytes(config), toAddressBytes(mintA), toAddressBytes(mintB), u16(feeTierIndex)];
  return find(WHIRLPOOL_SEEDS.whirlpool, ...seeds);
}

export function deriveFeeTierAddress(config: Address, feeTierIndex: number): Address {
  return find(WHIRLPOOL_SEEDS.feeTier, toAddressBytes(config), u16(feeTierIndex)).address;
}

/** The start index is part of the seeds as decimal text. */
export function deriveTickArrayAddress(whirlpool: Address, start: number): Address {
  return find(WHIRLPOOL_SEEDS.tickArray, toAddressBytes(whirlpool), Buffer.from(String(start))).address;
}

export function deriveWhirlpoolOracleAddress(whirlpool: Address): Address {
  return find(WHIRLPOOL_SEEDS.oracle, toAddressBytes(whirlpool)).address;
}

export function deriveWhirlpoolPositionAddress(positionMint: Address): ProgramAddress {
  return find(WHIRLPOOL_SEEDS.position, toAddressBytes(positionMint));
}

export function derivePositionBundleAddress(bundleMint: Address): Address {
  return find(WHIRLPOOL_SEEDS.positionBundle, toAddressBytes(bundleMint)).address;
}

/** The index is part of the seeds as decimal text. */
export function deriveBundledPositionAddress(bundleMint: Address, index: number): Address {
  return find(WHIRLPOOL_SEEDS.bundledPosition, toAddressBytes(bundleMint), Buffer.from(String(index)))
    .address;
}

/** Says which unusual mints a configuration's pools may hold. */
export function deriveTokenBadgeAddress(config: Address, mint: Address): Address {
  return find(WHIRLPOOL_SEEDS.tokenBadge, toAddressBytes(config), toAddressBytes(mint)).address;
}

function find(seed: string, ...more: readonly Uint8Array[]): ProgramAddress {
  return findProgramAddress(WHIRLPOOL_PROGRAM, [Buffer.from(seed), ...more]);
}

function u16(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, value >> 8);
}
