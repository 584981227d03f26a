import { Type } from 'typebox';
import type { LeaderboardPeriod } from '../../../../predictions/social/prediction-social.ts';
import { LEADERBOARD_METRICS, MAX_LEADERBOARD } from '../../../../predictions/social/leaderboards.ts';
import { computeWinRate, LEAST_DECIDED } from '../../../../predictions/store/totals/add-totals.ts';
import type { RankedOwner } from '../../../../predictions/store/totals/total-records.ts';
import { TRADING_PERIODS, type TradingPeriod } from '../../../../predictions/store/totals/trading-periods.ts';
import { named } from '../../../named-schema.ts';
import { choice, integer } from '../../../parameters/kinds.ts';
import { defineQuery, optional } from '../../../parameters/parameter.ts';
import { refuseParameter } from '../event-parameters.ts';
import { createUsdField, toIsoTime } from '../json/amount-forms.ts';
import { definePredictionEndpoint } from '../prediction-endpoint.ts';

const QUERY = defineQuery(
  {
    period: optional(
      choice(
        TRADING_PERIODS,
        'A week begins on Monday, a month on its first day, in UTC. Default: `all_time`.',
      ),
      'all_time',
    ),
    metric: optional(
      choice(
        LEADERBOARD_METRICS,
        `By what wallets are sorted. For \`win_rate\`, at least ${LEAST_DECIDED} predictions of the period must be decided. Default: \`pnl\`.`,
      ),
      'pnl',
    ),
    limit: optional(
      integer({ minimum: 1, maximum: MAX_LEADERBOARD }, `How many wallets. Default: ${MAX_LEADERBOARD}.`),
      MAX_LEADERBOARD,
    ),
  },
  refuseParameter,
);

const isoField = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${description} ISO 8601; null for all time.` });

const LeaderboardEntryJson = named(
  'PredictionLeaderboardEntry',
  Type.Object({
    ownerPubkey: Type.String(),
    realizedPnlUsd: createUsdField('Realized in the period, less fees.'),
    totalVolumeUsd: createUsdField('Traded in the period, before fees.'),
    predictionsCount: Type.Integer({ description: 'Decided in the period.' }),
    correctPredictions: Type.Integer(),
    wrongPredictions: Type.Integer(),
    winRatePct: Type.String({ description: 'Correct ones of a hundred decided, such as `75.00`.' }),
    period: Type.String(),
    periodStart: isoField('When the period began.'),
    periodEnd: isoField('When the period ends.'),
  }),
);

const PeriodSummaryJson = named(
  'PredictionPeriodSummary',
  Type.Object({
    totalVolumeUsd: createUsdField('Of everybody.'),
    predictionsCount: Type.Integer({ description: 'Decided predictions of everybody.' }),
  }),
);

const LeaderboardsJson = named(
  'PredictionLeaderboards',
  Type.Object({
    data: Type.Array(LeaderboardEntryJson),
    summary: Type.Object({
      all_time: PeriodSummaryJson,
      weekly: PeriodSummaryJson,
      monthly: PeriodSummaryJson,
    }),
  }),
);

/** `GET /leaderboards`: who has won or traded most. */
export const listLeaderboard = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/leaderboards',
  operationId: 'ListPredictionLeaderboard',
  summary: 'Leaderboards',
  description:
    'Lists the wallets that have won most, traded most, or been right most often, and sums up all periods. Wallets with the same figure are sorted by address. The lists are a few seconds old at most.',
  example: { query: { period: 'weekly', metric: 'volume' } },
  query: QUERY.schema,
  answer: LeaderboardsJson,
  handle: ({ social }, { query }) => {
    const read = QUERY.reader(query);
    const period = read('period');
    const { owners, periods } = social.getLeaderboard(period, read('metric'));
    return {
      data: owners
        .slice(0, read('limit'))
        .map((ranked) => toEntryJson(ranked, { period, of: periods[period] })),
      summary: {
        all_time: toSummaryJson(periods.all_time),
        weekly: toSummaryJson(periods.weekly),
        monthly: toSummaryJson(periods.monthly),
      },
    };
  },
});

function toEntryJson(
  { owner, figures }: RankedOwner,
  { period, of }: { readonly period: TradingPeriod; readonly of: LeaderboardPeriod },
) {
  const { correct, wrong } = figures;
  return {
    ownerPubkey: owner,
    realizedPnlUsd: String(figures.realizedPnl),
    totalVolumeUsd: String(figures.volume),
    predictionsCount: correct + wrong,
    correctPredictions: correct,
    wrongPredictions: wrong,
    winRatePct: (computeWinRate(figures) / 100).toFixed(2),
    period,
    periodStart: of.start === null ? null : toIsoTime(of.start),
    periodEnd: of.end === null ? null : toIsoTime(of.end),
  };
}

function toSummaryJson({ sum: { volume, correct, wrong } }: LeaderboardPeriod) {
  return { totalVolumeUsd: String(volume), predictionsCount: correct + wrong };
}
