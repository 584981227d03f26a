import { type Static, Type } from 'typebox';
import type { ValuedPosition } from '../../../../predictions/lists/prediction-lists.ts';
import { DEFAULT_SALE_SLIPPAGE_BPS } from '../../../../predictions/crafting/craft-sale.ts';
import { DEFAULT_FORECAST_SLIPPAGE } from '../../../../forecasts/crafting/craft-forecast-purchase.ts';
import { named } from '../../../named-schema.ts';
import {
  CONTRACT_FORMS,
  toDecimalContracts,
  toTextOrNullAmount,
  toWholeContracts,
  createUsdField,
  createUsdOrNullField,
} from './amount-forms.ts';
import { getMarketAddress } from './market-kind.ts';
import { MarketMetadataJson, PositionEventJson, toSubject } from './market-metadata.ts';

const percentField = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

/** A position. */
export const PredictionPositionJson = named(
  'PredictionPosition',
  Type.Object({
    pubkey: Type.String({ description: 'The account of the position: the token account of a forecast.' }),
    owner: Type.String(),
    ownerPubkey: Type.String({ description: 'The same as `owner`.' }),
    market: Type.String({
      description: 'The address by which the program names the market: the round of a forecast.',
    }),
    marketId: Type.String(),
    marketIdHash: Type.String(),
    eventId: Type.String(),
    isYes: Type.Boolean(),
    ...CONTRACT_FORMS,
    totalCostUsd: createUsdField('What its contracts cost.'),
    sizeUsd: createUsdField('The same as `totalCostUsd`.'),
    valueUsd: createUsdOrNullField(
      'What it is worth: at the bid, or by the result; null when the market is closed and has no result.',
    ),
    avgPriceUsd: createUsdField('Of one contract.'),
    markPriceUsd: createUsdOrNullField('Between bid and ask; null when the market is not traded any more.'),
    sellPriceUsd: createUsdOrNullField('The best bid; null without one.'),
    maxSlippageBps: Type.Integer({ description: 'How far a sale may fall below the bid.' }),
    openOrders: Type.Integer(),
    feesPaidUsd: createUsdField('Of the contracts that it holds.'),
    integratorFeeUsd: createUsdField('Always 0.'),
    realizedPnlUsd: Type.Number({ description: 'Of what was sold. Micro USD.' }),
    pnlUsd: createUsdOrNullField('Its value less its cost.'),
    pnlUsdPercent: percentField('Of the cost.'),
    pnlUsdAfterFees: createUsdOrNullField('The same less the fees.'),
    pnlUsdAfterFeesPercent: percentField('Of the cost.'),
    claimed: Type.Boolean(),
    claimedUsd: createUsdField('What was claimed.'),
    claimable: Type.Boolean({ description: 'Never true for a forecast, which pays out by itself.' }),
    claimableAt: Type.Union([Type.Integer(), Type.Null()], { description: 'Unix seconds.' }),
    payoutUsd: createUsdField('What it pays if its side wins.'),
    settlementDate: Type.Union([Type.Integer(), Type.Null()], { description: 'Unix seconds.' }),
    openedAt: Type.Integer({ description: 'Unix seconds.' }),
    updatedAt: Type.Integer({ description: 'Unix seconds.' }),
    bump: Type.Integer({ description: '0 for a forecast.' }),
    source: Type.String({ description: 'Always `program`.' }),
    eventMetadata: PositionEventJson,
    marketMetadata: MarketMetadataJson,
  }),
);

/** A position as it is written. */
export type PredictionPositionForm = Static<typeof PredictionPositionJson>;

/** Writes a position. */
export function toPositionJson(valued: ValuedPosition, now: number): PredictionPositionForm {
  const { position, event, market } = valued;
  const { contracts, owner, marketIdHash, isYes } = position;
  const subject = toSubject(event, market, now);
  return {
    pubkey: position.address,
    owner,
    ownerPubkey: owner,
    market: getMarketAddress(market),
    marketId: market.marketId,
    marketIdHash,
    eventId: market.eventId,
    isYes,
    contracts: toWholeContracts(contracts),
    contractsMicro: String(contracts),
    contractsDecimal: toDecimalContracts(contracts),
    totalCostUsd: String(position.totalCost),
    sizeUsd: String(position.totalCost),
    valueUsd: toTextOrNullAmount(valued.value),
    avgPriceUsd: String(valued.averagePrice),
    markPriceUsd: toTextOrNullAmount(valued.markPrice),
    sellPriceUsd: toTextOrNullAmount(valued.sellPrice),
    maxSlippageBps: Number(market.forecast === null ? DEFAULT_SALE_SLIPPAGE_BPS : DEFAULT_FORECAST_SLIPPAGE),
    openOrders: position.openOrders,
    feesPaidUsd: String(position.feesPaid),
    integratorFeeUsd: '0',
    realizedPnlUsd: Number(position.realizedPnl),
    pnlUsd: toTextOrNullAmount(valued.pnl),
    pnlUsdPercent: valued.pnlPercent,
    pnlUsdAfterFees: toTextOrNullAmount(valued.pnlAfterFees),
    pnlUsdAfterFeesPercent: valued.pnlAfterFeesPercent,
    claimed: position.isClaimed,
    claimedUsd: String(position.claimed),
    claimable: valued.isClaimable,
    claimableAt: valued.claimableAt,
    payoutUsd: String(valued.payout),
    settlementDate: market.resolvedAt,
    openedAt: Number(position.openedAt),
    updatedAt: Number(position.updatedAt),
    bump: position.bump,
    source: 'program',
    eventMetadata: subject.eventMetadata,
    marketMetadata: subject.marketMetadata,
  };
}
