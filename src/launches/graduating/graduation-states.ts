import type { Account, AccountUpdate } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { DbcPoolConfig } from '../../protocols/meteora-dbc/program/config-terms.ts';
import { decodeDbcConfig, isDbcConfigData } from '../../protocols/meteora-dbc/program/layout-config.ts';
import {
  type DbcVirtualPool,
  decodeDbcPool,
  isDbcPoolData,
} from '../../protocols/meteora-dbc/program/layout-pool.ts';
import { METEORA_DBC_PROGRAM } from '../../protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountStates } from '../../transactions/build/costs.ts';
import type { CompleteLaunch } from '../launch.ts';

/** A launch as the network has it now, with the accounts that its graduation depends on. */
export interface GraduatingLaunch {
  readonly address: Address;
  readonly pool: DbcVirtualPool;
  readonly config: DbcPoolConfig;
  readonly tokenBaseProgram: Address;
  readonly tokenQuoteProgram: Address;
}

/** Thrown when the node that answered does not know a slot that is confirmed. No client waits for what is thrown here. */
class LaunchNodeBehind extends Unavailable {
  override readonly name = 'LaunchNodeBehind';

  constructor(shown: bigint, confirmed: bigint) {
    super(`the network shows accounts as of slot ${shown}, and ${confirmed} is confirmed`);
  }
}

/**
 * Reads launches as they are now, in two calls for all of them. One that is gone, or not a launch, is left out.
 *
 * @throws Unavailable when the network does not answer, or the node that answered is behind
 */
export async function readGraduatingLaunches(
  chain: Pick<Chain, 'getAccounts' | 'slot'>,
  launches: readonly Pick<CompleteLaunch, 'pool' | 'config'>[],
): Promise<ReadonlyMap<Address, GraduatingLaunch>> {
  const addresses = launches.flatMap(({ pool, config }) => [pool, config]);
  const states = await readCurrentStates(chain, addresses);
  const known = launches.flatMap(({ pool: address, config: configAddress }) => {
    const pool = decodeLaunch(states.get(address));
    const config = decodeConfig(states.get(configAddress));
    return pool === null || config === null || pool.config !== configAddress
      ? []
      : [{ address, pool, config }];
  });
  const mints = known.flatMap(({ pool, config }) => [pool.baseMint, config.quoteMint]);
  const mintStates = await readCurrentStates(chain, mints);
  const found = new Map<Address, GraduatingLaunch>();
  for (const { address, pool, config } of known) {
    const tokenBaseProgram = mintStates.get(pool.baseMint)?.owner;
    const tokenQuoteProgram = mintStates.get(config.quoteMint)?.owner;
    if (tokenBaseProgram === undefined || tokenQuoteProgram === undefined) continue;
    found.set(address, { address, pool, config, tokenBaseProgram, tokenQuoteProgram });
  }
  return found;
}

/** A node that lags shows a launch at an earlier step, and its simulation would succeed. */
export async function readCurrentStates(
  chain: Pick<Chain, 'getAccounts' | 'slot'>,
  addresses: readonly Address[],
): Promise<AccountStates> {
  const since = chain.slot('confirmed');
  const read: readonly AccountUpdate[] = await chain.getAccounts([...new Set(addresses)]);
  const late = read.find(({ slot }) => slot < since);
  if (late !== undefined) throw new LaunchNodeBehind(late.slot, since);
  return new Map(read.map(({ address, account }) => [address, account]));
}

function decodeLaunch(account: Account | null | undefined): DbcVirtualPool | null {
  if (account?.owner !== METEORA_DBC_PROGRAM || !isDbcPoolData(account.data)) return null;
  return decodeDbcPool(account.data);
}

function decodeConfig(account: Account | null | undefined): DbcPoolConfig | null {
  if (account?.owner !== METEORA_DBC_PROGRAM || !isDbcConfigData(account.data)) return null;
  return decodeDbcConfig(account.data);
}
