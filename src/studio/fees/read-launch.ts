import type { Account } from '../../chain/accounts.ts';
import { type Chain, decodeFromChain } from '../../chain/chain.ts';
import type { ReadKnownAccount } from '../../launches/launch.ts';
import type { DbcPoolConfig } from '../../protocols/meteora-dbc/program/config-terms.ts';
import { decodeDbcConfig, isDbcConfigData } from '../../protocols/meteora-dbc/program/layout-config.ts';
import {
  type DbcVirtualPool,
  decodeDbcPool,
  isDbcPoolData,
} from '../../protocols/meteora-dbc/program/layout-pool.ts';
import { METEORA_DBC_PROGRAM } from '../../protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../solana/address.ts';

/** What the accounts of launches are read with. */
export interface LaunchReading {
  readonly chain: Pick<Chain, 'getAccounts'>;
  /** Reads configurations, which never change, without a call. */
  readonly readKnown: ReadKnownAccount;
}

/** A launch as its accounts are now. */
export interface LaunchState {
  readonly pool: DbcVirtualPool;
  readonly config: DbcPoolConfig;
}

/**
 * Reads a launch by the address of its curve.
 *
 * Returns null if there is no curve at the address.
 *
 * @throws ChainUnavailable when the network does not answer, or an account cannot be decoded.
 */
export async function readLaunch(reading: LaunchReading, address: Address): Promise<LaunchState | null> {
  const account = await readOne(reading, address);
  if (account?.owner !== METEORA_DBC_PROGRAM || !isDbcPoolData(account.data)) return null;
  const pool = decodeFromChain(address, () => decodeDbcPool(account.data));
  return { pool, config: await readLaunchConfig(reading, pool.config) };
}

/** @throws ChainUnavailable when the network does not answer, or the account cannot be decoded. */
async function readLaunchConfig(reading: LaunchReading, address: Address): Promise<DbcPoolConfig> {
  const known = reading.readKnown(address);
  const account = known !== null && isDbcConfigData(known.data) ? known : await readOne(reading, address);
  // No launch exists without its configuration, so a node that does not have it is behind.
  return decodeFromChain(address, () => decodeDbcConfig(account?.data ?? new Uint8Array()));
}

async function readOne({ chain }: LaunchReading, address: Address): Promise<Account | null> {
  const [found] = await chain.getAccounts([address]);
  return found?.account ?? null;
}
