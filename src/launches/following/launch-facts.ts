import { cachePerAccount } from '../../protocol/venue/once-per-account.ts';
import { deriveDammPoolAddress } from '../../protocols/meteora-damm-v2/program/addresses.ts';
import {
  ActivationType,
  type DammPoolTerms,
  decodeTerms,
  isPoolData,
} from '../../protocols/meteora-damm-v2/program/layout.ts';
import { METEORA_DAMM_V2_PROGRAM } from '../../protocols/meteora-damm-v2/program/program.ts';
import type { DbcVirtualPool } from '../../protocols/meteora-dbc/program/layout-pool.ts';
import type { Address } from '../../solana/address.ts';
import { DBC_MIGRATION_CONFIGS, DbcMigrationOption } from '../../protocols/meteora-dbc/program/program.ts';
import type { GraduatedPool, ReadKnownAccount } from '../launch.ts';
import type { LaunchTerms } from './launch-terms.ts';

/** Parts of the threshold, so that the percentage has four decimals. */
const PARTS = 1_000_000n;
const PARTS_PER_PERCENT = 10_000;

const readDammTerms = cachePerAccount<DammPoolTerms | null>(({ owner, data }) =>
  owner === METEORA_DAMM_V2_PROGRAM && isPoolData(data) ? decodeTerms(data) : null,
);

/** Returns how much of its threshold a curve has raised, in percent, rounded down. A threshold of zero is always reached. */
export function computeLaunchProgress(
  { quoteReserve }: Pick<DbcVirtualPool, 'quoteReserve'>,
  { threshold }: Pick<LaunchTerms, 'threshold'>,
): number {
  if (quoteReserve >= threshold) return Number(PARTS) / PARTS_PER_PERCENT;
  return Number((quoteReserve * PARTS) / threshold) / PARTS_PER_PERCENT;
}

/**
 * Derives the address of the pool that a launch migrates to, which follows from its configuration. Nobody but the program of
 * launches can create a pool there. Returns null for a launch that migrates to another program than DAMM v2.
 */
export function deriveGraduatedPool(
  mint: Address,
  {
    quoteMint,
    migrationOption,
    migrationFeeOption,
  }: Pick<LaunchTerms, 'quoteMint' | 'migrationOption' | 'migrationFeeOption'>,
): Address | null {
  const dammConfig = DBC_MIGRATION_CONFIGS[migrationFeeOption];
  if (migrationOption !== DbcMigrationOption.DAMM_V2 || dammConfig === undefined) return null;
  return deriveDammPoolAddress(dammConfig, mint, quoteMint);
}

/** Reads when the pool of a migrated launch was created. Returns null while the pool is not known. */
export function readGraduatedPool(pool: Address, readKnown: ReadKnownAccount): GraduatedPool | null {
  const account = readKnown(pool);
  const terms = account === null ? null : readDammTerms(account);
  if (terms === null) return null;
  const { activationType, activationPoint } = terms;
  return { pool, at: activationType === ActivationType.TIMESTAMP ? activationPoint : null };
}
