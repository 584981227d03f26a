import type { Account, AccountUpdate } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import { cachePerAccount } from '../../protocol/venue/once-per-account.ts';
import {
  DBC_POOL_FILTER,
  decodeDbcPool,
  isDbcPoolData,
} from '../../protocols/meteora-dbc/program/layout-pool.ts';
import { DbcActivationType, METEORA_DBC_PROGRAM } from '../../protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../solana/address.ts';
import {
  type CompleteLaunch,
  type GraduatedPool,
  LAUNCHPAD,
  type LaunchDirectory,
  type LaunchFacts,
  type ReadKnownAccount,
} from '../launch.ts';
import { computeLaunchProgress, findGraduatedPool } from './launch-facts.ts';
import { isCompleteLaunch } from './launch-stage.ts';
import { LaunchTermsCache, type LaunchTermsOptions } from './launch-terms.ts';

/** What is kept of a launch. */
interface IndexedLaunch {
  readonly pool: Address;
  readonly mint: Address;
  account: Account;
  creator: Address;
  slot: bigint;
  /** Kept once it is found, because it never changes. */
  graduated: GraduatedPool | null;
}

export interface LaunchIndexOptions extends LaunchTermsOptions {
  readonly chain: Pick<Chain, 'getAccounts' | 'getProgramAccounts' | 'watchProgram'>;
  /** Reads configurations, and pools that launches have migrated to. */
  readonly readKnown: ReadKnownAccount;
}

const readLaunch = cachePerAccount(({ data }) => decodeDbcPool(data));

/**
 * Every launch of the network, by its pool and by its token, kept current by a watch. The market watches the same accounts of the
 * program, so over an outside RPC the index takes no calls of its own.
 */
export class LaunchIndex implements LaunchDirectory {
  readonly #readKnown: ReadKnownAccount;
  readonly #terms: LaunchTermsCache;
  readonly #byPool = new Map<Address, IndexedLaunch>();
  readonly #byMint = new Map<Address, IndexedLaunch>();
  readonly #counts = new Map<Address, number>();
  readonly #complete = new Map<Address, IndexedLaunch>();
  #stop: () => void = () => undefined;

  private constructor(options: LaunchIndexOptions) {
    this.#readKnown = options.readKnown;
    this.#terms = new LaunchTermsCache(options);
  }

  /**
   * Reads every launch that exists now, and follows them until `close` is called.
   *
   * @throws ChainUnavailable when the network does not answer
   */
  static async open(options: LaunchIndexOptions): Promise<LaunchIndex> {
    const { chain } = options;
    const index = new LaunchIndex(options);
    // The watch starts first, so that a change during the read is seen twice rather than missed.
    index.#stop = chain.watchProgram(
      METEORA_DBC_PROGRAM,
      (updates) => index.#apply(updates),
      DBC_POOL_FILTER,
    );
    try {
      index.#apply(await chain.getProgramAccounts(METEORA_DBC_PROGRAM, 'processed', DBC_POOL_FILTER));
      // The launches of a small network are known at once, and of a large one those that somebody asks for.
      for (const { account } of index.#byPool.values()) index.#terms.get(readLaunch(account).config);
      await index.#terms.readSome();
    } catch (error) {
      await index.close();
      throw error;
    }
    index.#terms.start();
    return index;
  }

  readonly find = (mint: Address): LaunchFacts | null => {
    const launch = this.#byMint.get(mint);
    if (launch === undefined) return null;
    const pool = readLaunch(launch.account);
    const terms = this.#terms.get(pool.config);
    const isMigrated = pool.isMigrated !== 0;
    if (isMigrated && terms !== null) {
      launch.graduated ??= findGraduatedPool(pool, terms, this.#readKnown);
    }
    return {
      launchpad: LAUNCHPAD,
      pool: launch.pool,
      launchedAt: terms?.activationType === DbcActivationType.TIMESTAMP ? pool.activationPoint : null,
      config: pool.config,
      creator: pool.creator,
      progress: isMigrated || terms === null ? null : computeLaunchProgress(pool, terms),
      graduated: isMigrated ? launch.graduated : null,
    };
  };

  readonly countOf = (creator: Address): number => this.#counts.get(creator) ?? 0;

  /** The launches that wait for their migration, in the order in which they were seen to be complete. */
  *listComplete(): Iterable<CompleteLaunch> {
    for (const { pool, mint, account } of this.#complete.values()) {
      yield { pool, mint, config: readLaunch(account).config };
    }
  }

  /** How many launches wait for their migration. */
  get completeCount(): number {
    return this.#complete.size;
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#terms.close();
  }

  #apply(updates: readonly AccountUpdate[]): void {
    for (const update of updates) {
      const known = this.#byPool.get(update.address);
      if (known !== undefined && update.slot < known.slot && update.isRollback !== true) continue;
      const { account } = update;
      const isLaunch =
        account !== null && account.owner === METEORA_DBC_PROGRAM && isDbcPoolData(account.data);
      if (!isLaunch) {
        if (known !== undefined) this.#remove(known);
        continue;
      }
      if (known === undefined) this.#add(update.address, account, update.slot);
      else this.#replace(known, account, update.slot);
    }
  }

  #add(pool: Address, account: Account, slot: bigint): void {
    const { baseMint: mint, creator } = readLaunch(account);
    const launch: IndexedLaunch = { pool, mint, account, creator, slot, graduated: null };
    this.#byPool.set(pool, launch);
    this.#byMint.set(mint, launch);
    this.#count(creator, 1);
    this.#sort(launch);
  }

  #replace(launch: IndexedLaunch, account: Account, slot: bigint): void {
    const { creator } = readLaunch(account);
    if (creator !== launch.creator) {
      this.#count(launch.creator, -1);
      this.#count(creator, 1);
      launch.creator = creator;
    }
    launch.account = account;
    launch.slot = slot;
    this.#sort(launch);
  }

  #remove(launch: IndexedLaunch): void {
    this.#byPool.delete(launch.pool);
    this.#byMint.delete(launch.mint);
    this.#complete.delete(launch.pool);
    this.#count(launch.creator, -1);
  }

  #sort(launch: IndexedLaunch): void {
    if (!isCompleteLaunch(launch.account.data)) this.#complete.delete(launch.pool);
    else if (!this.#complete.has(launch.pool)) this.#complete.set(launch.pool, launch);
  }

  #count(creator: Address, change: number): void {
    const count = this.countOf(creator) + change;
    if (count > 0) this.#counts.set(creator, count);
    else this.#counts.delete(creator);
  }
}
