import type { Account, AccountUpdate } from '../../chain/accounts.ts';
import type { Chain, ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { SYSTEM_TIMERS, type Timers, wait } from '../../common/ports/timers.ts';
import { PairIndex } from './pair-index.ts';
import {
  type PoolState,
  type Trading,
  toTrading,
  type Unusable,
  type Venue,
} from '../../protocol/venue/venue.ts';
import type { PoolHandle, UnusablePool } from './liquidity.ts';
import {
  advancePool,
  decodeTracked,
  hasSameMints,
  listDependencies,
  listFurtherDependencies,
  type TrackedPool,
  updateDependencies,
} from './tracked-pool.ts';
import { WatchedAccounts } from './watched-accounts.ts';

const READ_AGAIN_MS = 1_000;

/**
 * Every pool of the given venues, decoded and current. It owns the accounts on which quotes depend: only updates from
 * the chain change them, and a quote reads nothing else.
 *
 * @example
 * ```ts
 * import type { Chain } from '../../chain/chain.ts';
 * import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
 * import { VENUES } from '../../protocols/venues.ts';
 * import { Pools } from './pools.ts';
 *
 * // Counts the mints that SOL is traded for.
 * async function countCounterparts(chain: Chain): Promise<number> {
 *   const pools = await Pools.open(chain, VENUES);
 *   const { size } = pools.counterparts(WRAPPED_SOL_MINT);
 *   pools.close();
 *   return size;
 * }
 * ```
 */
export class Pools {
  readonly #chain: Chain;
  readonly #timers: Timers;
  readonly #accounts: WatchedAccounts<TrackedPool>;
  readonly #pools = new Map<Address, TrackedPool>();
  readonly #trading: ReadonlyMap<Venue, Trading>;
  readonly #pairs = new PairIndex();
  readonly #stops: (() => void)[] = [];
  readonly #listeners = new Set<(handle: PoolHandle) => void>();
  readonly #read = (address: Address): Account | null => this.#accounts.read(address);
  #changes = 0;
  #failure: string | null = 'pools are still being read';
  #isOpening = true;
  #closed = false;

  private constructor(chain: Chain, venues: readonly Venue[], timers: Timers) {
    this.#trading = new Map(venues.map((venue) => [venue, toTrading(venue)]));
    this.#chain = chain;
    this.#timers = timers;
    this.#accounts = new WatchedAccounts(chain, (updates) => this.#apply(updates));
  }

  /**
   * Reads every pool that exists now and starts to watch for changes.
   *
   * @throws ChainUnavailable if the chain does not answer
   */
  static async open(chain: Chain, venues: readonly Venue[], timers: Timers = SYSTEM_TIMERS): Promise<Pools> {
    const pools = new Pools(chain, venues, timers);
    await Promise.all(venues.map((venue) => pools.#openVenue(venue)));
    pools.#failure = null;
    pools.#isOpening = false;
    return pools;
  }

  /** The mints that `mint` is traded for now, each with its pools. */
  counterparts(mint: Address): ReadonlyMap<Address, readonly PoolHandle[]> {
    return this.#pairs.counterparts(mint);
  }

  /** Pools that trade the two mints and can be used now. */
  between(one: Address, other: Address): readonly PoolHandle[] {
    return this.#pairs.between(one, other);
  }

  /** Returns the pool at the address, or null if it cannot be used now. */
  find(address: Address): PoolHandle | null {
    return this.#pools.get(address)?.handle ?? null;
  }

  /** The mints that most others are traded for. */
  hubs(): ReadonlySet<Address> {
    return this.#pairs.hubs();
  }

  /**
   * Returns the last known state of an account on which some pool depends, such as a mint; null if it is unknown or
   * absent.
   */
  account(address: Address): Account | null {
    return this.#read(address);
  }

  /** Whether at least one usable pool trades the mint. */
  knows(mint: Address): boolean {
    return this.#pairs.counterparts(mint).size > 0;
  }

  get listing(): number {
    return this.#pairs.version;
  }

  /**
   * Changes whenever a pool has a new state or becomes unusable, so that callers can cache what they derive from all
   * pools.
   */
  get changes(): number {
    return this.#changes;
  }

  /** The network's time, on which depends what pools charge, and what mints withhold from transfers. */
  get clock(): ChainClock {
    return this.#chain.clock();
  }

  get size(): number {
    return this.#pools.size;
  }

  /**
   * The pools that can be used now.
   *
   * @param withShortLived - Whether those are among them that exist for minutes only. Default: no.
   */
  *all(withShortLived = false): Iterable<PoolHandle> {
    for (const { handle } of this.#pools.values()) {
      if (handle !== null && (withShortLived || handle.venue.isShortLived !== true)) yield handle;
    }
  }

  /** The pools that routes cannot use, with the reason. */
  *unusable(): Iterable<UnusablePool> {
    for (const { handle, address, venue, reason } of this.#pools.values()) {
      if (handle === null) yield { address, venue: venue.label, reason };
    }
  }

  /** Returns the pool at the address if routes cannot use it now; null if they can, or there is none. */
  findUnusable(address: Address): UnusablePool | null {
    const tracked = this.#pools.get(address);
    if (tracked === undefined || tracked.handle !== null) return null;
    return { address, venue: tracked.venue.label, reason: tracked.reason };
  }

  /**
   * Calls the listener with each pool that has a new state, synchronously, so the listener must be fast. Pools that exist for
   * minutes only are left out.
   *
   * Returns a function that removes the listener.
   */
  onChange(listener: (handle: PoolHandle) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns null if the pools are current, otherwise what is wrong. */
  unhealthy(): string | null {
    return this.#failure;
  }

  close(): void {
    this.#closed = true;
    for (const stop of this.#stops.splice(0)) stop();
    this.#accounts.close();
  }

  async #openVenue(venue: Venue): Promise<void> {
    // The watch starts first, so that a change during the snapshot is seen twice rather than missed.
    const { program, poolFilter } = venue;
    const stop = this.#chain.watchProgram(program, (updates) => this.#onVenue(venue, updates), poolFilter);
    this.#stops.push(stop);
    await this.#takePools(venue, await this.#chain.getProgramAccounts(program, 'processed', poolFilter));
  }

  #onVenue(venue: Venue, updates: readonly AccountUpdate[]): void {
    const strangers = updates.filter(({ address }) => !this.#pools.has(address));
    this.#apply(updates);
    if (strangers.length === 0) return;
    this.#takePools(venue, strangers).catch((error: unknown) => this.#fail(error));
  }

  /** Starts to track the accounts that are pools, and reads their dependencies. */
  async #takePools(venue: Venue, updates: readonly AccountUpdate[]): Promise<void> {
    const missing = new Set<Address>();
    const found: TrackedPool[] = [];
    for (const { address, account, slot } of updates) {
      if (account === null || this.#pools.has(address) || !venue.isPool(account)) continue;
      const tracked: TrackedPool = {
        venue,
        address,
        handle: null,
        next: undefined,
        reason: 'not read yet',
        dependencies: new Set<Address>(),
        reading: 1,
      };
      this.#pools.set(address, tracked);
      for (const each of updateDependencies(tracked, listDependencies(tracked, account), this.#accounts))
        missing.add(each);
      this.#accounts.hold({ address, account, slot });
      found.push(tracked);
    }
    await this.#readAccounts([...missing]);
    await this.#readAccounts(found.flatMap((tracked) => this.#listFurther(tracked)));
    for (const tracked of found) {
      tracked.reading--;
      if (this.#isTracked(tracked)) this.#decode(tracked);
    }
  }

  /** Makes the pool depend on the accounts that only its dependencies name. Returns those that no pool had before. */
  #listFurther(tracked: TrackedPool): Address[] {
    const { venue, address } = tracked;
    if (venue.furtherDependencies === undefined) return [];
    const account = this.#read(address);
    if (account === null || !venue.isPool(account)) return [];
    const further = listFurtherDependencies(tracked, account, this.#read);
    const needed = [...listDependencies(tracked, account), ...further];
    return further.length === 0 ? [] : updateDependencies(tracked, needed, this.#accounts);
  }

  /**
   * Watches the accounts and reads them. Once the pools are open, a read that fails is repeated until it succeeds,
   * because nothing else would bring back the pools that wait for it.
   */
  async #readAccounts(addresses: readonly Address[]): Promise<void> {
    if (!this.#closed) this.#accounts.watch(addresses);
    while (!this.#closed) {
      try {
        return await this.#accounts.refresh(addresses);
      } catch (error) {
        if (this.#isOpening) throw error;
        await wait(READ_AGAIN_MS, this.#timers);
      }
    }
  }

  #isTracked(tracked: TrackedPool): boolean {
    return this.#pools.get(tracked.address) === tracked;
  }

  /** Applies updates that are newer than the known state, then updates each affected pool once. */
  #apply(updates: readonly AccountUpdate[]): void {
    const touched: TrackedPool[] = [];
    for (const update of updates) {
      for (const tracked of this.#accounts.hold(update)) {
        if (tracked.next === undefined) touched.push(tracked);
        tracked.next = advancePool(tracked, update);
        if (tracked.venue.dependenciesMove === true && tracked.address === update.address) {
          this.#follow(tracked, update.account);
        }
      }
    }
    for (const tracked of touched) {
      const { next } = tracked;
      tracked.next = undefined;
      if (this.#read(tracked.address) === null) this.#drop(tracked);
      else if (next == null) this.#decode(tracked);
      else if (next !== tracked.handle?.pool) this.#put(tracked, next);
    }
  }

  /** Forgets a pool whose account was closed, or that is over, with the accounts on which no other pool depends. */
  #drop(tracked: TrackedPool): void {
    this.#pools.delete(tracked.address);
    for (const address of tracked.dependencies) this.#accounts.release(tracked, address);
    if (tracked.handle === null) return;
    this.#pairs.unlist(tracked.handle);
    tracked.handle = null;
    this.#changes++;
  }

  /** Reads dependencies that the changed pool did not have before. The pool is unusable until they are read. */
  #follow(tracked: TrackedPool, account: Account | null): void {
    if (account === null || !tracked.venue.isPool(account)) return;
    this.#readFresh(tracked, updateDependencies(tracked, listDependencies(tracked, account), this.#accounts));
  }

  /** Reads accounts on which the pool depends from now on, and then decodes it. */
  #readFresh(tracked: TrackedPool, fresh: readonly Address[]): void {
    if (fresh.length === 0) return;
    tracked.reading++;
    this.#readAccounts(fresh)
      .then(() => {
        tracked.reading--;
        if (!this.#closed && this.#isTracked(tracked)) this.#decode(tracked);
      })
      .catch((error: unknown) => this.#fail(error));
  }

  #decode(tracked: TrackedPool): void {
    // Another pool may have asked for a dependency, so that this one did not wait for it.
    if (tracked.reading === 0) this.#readFresh(tracked, this.#listFurther(tracked));
    const previous = tracked.handle;
    const decoded: PoolState | Unusable =
      tracked.reading > 0
        ? { unusable: 'accounts that it depends on now are not read yet' }
        : decodeTracked(tracked, this.#read);
    if ('unusable' in decoded && decoded.isFinal === true) this.#drop(tracked);
    else if ('unusable' in decoded) {
      if (previous !== null) this.#pairs.unlist(previous);
      this.#changes++;
      tracked.handle = null;
      tracked.reason = decoded.unusable;
    } else this.#put(tracked, decoded);
  }

  #put(tracked: TrackedPool, decoded: PoolState): void {
    const previous = tracked.handle;
    if (previous !== null && hasSameMints(previous.pool, decoded)) {
      previous.pool = decoded;
      this.#tell(previous);
      return;
    }
    if (previous !== null) this.#pairs.unlist(previous);
    const { venue } = tracked;
    tracked.handle = { venue: this.#trading.get(venue) ?? venue, pool: decoded };
    this.#pairs.list(tracked.handle);
    this.#tell(tracked.handle);
  }

  #tell(handle: PoolHandle): void {
    this.#changes++;
    if (handle.venue.isShortLived === true) return;
    for (const listener of this.#listeners) listener(handle);
  }

  #fail(error: unknown): void {
    if (!this.#closed) this.#failure = `pools could not be read: ${String(error)}`;
  }
}
