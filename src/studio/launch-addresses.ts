import type { LaunchDirectory } from '../launches/launch.ts';
import { deriveDammPoolAddress } from '../protocols/meteora-damm-v2/program/addresses.ts';
import { DBC_MIGRATION_CONFIGS, DbcMigrationOption } from '../protocols/meteora-dbc/program/program.ts';
import type { Address } from '../solana/address.ts';
import { type LaunchReading, type LaunchState, readLaunch } from './fees/read-launch.ts';

/** Where a launched token trades. */
export interface LaunchAddresses {
  /** The curve. */
  readonly curve: Address;
  readonly config: Address;
  /** The pool of DAMM v2 that the liquidity has migrated to; null before, and if it went to another program. */
  readonly graduated: Address | null;
}

export interface LaunchAddressDependencies extends LaunchReading {
  readonly launches: Pick<LaunchDirectory, 'find'>;
}

/**
 * Finds the addresses of the launch of a mint. What the index of launches knows takes no call of the network.
 *
 * Returns null if the mint was not launched on a curve.
 *
 * @throws ChainUnavailable when the network has to be asked and does not answer.
 */
export async function findLaunchAddresses(
  { launches, ...reading }: LaunchAddressDependencies,
  mint: Address,
): Promise<LaunchAddresses | null> {
  const facts = launches.find(mint);
  if (facts === null) return null;
  const { pool: curve, config, progress, graduated } = facts;
  if (graduated !== null) return { curve, config, graduated: graduated.pool };
  if (progress !== null) return { curve, config, graduated: null };
  // The index does not know the configuration or the pool yet.
  const launch = await readLaunch(reading, curve);
  return launch === null ? null : { curve, config, graduated: deriveGraduatedPool(launch) };
}

function deriveGraduatedPool({ pool, config }: LaunchState): Address | null {
  const { migrationOption, migrationFeeOption, quoteMint } = config;
  const dammConfig = DBC_MIGRATION_CONFIGS[migrationFeeOption];
  if (pool.isMigrated === 0 || migrationOption !== DbcMigrationOption.DAMM_V2) return null;
  return dammConfig === undefined ? null : deriveDammPoolAddress(dammConfig, pool.baseMint, quoteMint);
}
