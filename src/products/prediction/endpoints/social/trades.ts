import { type Static, Type } from 'typebox';
import type { PredictionHistoryEvent } from '../../../../predictions/lists/prediction-lists.ts';
import type { PredictionMarket } from '../../../../predictions/prediction.ts';
import { named } from '../../../named-schema.ts';
import { createUsdField, toDecimalContracts } from '../json/amount-forms.ts';
import { createSubjectFinder, type SubjectForms, toUnknownSubject } from '../json/market-metadata.ts';
import { definePredictionEndpoint } from '../prediction-endpoint.ts';

const TradeJson = named(
  'PredictionTrade',
  Type.Object({
    id: Type.String(),
    ownerPubkey: Type.String(),
    marketId: Type.String(),
    message: Type.String({ description: 'The trade in words.' }),
    timestamp: Type.Integer({ description: 'Unix seconds.' }),
    action: Type.Enum(['buy', 'sell']),
    side: Type.Enum(['yes', 'no'], { description: 'For a side of a forecast always `yes`.' }),
    eventTitle: Type.String(),
    marketTitle: Type.String(),
    amountUsd: createUsdField('What a purchase has cost or a sale has brought, before fees.'),
    priceUsd: createUsdField('Of one contract.'),
    eventImageUrl: Type.String({ description: 'Empty without an image.' }),
    eventId: Type.String(),
    isTeamMarket: Type.Boolean(),
    marketOptions: Type.Array(Type.Object({ label: Type.String(), buyYes: Type.Boolean() })),
  }),
);

/** A trade as it is written. */
type TradeForm = Static<typeof TradeJson>;

/** `GET /trades`: the last trades of everybody. */
export const listTrades = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/trades',
  operationId: 'ListPredictionTrades',
  summary: 'Trades of everybody',
  description:
    'Lists the last 100 trades, the newest first. What the chain has is public, and so is this list.',
  example: {},
  answer: named('PredictionTrades', Type.Object({ data: Type.Array(TradeJson) })),
  handle: async ({ social, events, crafting }) => {
    const trades = await social.listTrades();
    const find = createSubjectFinder(events, Number(crafting.chain.clock().unixTimestamp));
    return {
      data: trades.map((trade) => {
        const { marketIdHash } = trade;
        const subject = find(marketIdHash) ?? toUnknownSubject(marketIdHash);
        return toTradeJson(trade, subject, events.findMarketByHash(marketIdHash));
      }),
    };
  },
});

function toTradeJson(
  trade: PredictionHistoryEvent,
  { marketId, eventId, eventMetadata, marketMetadata }: SubjectForms,
  market: PredictionMarket | null,
): TradeForm {
  const { id, owner, timestamp, isBuy, isYes, averageFillPrice, filledContracts } = trade;
  const done = isBuy ? 'Bought' : 'Sold';
  const side = describeSide(isYes, market);
  return {
    id: String(id),
    ownerPubkey: owner,
    marketId,
    message: `${done} ${toDecimalContracts(filledContracts)} ${side} at ${formatDollars(averageFillPrice)}`,
    timestamp,
    action: isBuy ? 'buy' : 'sell',
    side: isYes ? 'yes' : 'no',
    eventTitle: eventMetadata.title,
    marketTitle: marketMetadata.title,
    amountUsd: String(isBuy ? trade.totalCost : trade.grossProceeds),
    priceUsd: String(averageFillPrice),
    eventImageUrl: eventMetadata.imageUrl,
    eventId,
    isTeamMarket: marketMetadata.isTeamMarket,
    marketOptions: marketMetadata.marketOptions,
  };
}

function describeSide(isYes: boolean, market: PredictionMarket | null): string {
  if (market?.forecast != null) return market.forecast.side === 'up' ? 'Up' : 'Down';
  return isYes ? 'Yes' : 'No';
}

const MICRO_PER_DOLLAR = 1_000_000n;

/** Writes a price with two digits of cents at least, such as $0.42 or $0.985. */
function formatDollars(micro: bigint): string {
  const fraction = String(micro % MICRO_PER_DOLLAR).padStart(6, '0');
  return `$${micro / MICRO_PER_DOLLAR}.${fraction.replace(/0{1,4}$/, '')}`;
}
