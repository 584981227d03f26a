import { and, desc, eq, gte, inArray, lt, lte } from 'drizzle-orm';
import type { Address } from '../../solana/address.ts';
import type { Database, Store } from '../../store/index.ts';
import { priceBars, priceSeries } from '../../store/schema.ts';
import { type Bar, type BarSeconds, HOUR, MINUTE } from './bars.ts';

export interface MintBar extends Bar {
  readonly mint: Address;
}

/** How long bars are kept, in seconds. */
export const KEPT_SECONDS: Readonly<Record<BarSeconds, number>> = {
  [MINUTE]: 48 * HOUR,
  [HOUR]: 365 * 24 * HOUR,
};

const ROWS_AT_ONCE = 500;

/** Bars in the database. A bar is written once, by whichever instance is first, and never changed. */
export class BarStore {
  readonly #store: Store;
  readonly #network: string;

  /** @param network - Genesis hash. */
  constructor(store: Store, network: string) {
    this.#store = store;
    this.#network = network;
  }

  /** @returns the slot up to which all trades are in bars; null before the first bar */
  async cursor(): Promise<bigint | null> {
    const [row] = await this.#store.db
      .select()
      .from(priceSeries)
      .where(eq(priceSeries.network, this.#network));
    return row === undefined ? null : BigInt(row.cursorSlot);
  }

  /** Writes bars and moves the cursor, all or nothing. */
  async write(bars: ReadonlyMap<BarSeconds, readonly MintBar[]>, cursor: bigint): Promise<void> {
    await this.#store.transaction(async (db) => {
      for (const [seconds, list] of bars) await this.#insert(db, seconds, list);
      const cursorSlot = Number(cursor);
      await db
        .insert(priceSeries)
        .values({ network: this.#network, cursorSlot })
        .onConflictDoUpdate({
          target: priceSeries.network,
          set: { cursorSlot },
          // Another instance may be further already.
          setWhere: lt(priceSeries.cursorSlot, cursorSlot),
        });
    });
  }

  async #insert(db: Database, seconds: BarSeconds, bars: readonly MintBar[]): Promise<void> {
    // In the same order in every instance, so that two that write at once do not wait for each other in a circle.
    const sorted = [...bars].sort((a, b) => a.start - b.start || (a.mint < b.mint ? -1 : 1));
    for (let at = 0; at < sorted.length; at += ROWS_AT_ONCE) {
      const rows = sorted.slice(at, at + ROWS_AT_ONCE).map(({ slot, ...bar }) => ({
        ...bar,
        network: this.#network,
        seconds,
        slot: Number(slot),
      }));
      await db.insert(priceBars).values(rows).onConflictDoNothing();
    }
  }

  /** @returns the bars of one token that start within the range, oldest first */
  async read(
    seconds: BarSeconds,
    mint: Address,
    range: { readonly from: number; readonly to: number },
  ): Promise<readonly Bar[]> {
    const rows = await this.#store.db
      .select()
      .from(priceBars)
      .where(
        and(
          eq(priceBars.network, this.#network),
          eq(priceBars.seconds, seconds),
          eq(priceBars.mint, mint),
          gte(priceBars.start, range.from),
          lte(priceBars.start, range.to),
        ),
      )
      .orderBy(priceBars.start);
    return rows.map(barOf);
  }

  /** @returns the bars of all tokens that start at or after the time and before the other, at most an hour of minutes */
  async readAll(
    seconds: BarSeconds,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<readonly MintBar[]> {
    const rows = await this.#store.db
      .select()
      .from(priceBars)
      .where(
        and(
          eq(priceBars.network, this.#network),
          eq(priceBars.seconds, seconds),
          gte(priceBars.start, from),
          lt(priceBars.start, to),
        ),
      );
    return rows.map((row) => ({ mint: row.mint as Address, ...barOf(row) }));
  }

  /** @returns when the newest bar of any token before the time starts; null if there is none */
  async newestStart(seconds: BarSeconds, before: number): Promise<number | null> {
    const [row] = await this.#store.db
      .select({ start: priceBars.start })
      .from(priceBars)
      .where(
        and(
          eq(priceBars.network, this.#network),
          eq(priceBars.seconds, seconds),
          lt(priceBars.start, before),
        ),
      )
      .orderBy(desc(priceBars.start))
      .limit(1);
    return row?.start ?? null;
  }

  /** Deletes the bars that are too old, as of the Unix second `now`. */
  async prune(now: number): Promise<void> {
    for (const seconds of [MINUTE, HOUR] as const) {
      await this.#store.db
        .delete(priceBars)
        .where(
          and(
            eq(priceBars.network, this.#network),
            eq(priceBars.seconds, seconds),
            lt(priceBars.start, now - KEPT_SECONDS[seconds]),
          ),
        );
    }
  }

  /** Forgets everything about the network, because it was founded again with the same genesis. */
  async forget(): Promise<void> {
    await this.#store.transaction(async (db) => {
      await db.delete(priceBars).where(inArray(priceBars.network, [this.#network]));
      await db.delete(priceSeries).where(eq(priceSeries.network, this.#network));
    });
  }
}

function barOf(row: typeof priceBars.$inferSelect): Bar {
  const { start, open, high, low, close, buyVolume, sellVolume, buys, sells, liquidity, slot } = row;
  return { start, open, high, low, close, buyVolume, sellVolume, buys, sells, liquidity, slot: BigInt(slot) };
}
