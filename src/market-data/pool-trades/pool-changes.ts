import type { ChainClock, Commitment } from '../../chain/chain.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { PoolHandle } from '../../market/pools/liquidity.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { PoolState, Venue } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import type { UnvaluedTrade } from '../feed/trade-feed.ts';
import { isHalfChange, findTradeBetween } from './trade-between.ts';

/** A trade that the change of a pool shows. */
export interface PoolTrade {
  readonly trade: UnvaluedTrade & { readonly pool: Address };
  /** The slot in which the pool began to change. What was traded in it and in slots up to the trade's is part of the trade. */
  readonly from: bigint;
}

export interface PoolChangesOptions {
  readonly pools: Pick<Pools, 'onChange' | 'all'>;
  readonly venues: readonly Venue[];
  readonly slot: (commitment: Commitment) => bigint;
  readonly clock: () => ChainClock;
  readonly timers: Timers;
  readonly onTrade: (trade: PoolTrade) => void;
  /** Called when a change of a pool could not be read. It is no trade; later changes of the pool are read again. */
  readonly onDefect: (error: unknown) => void;
}

const LOOK_EVERY_MS = 250;
/** The accounts of a pool are reported one after another. They belong together when none came for so long. */
const QUIET_MS = 200;
/**
 * How long a change is waited for: for its other half, and for a pause. A busy pool has no pause, nor one to whose vaults
 * somebody sends an atom in every slot.
 */
const MAX_WAIT_MS = 5_000;

/**
 * When no slot passed for so long, the network could not be seen. The time of what changed in the meantime is not
 * known, so no trade is reported for as long again.
 */
const BLIND_MS = 20_000;

interface FollowedPool {
  readonly venue: Venue;
  /** The state up to which changes were looked at. */
  settled: PoolState;
  latest: PoolState;
  latestAt: bigint;
  /** When the latest state came, in milliseconds. */
  changed: number;
  /** When the first one after the settled state came, in milliseconds, and its slot. */
  since: number;
  sinceSlot: bigint;
  /** A state that is complete, and waits until its slot is confirmed; null without one. */
  waiting: { readonly pool: PoolState; readonly slot: bigint } | null;
}

/** Finds trades in the changes of pools, of venues whose pools tell what they hold. */
export class PoolTradeFinder {
  readonly #options: PoolChangesOptions;
  readonly #venues: ReadonlyMap<Address, Venue>;
  readonly #followed = new Map<Address, FollowedPool>();
  readonly #changed = new Set<FollowedPool>();
  readonly #stop: () => void;
  /** The newest slot, and when it was first seen, in milliseconds. */
  #newest: { readonly slot: bigint; readonly at: number };
  #blindSince = Number.NEGATIVE_INFINITY;
  #cancel: () => void = () => undefined;

  constructor(options: PoolChangesOptions) {
    const { pools, venues } = options;
    this.#options = options;
    this.#newest = { slot: options.slot('processed'), at: options.timers.now() };
    const telling = venues.filter(({ reserves }) => reserves !== undefined);
    this.#venues = new Map(telling.map((venue) => [venue.program, venue]));
    for (const handle of pools.all()) this.#note(handle);
    this.#stop = pools.onChange((handle) => this.#note(handle));
    this.#lookLater();
  }

  close(): void {
    this.#stop();
    this.#cancel();
  }

  #note({ venue: { program }, pool }: PoolHandle): void {
    const venue = this.#venues.get(program);
    if (venue === undefined) return;
    const slot = this.#options.slot('processed');
    const now = this.#options.timers.now();
    const followed = this.#followed.get(pool.address);
    if (followed === undefined) {
      this.#followed.set(pool.address, {
        venue,
        settled: pool,
        latest: pool,
        latestAt: slot,
        changed: now,
        since: now,
        sinceSlot: slot,
        waiting: null,
      });
      return;
    }
    if (!this.#changed.has(followed)) {
      followed.since = now;
      followed.sinceSlot = slot;
      this.#changed.add(followed);
    }
    followed.latest = pool;
    followed.latestAt = slot;
    followed.changed = now;
  }

  #lookLater(): void {
    this.#cancel = this.#options.timers.after(LOOK_EVERY_MS, () => {
      this.#watchSlots();
      for (const followed of this.#changed) this.#tryToLook(followed);
      this.#lookLater();
    });
  }

  /** A pool that cannot be looked at must not keep the others from it. */
  #tryToLook(followed: FollowedPool): void {
    try {
      this.#look(followed);
    } catch (error) {
      followed.settled = followed.latest;
      followed.waiting = null;
      this.#changed.delete(followed);
      this.#options.onDefect(error);
    }
  }

  #watchSlots(): void {
    const { timers, slot } = this.#options;
    const [newest, now] = [slot('processed'), timers.now()];
    if (newest === this.#newest.slot) return;
    if (Math.abs(now - this.#newest.at) > BLIND_MS) this.#blindSince = now;
    this.#newest = { slot: newest, at: now };
  }

  #look(followed: FollowedPool): void {
    const { timers, slot } = this.#options;
    const now = timers.now();
    // The local clock can be set back.
    const isQuiet = Math.abs(now - followed.changed) >= QUIET_MS;
    const hasWaited = Math.abs(now - followed.since) >= MAX_WAIT_MS;
    if (followed.waiting === null) {
      if (!isQuiet && !hasWaited) return;
      const { venue, settled, latest } = followed;
      const isHalf = isHalfChange(venue.reserves?.(settled) ?? null, venue.reserves?.(latest) ?? null);
      if (isHalf && !hasWaited) return;
      followed.waiting = { pool: latest, slot: followed.latestAt };
    }
    const { pool, slot: at } = followed.waiting;
    if (slot('confirmed') < at) return;
    this.#settle(followed, pool, at);
    followed.waiting = null;
    followed.since = now;
    followed.sinceSlot = at;
    if (followed.latest === pool) this.#changed.delete(followed);
  }

  #settle(followed: FollowedPool, pool: PoolState, slot: bigint): void {
    const { clock, timers, onTrade } = this.#options;
    const { venue, settled, sinceSlot } = followed;
    followed.settled = pool;
    // The local clock can be set back.
    if (Math.abs(timers.now() - this.#blindSince) < BLIND_MS) return;
    const now = clock();
    const amounts = findTradeBetween(venue, settled, pool, now);
    if (amounts === null) return;
    const { address } = pool;
    onTrade({
      from: sinceSlot,
      trade: {
        pool: address,
        venue: venue.label,
        paid: amounts.paid,
        received: amounts.received,
        trader: null,
        signature: null,
        slot,
        time: Number(now.unixTimestamp),
        isRoundTrip: null,
        isSandwich: null,
      },
    });
  }
}
