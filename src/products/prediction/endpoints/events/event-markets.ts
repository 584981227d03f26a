import { Type } from 'typebox';
import { refuseUnknown } from '../../../../predictions/prediction-refused.ts';
import type { PredictionEvent, PredictionMarket } from '../../../../predictions/prediction.ts';
import { formatForError } from '../../../../common/format-for-error.ts';
import { named } from '../../../named-schema.ts';
import { defineQuery } from '../../../parameters/parameter.ts';
import { PaginationJson } from '../json/amount-forms.ts';
import { toMarketJson } from '../json/event-json.ts';
import { PredictionEventJson, PredictionMarketJson } from '../json/event-schema.ts';
import type { PredictionDesk } from '../prediction-services.ts';
import {
  MARKET_PARAMETERS,
  PAGE_PARAMETERS,
  refuseParameter,
  toPagination,
  toRange,
} from '../event-parameters.ts';
import { definePredictionEndpoint } from '../prediction-endpoint.ts';

const EVENT_PARAMS = Type.Object({ eventId: Type.String({ description: 'The id of the event.' }) });
const MARKET_PARAMS = Type.Object({ marketId: Type.String({ description: 'The id of the market.' }) });
const EXAMPLE_EVENT = 'DEMO-1012';
const EXAMPLE_MARKET = 'DEMO-1012-1';

/** The market that examples name, and the example of a path with it. */
export const MARKET_EXAMPLE = { params: { marketId: EXAMPLE_MARKET } };

/** @throws PredictionRefused for an unknown event */
function requireEvent({ events }: Pick<PredictionDesk, 'events'>, eventId: string): PredictionEvent {
  return (
    events.findEvent(eventId) ??
    refuseUnknown('event_not_found', `there is no event ${formatForError(eventId)}`, 'eventId')
  );
}

/** @throws PredictionRefused for an unknown market */
export function requireMarket(
  { events }: Pick<PredictionDesk, 'events'>,
  marketId: string,
): PredictionMarket {
  return (
    events.findMarket(marketId) ??
    refuseUnknown('market_not_found', `there is no market ${formatForError(marketId)}`, 'marketId')
  );
}

function writeMarket(desk: PredictionDesk, market: PredictionMarket) {
  const event = requireEvent(desk, market.eventId);
  return toMarketJson(desk, event, market, Number(desk.crafting.chain.clock().unixTimestamp));
}

const ONE = defineQuery(MARKET_PARAMETERS, refuseParameter);

/** `GET /events/:eventId`: one event. */
export const getEvent = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/events/:eventId',
  operationId: 'GetPredictionEvent',
  summary: 'One event',
  description: 'Returns an event, with its markets if `includeMarkets` asks for them.',
  example: { params: { eventId: EXAMPLE_EVENT }, query: { includeMarkets: 'true' } },
  query: ONE.schema,
  params: EVENT_PARAMS,
  answer: PredictionEventJson,
  handle: (desk, { query, params }) => {
    const read = ONE.reader(query);
    const hasMarkets = read('includeMarkets') || read('includeAllMarkets');
    return desk.pieces.get(requireEvent(desk, params.eventId), hasMarkets);
  },
});

const MarketsJson = named(
  'PredictionMarkets',
  Type.Object({ data: Type.Array(PredictionMarketJson), pagination: PaginationJson }),
);

const PAGE = defineQuery(PAGE_PARAMETERS, refuseParameter);

/** `GET /events/:eventId/markets`: the markets of an event. */
export const listEventMarkets = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/events/:eventId/markets',
  operationId: 'ListPredictionEventMarkets',
  summary: 'Markets of an event',
  description: 'Lists the markets of an event with their prices.',
  example: { params: { eventId: EXAMPLE_EVENT } },
  query: PAGE.schema,
  params: EVENT_PARAMS,
  answer: MarketsJson,
  handle: (desk, { query, params }) => {
    const read = PAGE.reader(query);
    const range = toRange(read('start'), read('end'));
    const { markets } = requireEvent(desk, params.eventId);
    return {
      data: markets.slice(range.start, range.end).map((market) => writeMarket(desk, market)),
      pagination: toPagination(range, markets.length),
    };
  },
});

/** `GET /events/:eventId/markets/:marketId`: one market of an event. */
export const getEventMarket = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/events/:eventId/markets/:marketId',
  operationId: 'GetPredictionEventMarket',
  summary: 'One market of an event',
  description: 'Returns a market with its prices. 404: the event has no such market.',
  example: { params: { eventId: EXAMPLE_EVENT, marketId: EXAMPLE_MARKET } },
  params: Type.Object({ ...EVENT_PARAMS.properties, ...MARKET_PARAMS.properties }),
  answer: PredictionMarketJson,
  handle: (desk, { params }) => {
    const event = requireEvent(desk, params.eventId);
    const market = requireMarket(desk, params.marketId);
    if (market.eventId === event.eventId) return writeMarket(desk, market);
    return refuseUnknown(
      'market_not_found',
      `the event has no market ${formatForError(params.marketId)}`,
      'marketId',
    );
  },
});

/** `GET /markets/:marketId`: one market. */
export const getMarket = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/markets/:marketId',
  operationId: 'GetPredictionMarket',
  summary: 'One market',
  description: 'Returns a market with its prices.',
  example: MARKET_EXAMPLE,
  params: MARKET_PARAMS,
  answer: PredictionMarketJson,
  handle: (desk, { params }) => writeMarket(desk, requireMarket(desk, params.marketId)),
});
