import { type Static, Type } from 'typebox';
import type { PredictionHistoryEvent } from '../../../../predictions/lists/prediction-lists.ts';
import { named } from '../../../named-schema.ts';
import {
  CONTRACT_FORMS,
  toDecimalContracts,
  toTextOrNullAmount,
  toWholeContracts,
  createUsdField,
  createUsdOrNullField,
} from './amount-forms.ts';
import { MarketMetadataJson, PositionEventJson, type SubjectForms } from './market-metadata.ts';

/** The types of events of the history. */
const EVENT_TYPES = [
  'order_created',
  'order_filled',
  'order_failed',
  'order_closed',
  'position_updated',
  'position_lost',
  'payout_claimed',
] as const;

/** What an event says about contracts and amounts, in the history and in the status of an order. */
const FILL_FIELDS = {
  isBuy: Type.Boolean(),
  isYes: Type.Boolean(),
  ...CONTRACT_FORMS,
  filledContracts: Type.String({ description: 'Of this fill.' }),
  filledContractsMicro: Type.String(),
  filledContractsDecimal: Type.String(),
  contractsSettled: Type.String({
    description: 'What a payout or a loss has settled. 0 in the events of orders.',
  }),
  contractsSettledMicro: Type.String(),
  contractsSettledDecimal: Type.String(),
  maxFillPriceUsd: createUsdField('The limit of the order.'),
  avgFillPriceUsd: createUsdField('Of one contract.'),
  maxBuyPriceUsd: createUsdOrNullField('The highest price of a purchase.'),
  minSellPriceUsd: createUsdOrNullField('The lowest price of a sale.'),
  depositAmountUsd: createUsdField('What the order took from its owner.'),
  totalCostUsd: createUsdField('What was paid.'),
  feeUsd: createUsdOrNullField('The fee of the venue.'),
  integratorFeeUsd: createUsdField('Always 0.'),
  grossProceedsUsd: createUsdField('What a sale brought before fees.'),
  netProceedsUsd: createUsdField('What a sale brought after fees.'),
  realizedPnl: createUsdOrNullField('Of a sale or a payout, after fees.'),
  realizedPnlBeforeFees: createUsdOrNullField('Of a sale or a payout, before fees.'),
} as const;

/** An event of the history. */
export const PredictionHistoryJson = named(
  'PredictionHistoryEvent',
  Type.Object({
    id: Type.Integer(),
    eventType: Type.Enum([...EVENT_TYPES]),
    signature: Type.String(),
    slot: Type.String(),
    timestamp: Type.Integer({ description: 'Unix seconds.' }),
    orderPubkey: Type.String({ description: 'Empty where the event is about no order.' }),
    positionPubkey: Type.String(),
    marketId: Type.String(),
    ownerPubkey: Type.String(),
    keeperPubkey: Type.String(),
    externalOrderId: Type.String(),
    orderId: Type.String(),
    ...FILL_FIELDS,
    transferAmountToken: createUsdOrNullField('What moved to or from the owner.'),
    payoutAmountUsd: createUsdField('What was claimed.'),
    eventId: Type.String(),
    marketMetadata: MarketMetadataJson,
    eventMetadata: PositionEventJson,
  }),
);

/** An event of an order, in its status. */
export const OrderEventJson = named(
  'PredictionOrderEvent',
  Type.Object({
    eventType: Type.Enum([...EVENT_TYPES]),
    status: Type.String(),
    rawStatus: Type.String({ description: '`Filled` or `PartiallyFilled` after a fill, otherwise empty.' }),
    timestamp: Type.Integer({ description: 'Unix seconds.' }),
    signature: Type.String(),
    externalOrderId: Type.String(),
    orderId: Type.String(),
    fillInfo: Type.Optional(Type.Object(FILL_FIELDS, { description: 'Of a fill.' })),
  }),
);

/** What became of an order. */
export const OrderStatusJson = named(
  'PredictionOrderStatus',
  Type.Object({
    orderPubkey: Type.String(),
    status: Type.String({
      description:
        '`created`, `partiallyfilled`, `filled` or `failed`. It does not say whether more follows.',
    }),
    latestEventType: Type.String({
      description:
        'Nothing follows `order_closed`. An order that was not filled at all is `order_failed` before.',
    }),
    latestSignature: Type.String(),
    externalOrderId: Type.String(),
    orderId: Type.String(),
    history: Type.Array(OrderEventJson, { description: 'The oldest first.' }),
  }),
);

