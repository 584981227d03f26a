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
  /** The curve. */
  readonly address: Address;
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
export function readLaunch(reading: LaunchReading, address: Address): Promise<LaunchState | null> {
  return readFirstLaunch(reading, [address]);
}

/**
 * Reads the first launch among addresses at which its curve may be.
 *
 * Returns null if there is none.
 *
 * @throws ChainUnavailable when the network does not answer, or an account cannot be decoded.
 */
export async function readFirstLaunch(
  reading: LaunchReading,
  addresses: readonly Address[],
): Promise<LaunchState | null> {
  for (const { address, account } of await reading.chain.getAccounts(addresses)) {
    if (account?.owner !== METEORA_DBC_PROGRAM || !isDbcPoolData(account.data)) continue;
    const pool = decodeFromChain(address, () => decodeDbcPool(account.data));
    return { address, pool, config: await readLaunchConfig(reading, pool.config) };
  }
  return null;
}

/** @throws ChainUnavailable when the network does not answer, or the account cannot be decoded. */
async function readLaunchConfig(
  { chain, readKnown }: LaunchReading,
  address: Address,
): Promise<DbcPoolConfig> {
  const known = readKnown(address);
  if (known !== null && isDbcConfigData(known.data)) return decodeDbcConfig(known.data);
  const [found] = await chain.getAccounts([address]);
  // No launch exists without its configuration, so a node that does not have it is behind.
  return decodeFromChain(address, () => decodeDbcConfig(found?.account?.data ?? new Uint8Array()));
}
