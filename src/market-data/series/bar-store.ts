import { and, desc, eq, gte, inArray, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { TimeRange } from '../../chain/reported-transactions.ts';
import type { Address } from '../../solana/address.ts';
import type { Database, Store } from '../../store/index.ts';
import { completeHours, priceBars, priceSeries } from '../tables/market-data-tables.ts';
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
/** What a bar with more trades replaces. */
const REPLACED = {
  open: sql`excluded.open`,
  high: sql`excluded.high`,
  low: sql`excluded.low`,
  close: sql`excluded.close`,
  buyVolume: sql`excluded.buy_volume`,
  sellVolume: sql`excluded.sell_volume`,
  buys: sql`excluded.buys`,
  sells: sql`excluded.sells`,
  liquidity: sql`excluded.liquidity`,
  slot: sql`excluded.slot`,
};

const HAS_MORE_TRADES = sql`excluded.buys + excluded.sells > ${priceBars.buys} + ${priceBars.sells}`;
const HAS_NO_FEWER_TRADES = sql`excluded.buys + excluded.sells >= ${priceBars.buys} + ${priceBars.sells}`;

/**
 * Bars in the database. A bar is written once, by whichever instance is first. It is only replaced by one with more trades,
 * because trades over an outside RPC may come late.
 */
export class BarStore {
  readonly #store: Store;
  readonly #network: string;

  /** @param network - Genesis hash. */
  constructor(store: Store, network: string) {
    this.#store = store;
    this.#network = network;
  }

  /** Returns the slot up to which all trades are in bars; null before the first bar. */
  async cursor(): Promise<bigint | null> {
    const [row] = await this.#store.db
      .select()
      .from(priceSeries)
      .where(eq(priceSeries.network, this.#network));
    return row === undefined ? null : BigInt(row.cursorSlot);
  }

  /** Returns the time of which an instance over an RPC has written all trades; null if none has. */
  complete(): Promise<TimeRange | null> {
    return this.#complete(this.#store.db);
  }

  /**
   * Writes bars and moves the cursor, all or nothing.
   *
   * @param complete - The time of which this instance has written all trades with these bars; null if there is none, or it
   *   does not need to remember it.
   * @param wholeHours - The starts of hours whose bars, which are written with these, have all trades.
   */
  async write(
    bars: ReadonlyMap<BarSeconds, readonly MintBar[]>,
    cursor: bigint,
    complete: TimeRange | null,
    wholeHours: readonly number[] = [],
  ): Promise<void> {
    await this.#store.transaction(async (db) => {
      const fresh = await this.#markComplete(db, wholeHours);
      for (const [seconds, list] of bars) {
        const hasAllTrades = ({ start }: MintBar) => seconds === HOUR && fresh.has(start);
        await this.#insert(
          db,
          seconds,
          list.filter((bar) => !hasAllTrades(bar)),
          HAS_MORE_TRADES,
        );
        await this.#insert(db, seconds, list.filter(hasAllTrades), HAS_NO_FEWER_TRADES);
      }
      const cursorSlot = Number(cursor);
      await db
        .insert(priceSeries)
        .values({ network: this.#network, cursorSlot, completeFrom: null, completeTo: null })
        .onConflictDoUpdate({
          target: priceSeries.network,
          set: { cursorSlot },
          // Another instance may be further already.
          setWhere: lt(priceSeries.cursorSlot, cursorSlot),
        });
      if (complete !== null) await this.#widen(db, complete);
    });
  }

  async #complete(db: Database): Promise<TimeRange | null> {
    const [row] = await db.select().from(priceSeries).where(eq(priceSeries.network, this.#network));
    const { completeFrom: from = null, completeTo: to = null } = row ?? {};
    return from === null || to === null ? null : { from, to };
  }

  /** Joins the time with the stored one, or replaces it by the later one. */
  async #widen(db: Database, { from, to }: TimeRange): Promise<void> {
    const known = await this.#complete(db);
    if (known !== null && known.from > to) return;
    const isJoined = known !== null && known.to >= from;
    await db
      .update(priceSeries)
      .set({
        completeFrom: isJoined ? Math.min(known.from, from) : from,
        completeTo: isJoined ? Math.max(known.to, to) : to,
      })
      .where(eq(priceSeries.network, this.#network));
  }

  /** Returns the hours that no instance had marked before. */
  async #markComplete(db: Database, hours: readonly number[]): Promise<ReadonlySet<number>> {
    if (hours.length === 0) return new Set();
    const rows = hours.map((start) => ({ network: this.#network, start }));
    const marked = await db.insert(completeHours).values(rows).onConflictDoNothing().returning();
    return new Set(marked.map(({ start }) => start));
  }

  async #insert(db: Database, seconds: BarSeconds, bars: readonly MintBar[], replaces: SQL): Promise<void> {
    // In the same order in every instance, so that two that write at once do not wait for each other in a circle.
    const sorted = [...bars].sort((a, b) => a.start - b.start || (a.mint < b.mint ? -1 : 1));
    for (let at = 0; at < sorted.length; at += ROWS_AT_ONCE) {
      const rows = sorted.slice(at, at + ROWS_AT_ONCE).map(({ slot, ...bar }) => ({
        ...bar,
        network: this.#network,
        seconds,
        slot: Number(slot),
      }));
      await db
        .insert(priceBars)
        .values(rows)
        .onConflictDoUpdate({
          target: [priceBars.network, priceBars.seconds, priceBars.mint, priceBars.start],
          set: REPLACED,
          setWhere: replaces,
        });
    }
  }

  /** Returns the bars of one token that start within the range, oldest first. */
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
          this.#areOf(seconds),
          eq(priceBars.mint, mint),
          gte(priceBars.start, range.from),
          lte(priceBars.start, range.to),
        ),
      )
      .orderBy(priceBars.start);
    return rows.map(toStoredBar);
  }

  /** Returns the starts of the hours within the range, its end excluded, of which an instance has written all trades. */
  async completeHours({ from, to }: TimeRange): Promise<ReadonlySet<number>> {
    const rows = await this.#store.db
      .select()
      .from(completeHours)
      .where(
        and(
          eq(completeHours.network, this.#network),
          gte(completeHours.start, from),
          lt(completeHours.start, to),
        ),
      );
    return new Set(rows.map(({ start }) => start));
  }

  /** Returns the bars of all tokens that start at or after the time and before the other, at most an hour of minutes. */
  async readAll(
    seconds: BarSeconds,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<readonly MintBar[]> {
    const rows = await this.#store.db
      .select()
      .from(priceBars)
      .where(and(this.#areOf(seconds), gte(priceBars.start, from), lt(priceBars.start, to)));
    return rows.map((row) => ({ mint: row.mint as Address, ...toStoredBar(row) }));
  }

  /** Returns when the newest bar of any token before the time starts; null if there is none. */
  async newestStart(seconds: BarSeconds, before: number): Promise<number | null> {
    const [row] = await this.#store.db
      .select({ start: priceBars.start })
      .from(priceBars)
      .where(and(this.#areOf(seconds), lt(priceBars.start, before)))
      .orderBy(desc(priceBars.start))
      .limit(1);
    return row?.start ?? null;
  }

  /** The condition of bars of this network. */
  #areOf(seconds: BarSeconds): SQL | undefined {
    return and(eq(priceBars.network, this.#network), eq(priceBars.seconds, seconds));
  }

  /** Deletes the bars that are too old, as of the Unix second `now`. */
  async prune(now: number): Promise<void> {
    for (const seconds of [MINUTE, HOUR] as const) {
      await this.#store.db
        .delete(priceBars)
        .where(and(this.#areOf(seconds), lt(priceBars.start, now - KEPT_SECONDS[seconds])));
    }
    await this.#store.db
      .delete(completeHours)
      .where(
        and(eq(completeHours.network, this.#network), lt(completeHours.start, now - KEPT_SECONDS[HOUR])),
      );
  }

  /** Forgets everything about the network, because it was founded again with the same genesis. */
  async forget(): Promise<void> {
    await this.#store.transaction(async (db) => {
      await db.delete(priceBars).where(inArray(priceBars.network, [this.#network]));
      await db.delete(completeHours).where(eq(completeHours.network, this.#network));
      await db.delete(priceSeries).where(eq(priceSeries.network, this.#network));
    });
  }
}

function toStoredBar(row: typeof priceBars.$inferSelect): Bar {
  const { start, open, high, low, close, buyVolume, sellVolume, buys, sells, liquidity, slot } = row;
  return { start, open, high, low, close, buyVolume, sellVolume, buys, sells, liquidity, slot: BigInt(slot) };
}