/** An event of the history as it is written. */
export type PredictionHistoryForm = Static<typeof PredictionHistoryJson>;
/** What became of an order, as it is written. */
export type OrderStatusForm = Static<typeof OrderStatusJson>;

function toFillForms(event: PredictionHistoryEvent) {
  const { isBuy, isYes, contracts, filledContracts, settledContracts } = event;
  const limit = String(event.limitPrice);
  // An event that is about no order has no limit.
  const hasLimit = event.limitPrice > 0n;
  return {
    isBuy,
    isYes,
    contracts: toWholeContracts(contracts),
    contractsMicro: String(contracts),
    contractsDecimal: toDecimalContracts(contracts),
    filledContracts: toWholeContracts(filledContracts),
    filledContractsMicro: String(filledContracts),
    filledContractsDecimal: toDecimalContracts(filledContracts),
    contractsSettled: toWholeContracts(settledContracts),
    contractsSettledMicro: String(settledContracts),
    contractsSettledDecimal: toDecimalContracts(settledContracts),
    maxFillPriceUsd: limit,
    avgFillPriceUsd: String(event.averageFillPrice),
    maxBuyPriceUsd: hasLimit && isBuy ? limit : null,
    minSellPriceUsd: hasLimit && !isBuy ? limit : null,
    depositAmountUsd: String(event.deposit),
    totalCostUsd: String(event.totalCost),
    feeUsd: String(event.fee),
    integratorFeeUsd: String(event.integratorFee),
    grossProceedsUsd: String(event.grossProceeds),
    netProceedsUsd: String(event.netProceeds),
    realizedPnl: toTextOrNullAmount(event.realizedPnl),
    realizedPnlBeforeFees: toTextOrNullAmount(event.realizedPnlBeforeFees),
  };
}

/** Writes an event of the history. */
export function toHistoryJson(event: PredictionHistoryEvent, subject: SubjectForms): PredictionHistoryForm {
  return {
    id: event.id,
    eventType: event.eventType,
    signature: event.signature,
    slot: String(event.slot),
    timestamp: event.timestamp,
    orderPubkey: event.order,
    positionPubkey: event.position,
    marketId: subject.marketId,
    ownerPubkey: event.owner,
    keeperPubkey: event.keeper,
    externalOrderId: event.externalOrderId,
    orderId: event.orderId,
    ...toFillForms(event),
    transferAmountToken: toTextOrNullAmount(event.transferred),
    payoutAmountUsd: String(event.payout),
    eventId: subject.eventId,
    marketMetadata: subject.marketMetadata,
    eventMetadata: subject.eventMetadata,
  };
}

/**
 * Writes what became of an order.
 * @param events - Its events, the oldest first; at least one.
 */
export function toOrderStatusJson(
  orderPubkey: string,
  events: readonly PredictionHistoryEvent[],
): OrderStatusForm | null {
  const latest = events.at(-1);
  if (latest === undefined) return null;
  const history = [];
  let status = 'created';
  for (const event of events) {
    status = toStatusAfter(event, status);
    const { eventType, rawStatus, timestamp, signature, externalOrderId, orderId } = event;
    const written = { eventType, status, rawStatus, timestamp, signature, externalOrderId, orderId };
    history.push(eventType === 'order_filled' ? { ...written, fillInfo: toFillForms(event) } : written);
  }
  const findText = (name: 'orderId' | 'externalOrderId') =>
    events.findLast((event) => event[name] !== '')?.[name] ?? '';
  return {
    orderPubkey,
    status,
    latestEventType: latest.eventType,
    latestSignature: latest.signature,
    externalOrderId: findText('externalOrderId'),
    orderId: findText('orderId'),
    history,
  };
}

function toStatusAfter({ eventType, rawStatus }: PredictionHistoryEvent, before: string): string {
  switch (eventType) {
    case 'order_filled':
      return rawStatus === 'PartiallyFilled' ? 'partiallyfilled' : 'filled';
    case 'order_failed':
      return 'failed';
    default:
      return before;
  }
}
