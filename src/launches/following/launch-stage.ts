import { DBC_POOL_OFFSETS } from '../../protocols/meteora-dbc/program/layout-pool.ts';
import { DbcMigrationProgress } from '../../protocols/meteora-dbc/program/program.ts';

/**
 * Whether a curve is complete and its liquidity has not migrated. The swap that completes a curve says so in its account.
 *
 * @param data - Bytes of a launch.
 */
export function isCompleteLaunch(data: Uint8Array): boolean {
  const progress = data[DBC_POOL_OFFSETS.migrationProgress];
  const waits =
    progress === DbcMigrationProgress.POST_BONDING_CURVE || progress === DbcMigrationProgress.LOCKED_VESTING;
  return waits && data[DBC_POOL_OFFSETS.isMigrated] === 0;
}
