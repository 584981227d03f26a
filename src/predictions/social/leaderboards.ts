import { NO_FIGURES, type TradeFigures } from '../store/totals/count-event.ts';
import type {
  LeaderboardMetric,
  PredictionTotalRecords,
  RankedOwner,
} from '../store/totals/total-records.ts';
import {
  findPeriodEnd,
  findPeriodStart,
  TRADING_PERIODS,
  type TradingPeriod,
} from '../store/totals/trading-periods.ts';
import type { Leaderboard, LeaderboardPeriod } from './prediction-social.ts';

/** How many owners a leaderboard has at most. */
export const MAX_LEADERBOARD = 100;

/** The figures by which leaderboards are sorted. */
export const LEADERBOARD_METRICS = [
  'pnl',
  'volume',
  'win_rate',
] as const satisfies readonly LeaderboardMetric[];

type PeriodBoards = Readonly<Record<LeaderboardMetric, readonly RankedOwner[]>>;

interface ReadPeriod {
  readonly start: number;
  readonly sum: TradeFigures;
  readonly boards: PeriodBoards;
}

const NO_BOARDS: PeriodBoards = { pnl: [], volume: [], win_rate: [] };

/** The leaderboards in memory, as far as they were read from the record: nine lists of a hundred owners. */
export class Leaderboards {
  readonly #records: Pick<PredictionTotalRecords, 'readCounted' | 'findSum' | 'listFirst'>;
  #periods: Readonly<Record<TradingPeriod, ReadPeriod>>;
  #counted: number | null = null;

  /** @param now - Unix seconds. Until `refresh` has been called, the periods of then are empty. */
  constructor(records: Pick<PredictionTotalRecords, 'readCounted' | 'findSum' | 'listFirst'>, now: number) {
    this.#records = records;
    this.#periods = mapPeriods((period) => ({
      start: findPeriodStart(period, now),
      sum: NO_FIGURES,
      boards: NO_BOARDS,
    }));
  }

  /** Reads the leaderboards, if anything was counted since the last time or a period has ended. */
  async refresh(now: number): Promise<void> {
    const counted = await this.#records.readCounted();
    const isNew = TRADING_PERIODS.some(
      (period) => this.#periods[period].start !== findPeriodStart(period, now),
    );
    if (counted === this.#counted && !isNew) return;
    const read = await Promise.all(
      TRADING_PERIODS.map((period) => this.#read(period, findPeriodStart(period, now))),
    );
    const [all_time, weekly, monthly] = read;
    if (all_time === undefined || weekly === undefined || monthly === undefined) return;
    this.#periods = { all_time, weekly, monthly };
    this.#counted = counted;
  }

  /** Returns the first owners of a period, as they were last read. */
  get(period: TradingPeriod, metric: LeaderboardMetric): Leaderboard {
    return {
      owners: this.#periods[period].boards[metric],
      periods: mapPeriods((each) => toShown(each, this.#periods[each])),
    };
  }

  async #read(period: TradingPeriod, start: number): Promise<ReadPeriod> {
    const list = (metric: LeaderboardMetric) =>
      this.#records.listFirst(metric, { period, start, limit: MAX_LEADERBOARD });
    const [sum, pnl, volume, winRate] = await Promise.all([
      this.#records.findSum(period, start),
      list('pnl'),
      list('volume'),
      list('win_rate'),
    ]);
    return { start, sum: sum ?? NO_FIGURES, boards: { pnl, volume, win_rate: winRate } };
  }
}

function toShown(period: TradingPeriod, { start, sum }: ReadPeriod): LeaderboardPeriod {
  const end = findPeriodEnd(period, start);
  return { start: end === null ? null : start, end, sum };
}

function mapPeriods<Value>(create: (period: TradingPeriod) => Value): Readonly<Record<TradingPeriod, Value>> {
  return { all_time: create('all_time'), weekly: create('weekly'), monthly: create('monthly') };
}
