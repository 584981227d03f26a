import { and, asc, desc, eq, gte, ne, type SQL } from 'drizzle-orm';
import type { Store } from '../../../store/index.ts';
import { readFigures } from './add-totals.ts';
import type { TradeFigures } from './count-event.ts';
import { EVERYBODY, predictionCounted, predictionHourlyPnl, predictionTotals } from './total-tables.ts';
import { findPeriodStart, type TradingPeriod } from './trading-periods.ts';

/** By which figure a leaderboard is sorted. */
export type LeaderboardMetric = 'pnl' | 'volume' | 'win_rate';

/** An owner with the figures of a period. */
export interface RankedOwner {
  readonly owner: string;
  readonly figures: TradeFigures;
}

/** What an owner has realized, as far as it is kept by the hour. */
export interface RealizedHours {
  /** Of all time, in micro USD. */
  readonly total: bigint;
  /** By hours since 1970; hours in which nothing was realized are absent. */
  readonly hours: ReadonlyMap<number, bigint>;
}

/** The totals of one network. */
export class PredictionTotalRecords {
  readonly #store: Store;
  readonly #network: string;

  /** @param network - The genesis hash. */
  constructor(store: Store, network: string) {
    this.#store = store;
    this.#network = network;
  }

  /** Returns the number of the last event that the totals count. */
  async readCounted(): Promise<number> {
    const [row] = await this.#store.db
      .select({ number: predictionCounted.number })
      .from(predictionCounted)
      .where(eq(predictionCounted.network, this.#network));
    return row?.number ?? 0;
  }

  /** Returns the figures of an owner in a period that begins at a second; null if the owner has none. */
  async find(owner: string, period: TradingPeriod, start: number): Promise<TradeFigures | null> {
    const [row] = await this.#store.db
      .select()
      .from(predictionTotals)
      .where(and(this.#isIn(period, start), eq(predictionTotals.owner, owner)));
    return row === undefined ? null : readFigures(row);
  }

  /** Returns the figures of everybody together in a period; null if nobody has any. */
  findSum(period: TradingPeriod, start: number): Promise<TradeFigures | null> {
    return this.find(EVERYBODY, period, start);
  }

  /** Returns the first owners of a period by a figure. Those with the same figure are sorted by their address. */
  async listFirst(
    metric: LeaderboardMetric,
    {
      period,
      start,
      limit,
    }: { readonly period: TradingPeriod; readonly start: number; readonly limit: number },
  ): Promise<readonly RankedOwner[]> {
    const { owner, volumeRank, pnlRank, winRateRank, correct } = predictionTotals;
    const orders: Readonly<Record<LeaderboardMetric, readonly SQL[]>> = {
      pnl: [desc(pnlRank)],
      volume: [desc(volumeRank)],
      win_rate: [desc(winRateRank), desc(correct)],
    };
    const isRanked = metric === 'win_rate' ? gte(winRateRank, 0) : undefined;
    const rows = await this.#store.db
      .select()
      .from(predictionTotals)
      .where(and(this.#isIn(period, start), ne(owner, EVERYBODY), isRanked))
      .orderBy(...orders[metric], asc(owner))
      .limit(limit);
    return rows.map((row) => ({ owner: row.owner, figures: readFigures(row) }));
  }

  /**
   * Returns what an owner has realized in all and in each hour from one on, as of the same moment.
   *
   * @param since - The first hour, in hours since 1970.
   */
  async findRealized(owner: string, since: number): Promise<RealizedHours | null> {
    const { network, hour, amount } = predictionHourlyPnl;
    const rows = await this.#store.db
      .select({ total: predictionTotals.realizedPnl, hour, amount })
      .from(predictionTotals)
      .leftJoin(
        predictionHourlyPnl,
        and(
          eq(network, predictionTotals.network),
          eq(predictionHourlyPnl.owner, predictionTotals.owner),
          gte(hour, since),
        ),
      )
      .where(and(this.#isIn('all_time', findPeriodStart('all_time', 0)), eq(predictionTotals.owner, owner)));
    const [first] = rows;
    if (first === undefined) return null;
    const hours = new Map<number, bigint>();
    for (const row of rows) {
      if (row.hour !== null && row.amount !== null) hours.set(row.hour, BigInt(row.amount));
    }
    return { total: BigInt(first.total), hours };
  }

  #isIn(period: TradingPeriod, start: number): SQL | undefined {
    return and(
      eq(predictionTotals.network, this.#network),
      eq(predictionTotals.period, period),
      eq(predictionTotals.start, start),
    );
  }
}
