import { Type } from 'typebox';
import { craftForecastClosings } from '../../../../forecasts/crafting/craft-forecast-closings.ts';
import { DEFAULT_FORECAST_SLIPPAGE } from '../../../../forecasts/crafting/craft-forecast-purchase.ts';
import { craftForecastSale } from '../../../../forecasts/crafting/craft-forecast-sale.ts';
import { requireOwnHolding } from '../../../../forecasts/crafting/owned-holding.ts';
import { refuseOrder } from '../../../../predictions/prediction-refused.ts';
import { type Bps, bps } from '../../../../solana/units.ts';
import { craftClaim } from '../../../../predictions/crafting/craft-claim.ts';
import { craftClosings, MAX_CLOSED } from '../../../../predictions/crafting/craft-closings.ts';
import { craftSale, DEFAULT_SALE_SLIPPAGE_BPS } from '../../../../predictions/crafting/craft-sale.ts';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import { named } from '../../../named-schema.ts';
import {
  PredictionClaimBuildJson,
  PredictionOrderBuildJson,
  toClaimBuildJson,
  toOrderBuildJson,
} from '../json/build-json.ts';
import { toForecastBuildJson } from '../json/forecast-build-json.ts';
import { OWNER_FIELDS, readOwnerField } from '../owner-parameters.ts';
import { POSITION_EXAMPLE, POSITION_PARAMS } from './position-lists.ts';
import { definePredictionEndpoint } from '../prediction-endpoint.ts';

const MAX_BPS = 10_000;

const slippageField = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: MAX_BPS,
    description: `How far a sale may fall below the bid, in basis points. Default: ${DEFAULT_SALE_SLIPPAGE_BPS}, and ${DEFAULT_FORECAST_SLIPPAGE} for a forecast.`,
  }),
);

const CloseBody = named(
  'ClosePrediction',
  Type.Object({ ...OWNER_FIELDS, minSellPriceSlippageBps: slippageField }),
);
const ClaimBody = named('ClaimPrediction', Type.Object(OWNER_FIELDS));

const EXAMPLE = { params: POSITION_EXAMPLE, body: { ownerPubkey: EXAMPLE_WALLET } };

function toForecastSlippage(given: number | undefined): Bps {
  return given === undefined ? DEFAULT_FORECAST_SLIPPAGE : bps(given);
}

function toSlippage(given: number | undefined): bigint {
  return given === undefined ? DEFAULT_SALE_SLIPPAGE_BPS : BigInt(given);
}

/** `DELETE /positions/:positionPubkey`: the sale of a whole position. */
export const closePosition = definePredictionEndpoint({
  method: 'DELETE',
  path: '/prediction/v1/positions/:positionPubkey',
  operationId: 'ClosePredictionPosition',
  summary: 'Sell a position',
  description:
    'Makes the transaction of a sale of all contracts of a position that no open order sells, or of all tokens of a forecast. The body names its owner.',
  example: EXAMPLE,
  params: POSITION_PARAMS.schema,
  body: CloseBody,
  answer: PredictionOrderBuildJson,
  handle: async ({ crafting, forecastCrafting }, { params, body }) => {
    const owner = readOwnerField(body);
    const position = POSITION_PARAMS.reader(params)('positionPubkey');
    const sold = { owner, position, contracts: null };
    const given = body.minSellPriceSlippageBps;
    if (forecastCrafting !== null && forecastCrafting.holdings.find(position) !== null) {
      const request = { ...sold, slippageBps: toForecastSlippage(given) };
      return toForecastBuildJson(await craftForecastSale(forecastCrafting, request));
    }
    const request = { ...sold, minPrice: null, slippageBps: toSlippage(given) };
    return toOrderBuildJson(await craftSale(crafting, request));
  },
});

const ClosingsJson = named(
  'PredictionClosings',
  Type.Object({
    data: Type.Array(Type.Union([PredictionOrderBuildJson, PredictionClaimBuildJson]), {
      description: 'A claim has `position`, and a sale `order`.',
    }),
  }),
);

/** `DELETE /positions`: the sale or the claim of each position of a wallet. */
export const closePositions = definePredictionEndpoint({
  method: 'DELETE',
  path: '/prediction/v1/positions',
  operationId: 'ClosePredictionPositions',
  summary: 'Sell or claim all positions',
  description:
    'Makes one transaction for each position of a wallet that can be sold or claimed now, up to 50. Lost positions, and those without a bid, are left out.',
  example: { body: { ownerPubkey: EXAMPLE_WALLET, minSellPriceSlippageBps: 200 } },
  body: CloseBody,
  answer: ClosingsJson,
  handle: async ({ crafting, forecastCrafting }, { body }) => {
    const owner = readOwnerField(body);
    const given = body.minSellPriceSlippageBps;
    const closings = await craftClosings(crafting, owner, toSlippage(given));
    const sold =
      forecastCrafting === null
        ? []
        : await craftForecastClosings(forecastCrafting, owner, {
            slippageBps: toForecastSlippage(given),
            limit: MAX_CLOSED - closings.length,
          });
    return {
      data: [
        ...closings.map((each) => (each.kind === 'claim' ? toClaimBuildJson(each) : toOrderBuildJson(each))),
        ...sold.map(toForecastBuildJson),
      ],
    };
  },
});

/** `POST /positions/:positionPubkey/claim`: the claim of what a position has won. */
export const claimPosition = definePredictionEndpoint({
  method: 'POST',
  path: '/prediction/v1/positions/:positionPubkey/claim',
  operationId: 'ClaimPredictionPosition',
  summary: 'Claim a payout',
  description:
    'Makes the transaction that pays the owner what a position has won: 1.00 for each contract, without a fee. The keeper pays it out a day after the result if nobody claims it. A forecast needs no claim.',
  example: EXAMPLE,
  params: POSITION_PARAMS.schema,
  body: ClaimBody,
  answer: PredictionClaimBuildJson,
  handle: async ({ crafting, forecastCrafting }, { params, body }) => {
    const position = POSITION_PARAMS.reader(params)('positionPubkey');
    const owner = readOwnerField(body);
    if (forecastCrafting !== null && forecastCrafting.holdings.find(position) !== null) {
      requireOwnHolding(forecastCrafting, { owner, position });
      return refuseOrder('claim_position_failed', 'No claim is needed: a forecast pays out by itself');
    }
    return toClaimBuildJson(await craftClaim(crafting, { owner, position }));
  },
});
