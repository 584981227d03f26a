import type { DbcPoolConfig } from '../../protocols/meteora-dbc/program/config-terms.ts';
import type { DbcVirtualPool } from '../../protocols/meteora-dbc/program/layout-pool.ts';
import {
  DBC_MIGRATION_CONFIGS,
  DbcMigrationOption,
  DbcMigrationProgress,
} from '../../protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../solana/address.ts';

/**
 * What a launch needs next for its graduation.
 *
 * - `trades`: its curve is not complete.
 * - `lock-vesting`: the tokens that vest for the creator go into an escrow.
 * - `create-pool`: the liquidity goes into a pool of DAMM v2, under this configuration.
 * - `done`: the pool exists, whoever has created it.
 * - `unsupported`: no transaction of this service would migrate it.
 */
export type GraduationStep =
  | { readonly kind: 'trades' }
  | { readonly kind: 'lock-vesting' }
  | { readonly kind: 'create-pool'; readonly dammConfig: Address }
  | { readonly kind: 'done' }
  | { readonly kind: 'unsupported' };

/** The fields of a launch on which its next step depends. */
export type LaunchStage = Pick<DbcVirtualPool, 'migrationProgress' | 'isMigrated'>;

/** The fields of its configuration on which it depends. */
export type GraduationTerms = Pick<DbcPoolConfig, 'migrationOption' | 'migrationFeeOption'>;

/**
 * Finds the next step of a graduation from the accounts alone, so that it goes on wherever a process was ended, and whoever has
 * taken a step meanwhile. Each step moves the launch to the next one, and the program refuses a step that is repeated.
 */
export function findGraduationStep(launch: LaunchStage, terms: GraduationTerms): GraduationStep {
  const { migrationProgress: progress, isMigrated } = launch;
  if (isMigrated !== 0 || progress === DbcMigrationProgress.CREATED_POOL) return { kind: 'done' };
  if (progress === DbcMigrationProgress.PRE_BONDING_CURVE) return { kind: 'trades' };
  const dammConfig = DBC_MIGRATION_CONFIGS[terms.migrationFeeOption];
  if (terms.migrationOption !== DbcMigrationOption.DAMM_V2 || dammConfig === undefined) {
    return { kind: 'unsupported' };
  }
  switch (progress) {
    case DbcMigrationProgress.POST_BONDING_CURVE:
      return { kind: 'lock-vesting' };
    case DbcMigrationProgress.LOCKED_VESTING:
      return { kind: 'create-pool', dammConfig };
    default:
      return { kind: 'unsupported' };
  }
}
