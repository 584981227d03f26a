import type { ExactJson } from '../../../../base/exact-json.ts';
import { getCoordinate, getFixed, getItems, getText, getWhole } from '../../../../base/read-json.ts';
import { getSecondTime } from '../../../../base/read-times.ts';
import { getMicroDollars } from './micro-dollars.ts';
import { readTitle } from './parse-events.ts';

/** A trade of anybody. */
export interface PredictionTradeView {
  readonly id: string;
  readonly owner: string | null;
  readonly eventId: string;
  readonly marketId: string;
  readonly event: string;
  readonly market: string;
  /** In words. */
  readonly message: string;
  /** Billionths of a dollar. */
  readonly amount: bigint | null;
  readonly at: number | null;
}

/** Reads the answer of `GET /prediction/v1/trades`. */
export function parsePredictionTrades(answer: ExactJson): readonly PredictionTradeView[] {
  return getItems(answer, 'data').flatMap((trade) => {
    const id = getText(trade, 'id');
    if (id === null) return [];
    return [
      {
        id,
        owner: getText(trade, 'ownerPubkey'),
        eventId: getText(trade, 'eventId') ?? '',
        marketId: getText(trade, 'marketId') ?? '',
        event: readTitle(trade, 'eventTitle') ?? '',
        market: readTitle(trade, 'marketTitle') ?? '',
        message: readTitle(trade, 'message') ?? '',
        amount: getMicroDollars(trade, 'amountUsd'),
        at: getSecondTime(trade, 'timestamp'),
      },
    ];
  });
}

/** A wallet of a leaderboard. */
export interface LeaderView {
  readonly owner: string;
  /** Billionths of a dollar. */
  readonly profit: bigint | null;
  readonly volume: bigint | null;
  readonly decided: number | null;
  readonly correct: number | null;
  /** Millionths. */
  readonly winShare: bigint | null;
}

/** Reads the answer of `GET /prediction/v1/leaderboards`. */
export function parseLeaders(answer: ExactJson): readonly LeaderView[] {
  return getItems(answer, 'data').flatMap((entry) => {
    const owner = getText(entry, 'ownerPubkey');
    if (owner === null) return [];
    return [
      {
        owner,
        profit: getMicroDollars(entry, 'realizedPnlUsd'),
        volume: getMicroDollars(entry, 'totalVolumeUsd'),
        decided: getCoordinate(entry, 'predictionsCount'),
        correct: getCoordinate(entry, 'correctPredictions'),
        winShare: getFixed(entry, 'winRatePct', 4),
      },
    ];
  });
}

/** What a wallet has traded and won in all. Amounts are billionths of a dollar. */
export interface ProfileView {
  readonly profit: bigint | null;
  readonly volume: bigint | null;
  readonly value: bigint | null;
  readonly decided: bigint | null;
  readonly correct: bigint | null;
  readonly wrong: bigint | null;
}

/** Reads the answer of `GET /prediction/v1/profiles/{ownerPubkey}`. */
export function parseProfile(answer: ExactJson): ProfileView {
  return {
    profit: getMicroDollars(answer, 'realizedPnlUsd'),
    volume: getMicroDollars(answer, 'totalVolumeUsd'),
    value: getMicroDollars(answer, 'totalPositionsValueUsd'),
    decided: getWhole(answer, 'predictionsCount'),
    correct: getWhole(answer, 'correctPredictions'),
    wrong: getWhole(answer, 'wrongPredictions'),
  };
}

/** A moment of a line: a time in Unix milliseconds, and an amount. */
export interface AmountAt {
  readonly at: number;
  /** Billionths of a dollar. */
  readonly amount: bigint;
}

/** Reads the answer of `GET /prediction/v1/profiles/{ownerPubkey}/pnl-history`. */
export function parseProfitHistory(answer: ExactJson): readonly AmountAt[] {
  return getItems(answer, 'history').flatMap((point) => {
    const at = getSecondTime(point, 'timestamp');
    const amount = getMicroDollars(point, 'realizedPnlUsd');
    return at === null || amount === null ? [] : [{ at, amount }];
  });
}

/** Reads the answer of `GET /prediction/v1/forecast`: the chance of yes over time, in millionths. */
export function parseChances(answer: ExactJson): readonly { readonly at: number; readonly chance: bigint }[] {
  return getItems(answer, 'forecast_history').flatMap((point) => {
    const at = getSecondTime(point, 'end_period_ts');
    const chance = getFixed(point, 'raw_numerical_forecast', 6);
    return at === null || chance === null || chance < 0n || chance > 1_000_000n ? [] : [{ at, chance }];
  });
}
