import type { Account, AccountUpdate, Chain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { SYSTEM_TIMERS, type Timers } from '../../common/ports/timers.ts';
import { PairIndex } from './pair-index.ts';
import { type PoolState, type Trading, tradingOf, type Venue } from '../venue.ts';
import { WatchedAccounts } from './watched-accounts.ts';

/** A pool that quotes can be had from now, with the venue that knows how. */
export interface PoolHandle {
  readonly venue: Trading;
  /** The present state: only the pool index puts a new one here. A search runs to its end without a change between. */
  pool: PoolState;
}

/** Mints, of which there may be very many. */
export interface Counterparts {
  readonly size: number;
  has(mint: Address): boolean;
  keys(): Iterable<Address>;
}

/** Where a search for routes finds pools: all of them, or those with further ones that are not accounts of the chain. */
export interface Liquidity {
  /** The mints that `mint` is traded for now. */
  counterparts(mint: Address): Counterparts;
  /** Pools that trade the two mints and can be used now. */
  between(one: Address, other: Address): readonly PoolHandle[];
  /** The mints that most others are traded for. */
  hubs(): ReadonlySet<Address>;
  /** Another number whenever other pools trade, by which what was found out of pairs can be kept; not there: never. */
  readonly listing?: number;
}

/** Where a price goes back and forth, what was needed before is needed again: so many times the present number is kept. */
const KEPT_DEPENDENCIES = 3;
const READ_AGAIN_MS = 1_000;

interface Tracked {
  readonly venue: Venue;
  readonly address: Address;
  /** Null while the pool cannot be used; `reason` says why. */
  market: PoolHandle | null;
  /** Within a batch of changes, what they come to: undefined before the first, null when that takes decoding anew. */
  next: PoolState | null | undefined;
  reason: string;
  /** What it is decoded from, longest not needed first. */
  readonly dependencies: Set<Address>;
  /** How many reads of new dependencies are under way: until they are there, it cannot be decoded. */
  reading: number;
}

/**
 * Every pool of the given venues, decoded and current. It owns the accounts that quotes depend on:
 * the chain's updates are the only writers, and a quote reads nothing else.
 */
export class Pools {
  readonly #chain: Chain;
  readonly #timers: Timers;
  readonly #accounts: WatchedAccounts<Tracked>;
  readonly #pools = new Map<Address, Tracked>();
  readonly #trading: ReadonlyMap<Venue, Trading>;
  readonly #pairs = new PairIndex();
  readonly #stops: (() => void)[] = [];
  readonly #listeners = new Set<(market: PoolHandle) => void>();
  readonly #read = (address: Address): Account | null => this.#accounts.read(address);
  #changes = 0;
  #failure: string | null = 'pools are still being read';
  #isOpening = true;
  #closed = false;

  private constructor(chain: Chain, venues: readonly Venue[], timers: Timers) {
    this.#trading = new Map(venues.map((venue) => [venue, tradingOf(venue)]));
    this.#chain = chain;
    this.#timers = timers;
    this.#accounts = new WatchedAccounts(chain, (updates) => this.#apply(updates));
  }

  /** Resolves when every pool that exists now has been read. */
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

  /** The pool at the address, when it can be used now. */
  market(address: Address): PoolHandle | null {
    return this.#pools.get(address)?.market ?? null;
  }

  /** The mints that most others are traded for. */
  hubs(): ReadonlySet<Address> {
    return this.#pairs.hubs();
  }

  /** Any account that some pool depends on, such as a mint, as last seen; null when unknown or absent. */
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

  /** Another number whenever a pool has a new state, or takes part no more: by it, what follows from all can be kept. */
  get changes(): number {
    return this.#changes;
  }

  get size(): number {
    return this.#pools.size;
  }

  /** Pools that take no part in routes, with the reason. */
  *unusable(): Iterable<{ readonly address: Address; readonly venue: string; readonly reason: string }> {
    for (const { market, address, venue, reason } of this.#pools.values()) {
      if (market === null) yield { address, venue: venue.label, reason };
    }
  }

  /** Calls back with each pool that has a new state from now on, right away, so briefly; returns the way to stop. */
  onChange(listener: (market: PoolHandle) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Null when the pools are current; otherwise what is wrong. */
  unhealthy(): string | null {
    return this.#failure;
  }

  close(): void {
    this.#closed = true;
    for (const stop of this.#stops.splice(0)) stop();
    this.#accounts.close();
  }

  async #openVenue(venue: Venue): Promise<void> {
    // The watch starts first: what changes while the snapshot is under way is then seen twice, never missed.
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

  /** Starts to track those of the accounts that are pools, and reads what they depend on. */
  async #takePools(venue: Venue, updates: readonly AccountUpdate[]): Promise<void> {
    const missing = new Set<Address>();
    const found: Tracked[] = [];
    for (const { address, account, slot } of updates) {
      if (account === null || this.#pools.has(address) || !venue.isPool(account)) continue;
      const tracked: Tracked = {
        venue,
        address,
        market: null,
        next: undefined,
        reason: 'not read yet',
        dependencies: new Set<Address>(),
        reading: 1,
      };
      this.#pools.set(address, tracked);
      for (const each of this.#depend(tracked, venue.dependencies(address, account))) missing.add(each);
      this.#accounts.hold({ address, account, slot });
      found.push(tracked);
    }
    await this.#readAccounts([...missing]);
    for (const tracked of found) {
      tracked.reading--;
      this.#decode(tracked);
    }
  }

  /** Registers the dependencies and returns those that nobody watches yet. */
  #depend(tracked: Tracked, dependencies: readonly Address[]): Address[] {
    const fresh: Address[] = [];
    for (const address of [tracked.address, ...dependencies]) {
      const known = tracked.dependencies.delete(address);
      tracked.dependencies.add(address);
      if (!known && this.#accounts.depend(tracked, address) && address !== tracked.address)
        fresh.push(address);
    }
    const kept = KEPT_DEPENDENCIES * (dependencies.length + 1);
    for (const address of tracked.dependencies) {
      if (tracked.dependencies.size <= kept) break;
      this.#release(tracked, address);
    }
    return fresh;
  }

  /** The pool no longer depends on the account, which is forgotten when no other pool does. */
  #release(tracked: Tracked, address: Address): void {
    if (tracked.dependencies.delete(address)) this.#accounts.release(tracked, address);
  }

  /**
   * Watches the accounts and reads them. Once the pools are open a read that fails is tried again until it succeeds,
   * because nothing else would bring the pools back that wait for it.
   */
  async #readAccounts(addresses: readonly Address[]): Promise<void> {
    if (!this.#closed) this.#accounts.watch(addresses);
    while (!this.#closed) {
      try {
        return await this.#accounts.refresh(addresses);
      } catch (error) {
        if (this.#isOpening) throw error;
        await new Promise<void>((resolve) => this.#timers.after(READ_AGAIN_MS, resolve));
      }
    }
  }

  /** Takes in the newer of what is held and what arrived, then brings each touched pool up to date once. */
  #apply(updates: readonly AccountUpdate[]): void {
    const touched: Tracked[] = [];
    for (const update of updates) {
      for (const tracked of this.#accounts.hold(update)) {
        if (tracked.next === undefined) touched.push(tracked);
        tracked.next = advanced(tracked, update);
        if (tracked.venue.dependenciesMove === true && tracked.address === update.address) {
          this.#follow(tracked, update.account);
        }
      }
    }
    for (const tracked of touched) {
      const { next } = tracked;
      tracked.next = undefined;
      if (next == null) this.#decode(tracked);
      else this.#put(tracked, next);
    }
  }

  /** Reads what the changed pool depends on for the first time; it is left out until that is there. */
  #follow(tracked: Tracked, account: Account | null): void {
    const { venue, address } = tracked;
    if (account === null || !venue.isPool(account)) return;
    const fresh = this.#depend(tracked, venue.dependencies(address, account));
    if (fresh.length === 0) return;
    tracked.reading++;
    this.#readAccounts(fresh)
      .then(() => {
        tracked.reading--;
        if (!this.#closed) this.#decode(tracked);
      })
      .catch((error: unknown) => this.#fail(error));
  }

  #decode(tracked: Tracked): void {
    const previous = tracked.market;
    const decoded =
      tracked.reading > 0
        ? { unusable: 'accounts that it depends on now are not read yet' }
        : tracked.venue.decode(tracked.address, this.#read);
    if ('unusable' in decoded) {
      if (previous !== null) this.#pairs.unlist(previous);
      this.#changes++;
      tracked.market = null;
      tracked.reason = decoded.unusable;
      return;
    }
    this.#put(tracked, decoded);
  }

  #put(tracked: Tracked, decoded: PoolState): void {
    const previous = tracked.market;
    if (previous !== null && sameMints(previous.pool, decoded)) {
      previous.pool = decoded;
      this.#tell(previous);
      return;
    }
    if (previous !== null) this.#pairs.unlist(previous);
    const { venue } = tracked;
    tracked.market = { venue: this.#trading.get(venue) ?? venue, pool: decoded };
    this.#pairs.list(tracked.market);
    this.#tell(tracked.market);
  }

  #tell(market: PoolHandle): void {
    this.#changes++;
    for (const listener of this.#listeners) listener(market);
  }

  #fail(error: unknown): void {
    if (!this.#closed) this.#failure = `pools could not be read: ${String(error)}`;
  }
}

/** What the pool comes to with one more update of a batch; null when it must be decoded anew. */
function advanced(
  { venue, market, next, reading }: Tracked,
  { address, account }: AccountUpdate,
): PoolState | null {
  const pool = next === undefined ? market?.pool : next;
  if (venue.advance === undefined || pool == null || account === null || reading > 0) return null;
  return venue.advance(pool, address, account);
}

function sameMints(one: PoolState, other: PoolState): boolean {
  return one.mints[0] === other.mints[0] && one.mints[1] === other.mints[1];
}
