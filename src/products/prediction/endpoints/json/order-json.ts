import { type Static, Type } from 'typebox';
import { computeCost } from '../../../../predictions/crafting/order-size.ts';
import type { OpenPredictionOrder } from '../../../../predictions/prediction.ts';
import { derivePredictionMarket } from '../../../../protocols/jupiter-prediction/prediction-program.ts';
import { named } from '../../../named-schema.ts';
import {
  CONTRACT_FORMS,
  toDecimalContracts,
  toWholeContracts,
  createUsdField,
  createUsdOrNullField,
} from './amount-forms.ts';
import { MarketMetadataJson, PositionEventJson, type SubjectForms } from './market-metadata.ts';

/** An order that is on the chain. */
export const PredictionOrderJson = named(
  'PredictionOrder',
  Type.Object({
    pubkey: Type.String(),
    owner: Type.String(),
    ownerPubkey: Type.String({ description: 'The same as `owner`.' }),
    market: Type.String({ description: 'The address by which the program names the market.' }),
    marketId: Type.String(),
    marketIdHash: Type.String(),
    eventId: Type.String(),
    position: Type.String(),
    status: Type.Enum(['pending', 'filled', 'failed'], { description: '`filled` may be in part.' }),
    isYes: Type.Boolean(),
    isBuy: Type.Boolean(),
    createdAt: Type.Integer({ description: 'Unix seconds.' }),
    updatedAt: Type.Integer({ description: 'Unix seconds.' }),
    ...CONTRACT_FORMS,
    maxFillPriceUsd: createUsdField('The limit of the order.'),
    maxBuyPriceUsd: createUsdOrNullField('The highest price of a purchase.'),
    minSellPriceUsd: createUsdOrNullField('The lowest price of a sale.'),
    filledAt: Type.Integer({ description: 'Unix seconds; 0 before a fill.' }),
    filledContracts: Type.String(),
    filledContractsMicro: Type.String(),
    filledContractsDecimal: Type.String(),
    avgFillPriceUsd: createUsdField('Of one contract; 0 before a fill.'),
    settled: Type.Boolean({ description: 'Whether nothing more of it is filled.' }),
    orderId: Type.String({ description: 'Empty before a fill.' }),
    sizeUsd: createUsdField('What was filled, at its price.'),
    eventMetadata: PositionEventJson,
    marketMetadata: MarketMetadataJson,
    externalOrderId: Type.String(),
    bump: Type.Integer(),
  }),
);

/** An order as it is written. */
export type PredictionOrderForm = Static<typeof PredictionOrderJson>;

/** Writes an order. */
export function toOrderJson(order: OpenPredictionOrder, subject: SubjectForms): PredictionOrderForm {
  const { isBuy, contracts, filledContracts, averageFillPrice, marketIdHash, owner } = order;
  const limit = String(order.limitPrice);
  const status = toOrderStatus(order);
  return {
    pubkey: order.address,
    owner,
    ownerPubkey: owner,
    market: derivePredictionMarket(marketIdHash).address,
    marketId: subject.marketId,
    marketIdHash,
    eventId: subject.eventId,
    position: order.position,
    status,
    isYes: order.isYes,
    isBuy,
    createdAt: Number(order.createdAt),
    updatedAt: Number(order.filledAt === 0n ? order.createdAt : order.filledAt),
    contracts: toWholeContracts(contracts),
    contractsMicro: String(contracts),
    contractsDecimal: toDecimalContracts(contracts),
    maxFillPriceUsd: limit,
    maxBuyPriceUsd: isBuy ? limit : null,
    minSellPriceUsd: isBuy ? null : limit,
    filledAt: Number(order.filledAt),
    filledContracts: toWholeContracts(filledContracts),
    filledContractsMicro: String(filledContracts),
    filledContractsDecimal: toDecimalContracts(filledContracts),
    avgFillPriceUsd: String(averageFillPrice),
    settled: order.status !== 'pending' && order.status !== 'partially-filled',
    orderId: order.orderId ?? '',
    sizeUsd: String(computeCost(filledContracts, averageFillPrice)),
    eventMetadata: subject.eventMetadata,
    marketMetadata: subject.marketMetadata,
    externalOrderId: order.externalOrderId,
    bump: order.bump,
  };
}

function toOrderStatus({ status }: OpenPredictionOrder): PredictionOrderForm['status'] {
  switch (status) {
    case 'pending':
      return 'pending';
    case 'filled':
    case 'partially-filled':
      return 'filled';
    case 'failed':
    case 'cancelled':
      return 'failed';
  }
}
