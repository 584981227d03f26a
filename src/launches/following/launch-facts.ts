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
import { DBC_MIGRATION_CONFIGS } from '../../protocols/meteora-dbc/program/program.ts';
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
 * Finds the pool that a migrated launch became, whose address follows from the launch's configuration. Nobody but the program of
 * launches can create a pool there. Null for a launch that migrated to another program, and while the pool is not known.
 */
export function findGraduatedPool(
  { baseMint }: Pick<DbcVirtualPool, 'baseMint'>,
  { quoteMint, migrationFeeOption }: LaunchTerms,
  readKnown: ReadKnownAccount,
): GraduatedPool | null {
  const dammConfig = DBC_MIGRATION_CONFIGS[migrationFeeOption];
  if (dammConfig === undefined) return null;
  const pool = deriveDammPoolAddress(dammConfig, baseMint, quoteMint);
  const account = readKnown(pool);
  const terms = account === null ? null : readDammTerms(account);
  if (terms === null) return null;
  const { activationType, activationPoint } = terms;
  return { pool, at: activationType === ActivationType.TIMESTAMP ? activationPoint : null };
}
