import { and, desc, eq, lte } from 'drizzle-orm';
import type { Store } from '../../store/index.ts';
import { splitRows } from '../../store/sql/split-rows.ts';
import type { ForecastPoint } from '../forecast.ts';
import { forecastSeries } from '../history/forecast-tables.ts';

/** What yes of a market was worth at the end of a period. */
export interface SeriesEntry extends ForecastPoint {
  readonly marketIdHash: string;
  /** The Unix second from which on it is removed. */
  readonly keptUntil: number;
}

/** The most points of one market that are returned: the newest. */
const MAX_POINTS = 2_000;

/** The recorded prices of one network. */
export class ForecastSeriesRecords {
  readonly #store: Store;
  readonly #network: string;

  /** @param network - The genesis hash. */
  constructor(store: Store, network: string) {
    this.#store = store;
    this.#network = network;
  }

  /** Adds points. Where several instances add one for the same period, the first stays. */
  async add(entries: readonly SeriesEntry[]): Promise<void> {
    for (const some of splitRows(entries)) {
      await this.#store.db
        .insert(forecastSeries)
        .values(
          some.map(({ marketIdHash, at, price, keptUntil }) => ({
            network: this.#network,
            marketIdHash,
            at,
            price: Number(price),
            keptUntil,
          })),
        )
        .onConflictDoNothing();
    }
  }

  /** Returns the newest points of a market, the oldest first. */
  async list(marketIdHash: string): Promise<readonly ForecastPoint[]> {
    const { network, marketIdHash: hash, at, price } = forecastSeries;
    const rows = await this.#store.db
      .select({ at, price })
      .from(forecastSeries)
      .where(and(eq(network, this.#network), eq(hash, marketIdHash)))
      .orderBy(desc(at))
      .limit(MAX_POINTS);
    return rows.map((row) => ({ at: row.at, price: BigInt(row.price) })).reverse();
  }

  /** Removes points whose time is over. */
  async removeOld(now: number): Promise<void> {
    const { network, keptUntil } = forecastSeries;
    await this.#store.db.delete(forecastSeries).where(and(eq(network, this.#network), lte(keptUntil, now)));
  }
}
