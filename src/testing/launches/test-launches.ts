import { PARAMETERS } from '../../../programs/meteora-dbc/tests/fixture.ts';
import type { Account, AccountFilter, AccountUpdate } from '../../chain/accounts.ts';
import { matchesAccountFilter } from '../../chain/accounts.ts';
import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import { LaunchIndex, type LaunchIndexOptions } from '../../launches/following/launch-index.ts';
import { toDbcPoolConfig } from '../../protocols/meteora-dbc/build-config/config-account.ts';
import { checkDbcParameters } from '../../protocols/meteora-dbc/build-config/config-check.ts';
import { startCurve } from '../../protocols/meteora-dbc/genesis/curve-life.ts';
import { type DbcPoolKeys, deriveDbcPoolKeys } from '../../protocols/meteora-dbc/program/addresses.ts';
import type { DbcPoolConfig } from '../../protocols/meteora-dbc/program/config-terms.ts';
import { encodeDbcConfig } from '../../protocols/meteora-dbc/program/layout-config.ts';
import { type DbcVirtualPool, encodeDbcPool } from '../../protocols/meteora-dbc/program/layout-pool.ts';
import { METEORA_DBC_PROGRAM } from '../../protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { CountedMetrics } from '../counted-metrics.ts';
import { numbered } from '../test-tokens.ts';
import { createLaunchTransaction } from './launch-transaction.ts';
import { ManualTimers } from '../timers.ts';

export const LAUNCH_QUOTE = numbered(900);
export const LAUNCH_CREATOR = numbered(901);
export const LAUNCHED_AT = 1_700_000_000n;

/** Returns an account with these bytes. */
export function createTestAccount(owner: Address, data: Uint8Array): Account {
  return { lamports: 1n, owner, data, executable: false, rentEpoch: 0n };
}

/** The accounts of launches in memory, with an index of them. */
export class LaunchWorld {
  readonly accounts = new Map<Address, Account>();
  /** What the market knows. */
  readonly known = new Map<Address, Account>();
  readonly timers = new ManualTimers();
  /** What could not be read, and `null` whenever everything could be. */
  readonly outages: unknown[] = [];
  readonly metrics = new CountedMetrics();
  /** The transactions that name an address, oldest first. */
  readonly history = new Map<Address, readonly LandedTransaction[]>();
  readonly genesisCreators = new Map<Address, Address>();
  /** What reads reject with. */
  failure: Error | null = null;
  /** How many calls have read accounts. */
  reads = 0;
  /** How many transactions were read. */
  transactionReads = 0;
  slot = 10n;
  #watcher: ((updates: readonly AccountUpdate[]) => void) | null = null;

  /** Writes a configuration, and returns its address. */
  addConfig(number: number, changes: Partial<DbcPoolConfig> = {}): Address {
    const checked = checkDbcParameters(PARAMETERS);
    if (!checked.ok) throw new Error(checked.error.message);
    const owners = {
      quoteMint: LAUNCH_QUOTE,
      feeClaimer: numbered(902),
      leftoverReceiver: numbered(902),
      quoteTokenFlag: 0,
    };
    const config = { ...toDbcPoolConfig(PARAMETERS, checked.terms, owners), ...changes };
    this.accounts.set(numbered(number), createTestAccount(METEORA_DBC_PROGRAM, encodeDbcConfig(config)));
    return numbered(number);
  }

  keysOf(config: Address, mint: Address): DbcPoolKeys {
    const programs = { tokenBaseProgram: TOKEN_PROGRAM, tokenQuoteProgram: TOKEN_PROGRAM };
    return deriveDbcPoolKeys({ config, baseMint: mint, quoteMint: LAUNCH_QUOTE, ...programs });
  }

  /** Writes a launch as it is then, and tells who watches. */
  put(
    { config, mint }: { readonly config: Address; readonly mint: Address },
    changes: Partial<DbcVirtualPool> = {},
  ): Address {
    const keys = this.keysOf(config, mint);
    const terms = { preMigrationTokenSupply: 1_000n, sqrtStartPrice: 1n, tokenType: 0 } as DbcPoolConfig;
    const fresh = startCurve(keys, terms, { creator: LAUNCH_CREATOR, launchedAt: LAUNCHED_AT });
    const data = encodeDbcPool({ ...fresh, ...changes });
    this.accounts.set(keys.pool, createTestAccount(METEORA_DBC_PROGRAM, data));
    this.slot++;
    this.tell({ address: keys.pool });
    return keys.pool;
  }

  /** Tells who watches how an account is, or says that it is so as of another slot. */
  tell(update: Pick<AccountUpdate, 'address'> & Partial<AccountUpdate>): void {
    const account = this.accounts.get(update.address) ?? null;
    this.#watcher?.([{ slot: this.slot, account, ...update }]);
  }

  /** Writes the transaction of a launch into the history of an address. */
  record(pool: Address, address: Address, creator: Address): void {
    const earlier = this.history.get(address) ?? [];
    const signature = `launch ${pool} ${earlier.length}`;
    this.history.set(address, [
      ...earlier,
      createLaunchTransaction({ signature, slot: this.slot, pool, creator }),
    ]);
  }

  openIndex(options: Partial<LaunchIndexOptions> = {}): Promise<LaunchIndex> {
    return LaunchIndex.open({
      isOwnNetwork: false,
      genesisCreators: this.genesisCreators,
      paysFor: () => true,
      ...options,
      chain: {
        slot: () => this.slot,
        signaturesOf: async (address, { limit, before }) => {
          if (this.failure !== null) throw this.failure;
          const newest = [...(this.history.get(address) ?? [])].reverse();
          const from =
            before === undefined ? 0 : newest.findIndex(({ signature }) => signature === before) + 1;
          return newest.slice(from, from + limit).map(({ signature, slot }) => ({ signature, slot }));
        },
        transaction: async (signature) => {
          this.transactionReads++;
          const all = [...this.history.values()].flat();
          return all.find((each) => each.signature === signature) ?? null;
        },
        getAccounts: async (addresses) => {
          this.reads++;
          if (this.failure !== null) throw this.failure;
          return addresses.map((address) => this.#read(address));
        },
        getProgramAccounts: async (_program, _commitment, filter: AccountFilter = {}) => {
          if (this.failure !== null) throw this.failure;
          return [...this.accounts.keys()]
            .map((address) => this.#read(address))
            .filter(({ account }) => account !== null && matchesAccountFilter(filter, account.data));
        },
        watchProgram: (_program, onChange) => {
          this.#watcher = onChange;
          return () => {
            this.#watcher = null;
          };
        },
      },
      readKnown: (address) => this.known.get(address) ?? null,
      timers: this.timers,
      metrics: this.metrics,
      outage: {
        onFailure: (error) => this.outages.push(error),
        onAnswer: () => this.outages.push(null),
      },
    });
  }

  /** Lets seconds pass. */
  async pass(seconds = 1): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      this.timers.advance(1_000);
      await new Promise(setImmediate);
    }
  }

  #read(address: Address): AccountUpdate {
    return { address, slot: this.slot, account: this.accounts.get(address) ?? null };
  }
}
