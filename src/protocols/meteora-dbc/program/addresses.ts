import { type Address, compareAddresses, toAddressBytes } from '../../../solana/address.ts';
import { findProgramAddress } from '../../../solana/pda.ts';
import { METEORA_DBC_PROGRAM, METEORA_DBC_SEEDS } from './program.ts';

/** The accounts of a curve that most of its instructions name. */
export interface DbcPoolKeys {
  readonly config: Address;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly baseVault: Address;
  readonly quoteVault: Address;
  readonly tokenBaseProgram: Address;
  readonly tokenQuoteProgram: Address;
}

/** Completes the accounts of a curve by those that are derived. */
export function deriveDbcPoolKeys(
  parts: Pick<DbcPoolKeys, 'config' | 'baseMint' | 'quoteMint' | 'tokenBaseProgram' | 'tokenQuoteProgram'>,
): DbcPoolKeys {
  const { config, baseMint, quoteMint, tokenBaseProgram, tokenQuoteProgram } = parts;
  const pool = deriveDbcPoolAddress(config, baseMint, quoteMint);
  return {
    config,
    pool,
    baseMint,
    quoteMint,
    baseVault: deriveDbcVaultAddress(pool, baseMint),
    quoteVault: deriveDbcVaultAddress(pool, quoteMint),
    tokenBaseProgram,
    tokenQuoteProgram,
  };
}

/** The curve of a launched token under a config. */
export function deriveDbcPoolAddress(config: Address, baseMint: Address, quoteMint: Address): Address {
  const [smaller, larger] =
    compareAddresses(baseMint, quoteMint) > 0 ? [quoteMint, baseMint] : [baseMint, quoteMint];
  return derive(METEORA_DBC_SEEDS.pool, config, larger, smaller);
}

export function deriveDbcVaultAddress(pool: Address, mint: Address): Address {
  return derive(METEORA_DBC_SEEDS.vault, mint, pool);
}

/** The account that migrations to DAMM v2 name. The program neither creates nor reads it. */
export function deriveDbcMigrationMetadataAddress(pool: Address): Address {
  return derive(METEORA_DBC_SEEDS.dammV2Metadata, pool);
}

export function deriveDbcPartnerMetadataAddress(feeClaimer: Address): Address {
  return derive(METEORA_DBC_SEEDS.partnerMetadata, feeClaimer);
}

export function deriveDbcPoolMetadataAddress(pool: Address): Address {
  return derive(METEORA_DBC_SEEDS.poolMetadata, pool);
}

/** The account that the address of a curve's vesting escrow follows from. */
export function deriveDbcLockerBaseAddress(pool: Address): Address {
  return derive(METEORA_DBC_SEEDS.baseLocker, pool);
}

function derive(seed: string, ...more: readonly Address[]): Address {
  return findProgramAddress(METEORA_DBC_PROGRAM, [Buffer.from(seed), ...more.map(toAddressBytes)]).address;
}
