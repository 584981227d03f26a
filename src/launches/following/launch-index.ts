import type { AccountUpdate } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import type { OutageLog } from '../../common/outage-log.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { createRepeatedWork, type RepeatedWork } from '../../common/work/repeated-work.ts';
import {
  DBC_POOL_FILTER,
  type DbcVirtualPool,
  decodeDbcPool,
  isDbcPoolData,
} from '../../protocols/meteora-dbc/program/layout-pool.ts';
import { DbcActivationType, METEORA_DBC_PROGRAM } from '../../protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../solana/address.ts';
import {
  type CompleteLaunch,
  LAUNCHPAD,
  type LaunchDirectory,
  type LaunchFacts,
  type PaysForLaunch,
  type ReadKnownAccount,
} from '../launch.ts';
import type { IndexedLaunch } from './indexed-launch.ts';
import { LaunchCreators, type LaunchCreatorsOptions } from './launch-creators.ts';
import { computeLaunchProgress, deriveGraduatedPool, readGraduatedPool } from './launch-facts.ts';
import { addLaunchIndexMetrics } from './launch-index-metrics.ts';
import { findLaunchStage } from './launch-stage.ts';
import { LaunchStages } from './launch-stages.ts';
import { type LaunchTerms, LaunchTermsCache } from './launch-terms.ts';

export interface LaunchIndexOptions extends LaunchCreatorsOptions {
  readonly chain: LaunchCreatorsOptions['chain'] &
    Pick<Chain, 'getAccounts' | 'getProgramAccounts' | 'watchProgram'>;
  /** Whether the creators of all launches are looked for, which costs no calls. Over an outside RPC, only those that are asked for. */
  readonly isOwnNetwork: boolean;
  /** Reads configurations, and pools that launches have migrated to. */
  readonly readKnown: ReadKnownAccount;
  /** Null if the operator pays for no migration. Asked once for each launch whose curve is complete. */
  readonly paysFor: PaysForLaunch | null;
  readonly timers: Pick<Timers, 'after' | 'now'>;
  readonly metrics: Metrics;
  /** Called when launches or their configurations could not be read, and when they are again. */
  readonly outage: OutageLog;
  /** A bound for tests. */
  readonly maxPerStage?: number | undefined;
}

/** How often it reads what somebody has asked for, and what it could not read. */
const READ_EVERY_MS = 1_000;
/** How often it tries again to read all launches, which is a large answer over an outside RPC. */
const READ_ALL_AGAIN_MS = 10_000;

/**
 * The launches of the network, by their pools and by their tokens, kept current by a watch. The market watches the same accounts of
 * the program, so over an outside RPC the index takes no watch of its own.
 */
export class LaunchIndex implements LaunchDirectory {
  readonly #options: LaunchIndexOptions;
  readonly #terms: LaunchTermsCache;
  readonly #stages: LaunchStages;
  readonly #creators: LaunchCreators;
  readonly #byPool = new Map<Address, IndexedLaunch>();
  readonly #byMint = new Map<Address, IndexedLaunch>();
  readonly #reading: RepeatedWork;
  #stopWatch: () => void = () => undefined;
  /** When all launches are read, by the clock of the timers; null once they were. */
  #readAllAt: number | null = 0;

