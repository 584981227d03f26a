import { and, desc, eq, gt, lt } from 'drizzle-orm';
import { type Timers, repeatWithPauses } from '../common/ports/timers.ts';
import type { Pools } from '../market/pools/pools.ts';
import type { Address } from '../solana/address.ts';
import type { Store } from '../store/index.ts';
import { poolSightings } from './tables/market-data-tables.ts';

export interface PoolSightingsOptions {
  readonly store: Store;
  /** Genesis hash. */
  readonly network: string;
  readonly pools: Pick<Pools, 'all' | 'unusable' | 'onChange'>;
  /** Returns the Unix seconds of the network. */
  readonly now: () => number;
  /** Returns the slot that is processed now. */
  readonly slot: () => bigint;
  readonly timers: Timers;
  /** Called when sightings could not be written. They are written later. */
  readonly onDefect: (error: unknown) => void;
}

interface PoolSighting {
  readonly pool: Address;
  /** Unix seconds. */
  readonly seenAt: number;
  readonly slot: number;
}

const WRITE_EVERY_MS = 250;
const ROWS_AT_ONCE = 500;
/** How many sightings are stored for a network. Pools whose sighting was deleted count as older than known. */
const MAX_STORED = 500_000;

/**
 * The times at which pools appeared while an instance ran. They are stored, so that a restart does not change them; among
 * several instances, the first one writes them.
 */
export class PoolSightings {
  readonly #options: PoolSightingsOptions;
  /** Null for pools that were there when the first instance started, or that appeared while none ran. */
  readonly #seen = new Map<Address, number | null>();
  #waiting: PoolSighting[] = [];
  #writing: Promise<void> = Promise.resolve();
  readonly #stops: readonly (() => void)[];

  private constructor(options: PoolSightingsOptions, stored: readonly PoolSighting[]) {
    this.#options = options;
    const { pools, timers, onDefect } = options;
    for (const { pool } of pools.all()) this.#seen.set(pool.address, null);
    for (const { address } of pools.unusable()) this.#seen.set(address, null);
    for (const { pool, seenAt } of stored) this.#seen.set(pool, seenAt);
    this.#stops = [
      pools.onChange(({ pool }) => this.#see(pool.address)),
      repeatWithPauses(WRITE_EVERY_MS, () => this.flush(), timers, onDefect),
    ];
  }

  /** Reads what is stored, and begins to follow new pools. */
  static async open(options: PoolSightingsOptions): Promise<PoolSightings> {
    const { store, network, slot } = options;
    // The same genesis may have begun again at slot 0.
    await store.db
      .delete(poolSightings)
      .where(and(eq(poolSightings.network, network), gt(poolSightings.slot, Number(slot()))));
    const rows = await store.db
      .select()
      .from(poolSightings)
      .where(eq(poolSightings.network, network))
      .orderBy(desc(poolSightings.seenAt))
      .limit(MAX_STORED + 1);
    const oldest = rows[MAX_STORED];
    if (oldest !== undefined) {
      await store.db
        .delete(poolSightings)
        .where(and(eq(poolSightings.network, network), lt(poolSightings.seenAt, oldest.seenAt)));
    }
    return new PoolSightings(
      options,
      rows.map((row) => ({ pool: row.pool as Address, seenAt: row.seenAt, slot: row.slot })),
    );
  }

  /** Returns the Unix second, of the network; null for a pool that is older than that is known. */
  of(pool: Address): number | null {
    return this.#seen.get(pool) ?? null;
  }

  /** Writes what was seen. */
  flush(): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    return this.#writing;
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.flush().catch(this.#options.onDefect);
  }

  #see(pool: Address): void {
    if (this.#seen.has(pool)) return;
    const seenAt = this.#options.now();
    this.#seen.set(pool, seenAt);
    if (this.#waiting.length < MAX_STORED) {
      this.#waiting.push({ pool, seenAt, slot: Number(this.#options.slot()) });
    }
  }

  async #write(): Promise<void> {
    const { store, network } = this.#options;
    // In the same order in every instance, so that two that write at once do not wait for each other in a circle.
    this.#waiting.sort((a, b) => (a.pool < b.pool ? -1 : 1));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, ROWS_AT_ONCE);
      await store.db
        .insert(poolSightings)
        .values(batch.map(({ pool, seenAt, slot }) => ({ network, pool, seenAt, slot })))
        .onConflictDoNothing();
      this.#waiting = this.#waiting.slice(batch.length);
    }
  }
}
