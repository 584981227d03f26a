import { Type } from 'typebox';
import type { ValuedPosition } from '../../../../predictions/lists/prediction-lists.ts';
import { NO_FIGURES, type TradeFigures } from '../../../../predictions/store/totals/count-event.ts';
import type { Address } from '../../../../solana/address.ts';
import { OtherAnswer } from '../../../endpoint.ts';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import { named } from '../../../named-schema.ts';
import { address, choice, integer } from '../../../parameters/kinds.ts';
import { defineQuery, optional } from '../../../parameters/parameter.ts';
import { PAGE_PARAMETERS, refuseParameter, toRange } from '../event-parameters.ts';
import { createUsdField, toDecimalContracts, toWholeContracts } from '../json/amount-forms.ts';
import { listOwnerPositions } from '../positions/held-positions.ts';
import { PositionsJson, writePositions } from '../positions/position-lists.ts';
import { definePredictionEndpoint } from '../prediction-endpoint.ts';
import type { PredictionDesk } from '../prediction-services.ts';

const PARAMS = defineQuery({ ownerPubkey: address('The wallet.') }, refuseParameter);
const EXAMPLE = { params: { ownerPubkey: EXAMPLE_WALLET } };

const countField = (description: string) => Type.String({ description });

const ProfileJson = named(
  'PredictionProfile',
  Type.Object({
    ownerPubkey: Type.String(),
    realizedPnlUsd: createUsdField('What sales, payouts and losses have brought or cost, less fees.'),
    totalVolumeUsd: createUsdField('What purchases have cost and sales have brought, before fees.'),
    predictionsCount: countField('Predictions that are decided: the correct and the wrong ones.'),
    correctPredictions: countField('Positions that had cost a dollar at least, and were paid out in full.'),
    wrongPredictions: countField('Positions that had cost a dollar at least, and were lost.'),
    totalActiveContracts: Type.String({
      description: 'Contracts in markets without a result; a fraction is cut off.',
    }),
    totalActiveContractsMicro: Type.String({ description: 'The same in millionths of a contract.' }),
    totalActiveContractsDecimal: Type.String({ description: 'The same, exactly.' }),
    totalPositionsValueUsd: createUsdField('What all positions are worth now, as far as that is known.'),
  }),
);

const UnknownProfileJson = named('PredictionProfileUnknown', Type.Object({ error: Type.String() }));

/** `GET /profiles/:ownerPubkey`: what a wallet has traded and won. */
export const getProfile = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/profiles/:ownerPubkey',
  operationId: 'GetPredictionProfile',
  summary: 'Profile of a wallet',
  description:
    'Returns what a wallet has traded and won, and what it holds. A prediction is decided when its position is paid out or lost; refunds do not count. 404: the wallet has neither traded nor a position.',
  example: EXAMPLE,
  params: PARAMS.schema,
  answer: ProfileJson,
  otherAnswers: { 404: UnknownProfileJson },
  handle: async (desk, { params }) => {
    const owner = PARAMS.reader(params)('ownerPubkey');
    const positions = valuePositions(desk, owner);
    const figures = await desk.social.findFigures(owner);
    if (figures === null && positions.length === 0) {
      return new OtherAnswer(404, { error: 'Profile not found' });
    }
    return toProfileJson(owner, figures ?? NO_FIGURES, positions);
  },
});

function valuePositions(desk: PredictionDesk, owner: Address): readonly ValuedPosition[] {
  return listOwnerPositions(desk, owner).flatMap((position) => desk.lists.valuePosition(position) ?? []);
}

function toProfileJson(
  ownerPubkey: string,
  { realizedPnl, volume, correct, wrong }: TradeFigures,
  positions: readonly ValuedPosition[],
) {
  let [contracts, value] = [0n, 0n];
  for (const { position, market, value: worth } of positions) {
    if (position.isClaimed) continue;
    if (market.status === 'open') contracts += position.contracts;
    value += worth ?? 0n;
  }
  return {
    ownerPubkey,
    realizedPnlUsd: String(realizedPnl),
    totalVolumeUsd: String(volume),
    predictionsCount: String(correct + wrong),
    correctPredictions: String(correct),
    wrongPredictions: String(wrong),
    totalActiveContracts: toWholeContracts(contracts),
    totalActiveContractsMicro: String(contracts),
    totalActiveContractsDecimal: toDecimalContracts(contracts),
    totalPositionsValueUsd: String(value),
  };
}

const DAY_SECONDS = 86_400;
const INTERVAL_SECONDS = {
  '24h': DAY_SECONDS,
  '1w': 7 * DAY_SECONDS,
  '1m': 30 * DAY_SECONDS,
} as const;

const PNL_QUERY = defineQuery(
  {
    interval: optional(
      choice(['24h', '1w', '1m'], 'How far the points reach back: `1m` is 30 days. Default: `1w`.'),
      '1w',
    ),
    count: optional(integer({ minimum: 1, maximum: 1_000 }, 'How many points. Default: 10.'), 10),
  },
  refuseParameter,
);

const PnlHistoryJson = named(
  'PredictionPnlHistory',
  Type.Object({
    ownerPubkey: Type.String(),
    history: Type.Array(
      Type.Object({
        timestamp: Type.Integer({ description: 'Unix seconds.' }),
        realizedPnlUsd: createUsdField('What was realized in all up to then.'),
      }),
      { description: 'The oldest first. Empty for a wallet that has not traded.' },
    ),
  }),
);

/** `GET /profiles/:ownerPubkey/pnl-history`: the points of a chart. */
export const listPnlHistory = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/profiles/:ownerPubkey/pnl-history',
  operationId: 'ListPredictionPnlHistory',
  summary: 'Realized profit over time',
  description:
    'Lists what a wallet had realized in all at points that divide the interval evenly. The last point is now. Profit is kept by the hour, so a point has everything of the hour in which it lies.',
  example: EXAMPLE,
  query: PNL_QUERY.schema,
  params: PARAMS.schema,
  answer: PnlHistoryJson,
  handle: async ({ social }, { query, params }) => {
    const ownerPubkey = PARAMS.reader(params)('ownerPubkey');
    const read = PNL_QUERY.reader(query);
    const range = { seconds: INTERVAL_SECONDS[read('interval')], count: read('count') };
    const points = (await social.listPnl(ownerPubkey, range)) ?? [];
    const history = points.map(({ at, realizedPnl }) => ({
      timestamp: at,
      realizedPnlUsd: String(realizedPnl),
    }));
    return { ownerPubkey, history };
  },
});

const PAGE = defineQuery(PAGE_PARAMETERS, refuseParameter);

/** `GET /profiles/:ownerPubkey/positions`: the positions of a wallet. */
export const listProfilePositions = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/profiles/:ownerPubkey/positions',
  operationId: 'ListPredictionProfilePositions',
  summary: 'Positions of a profile',
  description: 'Lists the positions of a wallet, as `GET /positions` does.',
  example: EXAMPLE,
  query: PAGE.schema,
  params: PARAMS.schema,
  answer: PositionsJson,
  handle: (desk, { query, params, work }) => {
    const read = PAGE.reader(query);
    const owner = PARAMS.reader(params)('ownerPubkey');
    const selection = { owner, marketPubkey: null, marketId: null, isYes: null };
    return writePositions(desk, selection, { range: toRange(read('start'), read('end')), work });
  },
});
