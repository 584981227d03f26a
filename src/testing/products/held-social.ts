import type { PredictionHistoryEvent } from '../../predictions/lists/prediction-lists.ts';
import type {
  Leaderboard,
  PnlPoint,
  PnlRange,
  PredictionSocial,
} from '../../predictions/social/prediction-social.ts';
import { NO_FIGURES, type TradeFigures } from '../../predictions/store/totals/count-event.ts';
import type { Address } from '../../solana/address.ts';

const NO_PERIOD = { start: null, end: null, sum: NO_FIGURES };

/** What people look at of each other, as a test says. */
export class HeldSocial implements PredictionSocial {
  readonly figures = new Map<Address, TradeFigures>();
  readonly trades: PredictionHistoryEvent[] = [];
  /** What was asked for the last chart, and of which wallet. */
  askedPnl: readonly [Address, PnlRange] | null = null;
  points: readonly PnlPoint[] | null = null;
  /** What was asked for the last leaderboard. */
  askedBoard: readonly string[] | null = null;
  leaderboard: Leaderboard = {
    owners: [],
    periods: { all_time: NO_PERIOD, weekly: NO_PERIOD, monthly: NO_PERIOD },
  };

  readonly findFigures: PredictionSocial['findFigures'] = async (owner) => this.figures.get(owner) ?? null;

  readonly listPnl: PredictionSocial['listPnl'] = async (owner, range) => {
    this.askedPnl = [owner, range];
    return this.points;
  };

  readonly getLeaderboard: PredictionSocial['getLeaderboard'] = (period, metric) => {
    this.askedBoard = [period, metric];
    return this.leaderboard;
  };

  readonly listTrades: PredictionSocial['listTrades'] = async () => this.trades;
}
