import { type Address, toAddressBytes, compareAddresses } from '../../../solana/address.ts';
import { findProgramAddress } from '../../../solana/pda.ts';
import type { RaydiumSides } from './layout.ts';
import { RAYDIUM_CPMM_PROGRAM, RAYDIUM_CPMM_SEEDS } from './program.ts';

/** All accounts of a pool that its instructions name, without those of the user. */
export interface PoolAddresses {
  readonly address: Address;
  readonly config: Address;
  /** Sorted by their bytes, as the program requires. */
  readonly mints: RaydiumSides<Address>;
  readonly tokenPrograms: RaydiumSides<Address>;
  readonly vaults: RaydiumSides<Address>;
  readonly lpMint: Address;
  readonly observation: Address;
}

/** A mint and the token program that owns it. */
export interface PoolToken {
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** @param index - From 0 to 65,535. */
export function deriveRaydiumConfigAddress(index: number): Address {
  return derive(RAYDIUM_CPMM_SEEDS.config, Uint8Array.of(index >> 8, index & 0xff));
}

/** The account that holds the right to create pools whose creator earns fees. */
export function derivePermissionAddress(authority: Address): Address {
  return derive(RAYDIUM_CPMM_SEEDS.permission, toAddressBytes(authority));
}

/**
 * Derives the addresses of the pool of two tokens, given in any order, under a fee configuration.
 *
 * @param pool - The address of a pool that has a key of its own instead of the pair's PDA.
 * @throws RangeError when both tokens are the same mint
 */
export function derivePoolAddresses(
  config: Address,
  tokens: readonly [PoolToken, PoolToken],
  pool?: Address,
): PoolAddresses {
  const order = compareAddresses(tokens[0].mint, tokens[1].mint);
  if (order === 0) throw new RangeError(`a pool needs two mints, got ${tokens[0].mint} twice`);
  const [first, second] = order < 0 ? tokens : [tokens[1], tokens[0]];
  const address = pool ?? pairAddress(config, first.mint, second.mint);
  return {
    address,
    config,
    mints: [first.mint, second.mint],
    tokenPrograms: [first.tokenProgram, second.tokenProgram],
    vaults: [vaultAddress(address, first.mint), vaultAddress(address, second.mint)],
    lpMint: derive(RAYDIUM_CPMM_SEEDS.lpMint, toAddressBytes(address)),
    observation: derive(RAYDIUM_CPMM_SEEDS.observation, toAddressBytes(address)),
  };
}

function pairAddress(config: Address, mint0: Address, mint1: Address): Address {
  return derive(
    RAYDIUM_CPMM_SEEDS.pool,
    toAddressBytes(config),
    toAddressBytes(mint0),
    toAddressBytes(mint1),
  );
}

function vaultAddress(pool: Address, mint: Address): Address {
  return derive(RAYDIUM_CPMM_SEEDS.vault, toAddressBytes(pool), toAddressBytes(mint));
}

function derive(seed: string, ...more: readonly Uint8Array[]): Address {
  return findProgramAddress(RAYDIUM_CPMM_PROGRAM, [Buffer.from(seed), ...more]).address;
}
