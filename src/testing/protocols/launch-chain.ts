import type { Account, AccountUpdate } from '../../chain/accounts.ts';
import type { ChainClock } from '../../chain/chain.ts';
import type { DbcPoolConfig } from '../../protocols/meteora-dbc/program/config-terms.ts';
import { type DbcVirtualPool, encodeDbcPool } from '../../protocols/meteora-dbc/program/layout-pool.ts';
import { METEORA_DBC_PROGRAM } from '../../protocols/meteora-dbc/program/program.ts';
import type { AccountReader } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import {
  createDbcAccount,
  createDbcReader,
  DBC_CASE,
  DBC_CLOCK,
  PLAIN_DBC_CONFIG,
  PLAIN_DBC_POOL,
} from './dbc-cases.ts';

type OnChange = (updates: readonly AccountUpdate[]) => void;

/** The part of a chain from which pools are read, with a configuration and both mints, on which launches appear and change. */
export class LaunchChain {
  readonly #known: AccountReader;
  /** The time of the chain. */
  now: ChainClock = DBC_CLOCK;
  #onPools: OnChange = () => {};
  #slot = 1n;

  /** @param changes - The differences of the configuration from the plain one. */
  constructor(changes: Partial<DbcPoolConfig> = {}) {
    const config = { ...PLAIN_DBC_CONFIG, ...changes };
    const known = createDbcReader({ config, pool: PLAIN_DBC_POOL });
    this.#known = (address) => known(address === config.quoteMint ? DBC_CASE.quoteMint : address);
  }

  clock(): ChainClock {
    return this.now;
  }

  watchProgram(_program: Address, onChange: OnChange): () => void {
    this.#onPools = onChange;
    return () => {};
  }

  watchAccounts(): () => void {
    return () => {};
  }

  async getProgramAccounts(): Promise<readonly AccountUpdate[]> {
    return [];
  }

  async getAccounts(addresses: readonly Address[]): Promise<readonly AccountUpdate[]> {
    return addresses.map((address) => this.#update(address, this.#known(address)));
  }

  /** Announces the state of a pool. A new one is in the state of its creation. */
  publish(address: Address, changes: Partial<DbcVirtualPool> = {}): void {
    const data = encodeDbcPool({ ...PLAIN_DBC_POOL, ...changes });
    this.#onPools([this.#update(address, createDbcAccount(METEORA_DBC_PROGRAM, data))]);
  }

  #update(address: Address, account: Account | null): AccountUpdate {
    return { address, account, slot: this.#slot++ };
  }
}