  private constructor(options: LaunchIndexOptions) {
    const { timers, outage, metrics, maxPerStage } = options;
    this.#options = options;
    this.#terms = new LaunchTermsCache(options);
    this.#creators = new LaunchCreators(options);
    this.#stages = new LaunchStages(maxPerStage);
    addLaunchIndexMetrics(metrics, this.#stages);
    this.#reading = createRepeatedWork({
      everyMs: READ_EVERY_MS,
      work: () => this.#read(),
      timers,
      onError: (error) => outage.onFailure(error),
    });
  }

  /**
   * Reads every launch that exists now, and follows them until `close` is called. If the network does not answer, it opens with what
   * the watch tells, and reads them later.
   */
  static async open(options: LaunchIndexOptions): Promise<LaunchIndex> {
    const index = new LaunchIndex(options);
    // The watch starts first, so that a change during the read is seen twice rather than missed.
    index.#stopWatch = options.chain.watchProgram(
      METEORA_DBC_PROGRAM,
      (updates) => index.#apply(updates),
      DBC_POOL_FILTER,
    );
    await index.#read().catch((error: unknown) => options.outage.onFailure(error));
    index.#reading.start();
    return index;
  }

  readonly find = (mint: Address): LaunchFacts | null => {
    const launch = this.#byMint.get(mint);
    if (launch === undefined) return null;
    const terms = this.#terms.get(launch.config);
    const isMigrated = launch.stage === 'migrated';
    if (isMigrated && terms !== null) this.#findGraduated(launch, terms);
    return {
      launchpad: LAUNCHPAD,
      pool: launch.pool,
      launchedAt: terms?.activationType === DbcActivationType.TIMESTAMP ? launch.activationPoint : null,
      config: launch.config,
      progress: isMigrated || terms === null ? null : computeLaunchProgress(launch, terms),
      graduated: isMigrated ? launch.graduated : null,
    };
  };

  readonly creatorOf = (mint: Address): Address | null => {
    const launch = this.#byMint.get(mint);
    return launch === undefined ? null : this.#creators.get(launch);
  };

  readonly countOf = (creator: Address): number => this.#creators.countOf(creator);

  /** Whether the operator pays for some migrations. */
  get paysForSome(): boolean {
    return this.#options.paysFor !== null;
  }

  /** Lists the launches whose migration the operator pays for, in the order in which their curves were seen to be complete. */
  *listPaid(): Iterable<CompleteLaunch> {
    for (const { pool, config, mint, quoteReserve } of this.#stages.list('paid')) {
      const quoteMint = this.#terms.get(config)?.quoteMint ?? null;
      yield { pool, config, mint, quoteReserve, quoteMint };
    }
  }

  /** Notes that no transaction of this service can migrate a launch, so that it is not listed again. */
  leave(pool: Address): void {
    const launch = this.#byPool.get(pool);
    if (launch === undefined) return;
    launch.isLeft = true;
    if (launch.stage === 'paid') this.#forget(this.#stages.move(launch, 'waits'));
  }

  /** How many launches wait for a migration that the operator pays for. */
  get paidCount(): number {
    return this.#stages.countOf('paid');
  }

  /** Returns why launches may be unknown; null if all were read. */
  unhealthy(): string | null {
    return this.#readAllAt === null ? null : 'the launches that exist could not be read yet';
  }

  async close(): Promise<void> {
    this.#stopWatch();
    await this.#reading.stop();
  }

  /** @throws ChainUnavailable when the network does not answer */
  async #read(): Promise<void> {
    const { timers, outage } = this.#options;
    if (this.#readAllAt !== null && timers.now() >= this.#readAllAt) {
      this.#readAllAt = timers.now() + READ_ALL_AGAIN_MS;
      await this.#readAll();
      this.#readAllAt = null;
    }
    await this.#terms.readSome();
    await this.#creators.readSome();
    if (this.#readAllAt === null) outage.onAnswer();
  }

  async #readAll(): Promise<void> {
    const { chain } = this.#options;
    this.#apply(await chain.getProgramAccounts(METEORA_DBC_PROGRAM, 'processed', DBC_POOL_FILTER));
    // The configurations of a small network are known at once, and of a large one those that somebody asks for.
    for (const { config } of this.#byPool.values()) this.#terms.get(config);
  }

  #findGraduated(launch: IndexedLaunch, terms: LaunchTerms): void {
    if (launch.graduated !== null) return;
    if (launch.destination === undefined) launch.destination = deriveGraduatedPool(launch.mint, terms);
    if (launch.destination === null) return;
    launch.graduated = readGraduatedPool(launch.destination, this.#options.readKnown);
  }

  #apply(updates: readonly AccountUpdate[]): void {
    for (const { address, account, slot, isRollback } of updates) {
      const known = this.#byPool.get(address);
      if (known !== undefined && slot < known.slot && isRollback !== true) continue;
      const isLaunch =
        account !== null && account.owner === METEORA_DBC_PROGRAM && isDbcPoolData(account.data);
      if (isLaunch) this.#put(address, decodeDbcPool(account.data), slot);
      else if (known !== undefined) this.#remove(known);
    }
  }

  #put(address: Address, pool: DbcVirtualPool, slot: bigint): void {
    const { config, baseMint: mint, activationPoint, quoteReserve } = pool;
    const { paysFor, isOwnNetwork } = this.#options;
    const known = this.#byPool.get(address);
    // What was asked once is not asked again.
    const isPaid = () =>
      known?.isLeft !== true && (known?.stage === 'paid' || paysFor?.({ config, mint }) === true);
    const stage = findLaunchStage(pool, isPaid);
    if (known !== undefined && known.mint === mint && known.config === config) {
      known.quoteReserve = quoteReserve;
      known.slot = slot;
      this.#forget(this.#stages.move(known, stage));
      return;
    }
    // A slot that was rolled back had another launch at the address.
    if (known !== undefined) this.#remove(known);
    const launch: IndexedLaunch = {
      pool: address,
      mint,
      config,
      tokenType: pool.poolType,
      activationPoint,
      quoteReserve,
      stage,
      slot,
      isLeft: false,
      destination: undefined,
      graduated: null,
      creator: null,
      creatorTries: 0,
    };
    this.#byPool.set(address, launch);
    this.#byMint.set(mint, launch);
    if (isOwnNetwork) this.#creators.get(launch);
    this.#forget(this.#stages.add(launch));
  }

  #remove(launch: IndexedLaunch): void {
    this.#stages.remove(launch);
    this.#forget(launch);
  }

  #forget(launch: IndexedLaunch | null): void {
    if (launch === null) return;
    this.#creators.forget(launch);
    this.#byPool.delete(launch.pool);
    if (this.#byMint.get(launch.mint) === launch) this.#byMint.delete(launch.mint);
  }
}
