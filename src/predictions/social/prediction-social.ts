import type { Address } from '../../solana/address.ts';
import type { PredictionHistoryEvent } from '../lists/prediction-lists.ts';
import type { TradeFigures } from '../store/totals/count-event.ts';
import type { LeaderboardMetric, RankedOwner } from '../store/totals/total-records.ts';
import type { TradingPeriod } from '../store/totals/trading-periods.ts';

/** A period as it is shown. Unix seconds. */
export interface LeaderboardPeriod {
  /** Null for all time, as the end is. */
  readonly start: number | null;
  /** The first second after the period. */
  readonly end: number | null;
  /** The figures of everybody. */
  readonly sum: TradeFigures;
}

/** The first owners of a period, and the sums of all periods. */
export interface Leaderboard {
  readonly owners: readonly RankedOwner[];
  readonly periods: Readonly<Record<TradingPeriod, LeaderboardPeriod>>;
}

/** What an owner had realized in all at a second. */
export interface PnlPoint {
  /** Unix seconds. */
  readonly at: number;
  /** Micro USD. */
  readonly realizedPnl: bigint;
}

/** What a chart of realized profit shows. */
export interface PnlRange {
  /** How long it reaches back. */
  readonly seconds: number;
  /** How many points it has. */
  readonly count: number;
}

/** What people look at of each other. */
export interface PredictionSocial {
  /** Returns the figures of an owner of all time; null if the owner has not traded. */
  readonly findFigures: (owner: Address) => Promise<TradeFigures | null>;
  /** Returns points that divide a range evenly, the last of which is now; null if the owner has not traded. */
  readonly listPnl: (owner: Address, range: PnlRange) => Promise<readonly PnlPoint[] | null>;
  /** Returns a leaderboard as it was a few seconds ago at most. Answered from memory. */
  readonly getLeaderboard: (period: TradingPeriod, metric: LeaderboardMetric) => Leaderboard;
  /** Returns the last fills of everybody, the newest first. */
  readonly listTrades: () => Promise<readonly PredictionHistoryEvent[]>;
}
