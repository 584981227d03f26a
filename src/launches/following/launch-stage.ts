import type { DbcVirtualPool } from '../../protocols/meteora-dbc/program/layout-pool.ts';
import { DbcMigrationProgress } from '../../protocols/meteora-dbc/program/program.ts';

/**
 * How far a launch is.
 *
 * - `unsold`: nobody has bought.
 * - `sells`: its curve sells.
 * - `waits`: its curve is complete, and the operator does not pay for its migration.
 * - `paid`: its curve is complete, and the operator pays for its migration.
 * - `migrated`: its liquidity has migrated.
 */
export const LAUNCH_STAGES = ['unsold', 'sells', 'waits', 'paid', 'migrated'] as const;

/** One of `LAUNCH_STAGES`. */
export type LaunchStageName = (typeof LAUNCH_STAGES)[number];

/** The fields of a launch that its stage follows from. */
type StagedPool = Pick<DbcVirtualPool, 'migrationProgress' | 'isMigrated' | 'quoteReserve'>;

/**
 * Finds how far a launch is. The swap that completes a curve says so in its account.
 *
 * @param isPaid - Asked only when the curve is complete.
 */
export function findLaunchStage(pool: StagedPool, isPaid: () => boolean): LaunchStageName {
  const { migrationProgress, isMigrated, quoteReserve } = pool;
  if (isMigrated !== 0 || migrationProgress === DbcMigrationProgress.CREATED_POOL) return 'migrated';
  if (migrationProgress !== DbcMigrationProgress.PRE_BONDING_CURVE) return isPaid() ? 'paid' : 'waits';
  return quoteReserve === 0n ? 'unsold' : 'sells';
}
