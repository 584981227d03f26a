import type { Address } from '../../../../solana/address.ts';
import {
  deriveAssociatedTokenAddress,
  findProgramAddress,
  type ProgramAddress,
} from '../../../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../../../solana/program-addresses.ts';
import { deriveMetadataAddress } from '../../../../solana/programs/token-metadata/program.ts';
import { VAULTS_PROGRAM } from '../../lending-base/programs.ts';
import { IDS_PER_ACCOUNT, MIN_TICK } from './limits.ts';

/** The account with the administrators of the program and the next vault id. It also mints the position tokens. */
export const VAULT_ADMIN: ProgramAddress = derive('vault_admin');

/** Derives the address of a vault's configuration, which is the protocol that uses the liquidity program. */
export function deriveVaultConfigAddress(vaultId: number): ProgramAddress {
  return derive('vault_config', u16(vaultId));
}

/** Derives the address of the account with the totals, prices and branches of a vault. */
export function deriveVaultStateAddress(vaultId: number): ProgramAddress {
  return derive('vault_state', u16(vaultId));
}

/** Derives the address of the account that names the lookup table of a vault. */
export function deriveVaultMetadataAddress(vaultId: number): ProgramAddress {
  return derive('vault_metadata', u16(vaultId));
}

export function deriveVaultPositionAddress(vaultId: number, positionId: number): ProgramAddress {
  return derive('position', u16(vaultId), u32(positionId));
}

/** Derives the mint of a position. The holder of its only token owns the position. */
export function deriveVaultPositionMintAddress(vaultId: number, positionId: number): ProgramAddress {
  return derive('position_mint', u16(vaultId), u32(positionId));
}

/** Derives the address of the associated account in which an owner holds the token of a position. */
export function deriveVaultPositionTokenAddress(
  vaultId: number,
  positionId: number,
  owner: Address,
): Address {
  return deriveAssociatedTokenAddress(
    owner,
    deriveVaultPositionMintAddress(vaultId, positionId).address,
    TOKEN_PROGRAM,
  );
}

/** Derives the address of the account with the name and symbol of a position's mint. */
export function deriveVaultPositionMetadataAddress(vaultId: number, positionId: number): Address {
  return deriveMetadataAddress(deriveVaultPositionMintAddress(vaultId, positionId).address);
}

/** @param tick - From -16383 to 16383. */
export function deriveTickAddress(vaultId: number, tick: number): ProgramAddress {
  return derive('tick', u16(vaultId), u32(tick - MIN_TICK));
}

/**
 * Derives the address of the account with the liquidations of earlier lives of a tick.
 *
 * @param id - One of the lives, from 1; 0 for a tick that has had none.
 */
export function deriveTickIdLiquidationAddress(vaultId: number, tick: number, id: number): ProgramAddress {
  return derive('tick_id_liquidation', u16(vaultId), u32(tick - MIN_TICK), u32(computeTickMap(id)));
}

/** Returns the number of the account that contains a life of a tick. Each account contains three. */
export function computeTickMap(id: number): number {
  return Math.floor((id + 2) / IDS_PER_ACCOUNT);
}

/** @param index - From 0 to 15. */
export function deriveTickHasDebtAddress(vaultId: number, index: number): ProgramAddress {
  return derive('tick_has_debt', u16(vaultId), Uint8Array.of(index));
}

export function deriveBranchAddress(vaultId: number, branchId: number): ProgramAddress {
  return derive('branch', u16(vaultId), u32(branchId));
}

function derive(name: string, ...seeds: readonly Uint8Array[]): ProgramAddress {
  return findProgramAddress(VAULTS_PROGRAM, [Buffer.from(name), ...seeds]);
}

function u16(value: number): Uint8Array {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
