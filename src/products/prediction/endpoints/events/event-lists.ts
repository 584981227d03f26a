import { Type } from 'typebox';
import { named } from '../../../named-schema.ts';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import { address, choice, integer, list } from '../../../parameters/kinds.ts';
import { defineQuery, defineText, optional } from '../../../parameters/parameter.ts';
import { PaginationJson } from '../json/amount-forms.ts';
import { PredictionEventJson } from '../json/event-schema.ts';
import { ORDER_PROVIDER } from '../json/market-kind.ts';
import {
  type ListRange,
  MARKET_PARAMETERS,
  PAGE_PARAMETERS,
  PROVIDER_PARAMETER,
  refuseParameter,
  SELECTION_PARAMETERS,
  toPagination,
  toProvider,
  toRange,
  toSelection,
} from '../event-parameters.ts';
import type { PredictionEvent } from '../../../../predictions/prediction.ts';
import { definePredictionEndpoint } from '../prediction-endpoint.ts';

const MAX_QUERY = 200;
const MAX_FOUND = 20;
/** Events that a wallet is shown. */
const SUGGESTED = 10;
const HEAD = '{"data":[';

const EventsJson = named(
  'PredictionEvents',
  Type.Object({
    data: Type.Array(PredictionEventJson),
    pagination: PaginationJson,
    start: Type.Integer({ description: 'As in `pagination`.' }),
    end: Type.Integer({ description: 'As in `pagination`.' }),
    total: Type.Integer({ description: 'As in `pagination`.' }),
  }),
);

/** Returns the part of a selection that a range names, and what stands behind it in the answer. */
function cutPage(selected: readonly PredictionEvent[], range: ListRange) {
  const pagination = toPagination(range, selected.length);
  const { start, end, total } = pagination;
  const tail = `],"pagination":${JSON.stringify(pagination)},"start":${start},"end":${end},"total":${total}}`;
  return { events: selected.slice(range.start, range.end), tail };
}

const SuggestedEventsJson = named(
  'SuggestedPredictionEvents',
  Type.Object({ data: Type.Array(PredictionEventJson) }),
);

const LIST = defineQuery(
  { ...SELECTION_PARAMETERS, ...MARKET_PARAMETERS, ...PAGE_PARAMETERS },
  refuseParameter,
);

/** `GET /events`: events of a selection. */
export const listEvents = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/events',
  operationId: 'ListPredictionEvents',
  summary: 'Events',
  description: 'Lists events, sorted, with their markets and prices if `includeMarkets` asks for them.',
  example: { query: { includeMarkets: 'true', sortBy: 'volume24hr', start: '0', end: '10' } },
  query: LIST.schema,
  answer: EventsJson,
  handle: ({ lists, pieces }, { query, work }) => {
    const read = LIST.reader(query);
    const provider = toProvider(read('provider'));
    const range = toRange(read('start'), read('end'));
    const selection = toSelection({
      provider: provider ?? ORDER_PROVIDER,
      category: read('category'),
      subcategory: read('subcategory'),
      filter: read('filter'),
      sortBy: read('sortBy'),
      sortDirection: read('sortDirection'),
      tags: read('tags'),
      tag: read('tag'),
    });
    const hasMarkets = read('includeMarkets') || read('includeAllMarkets');
    const { events, tail } = cutPage(provider === null ? [] : lists.selectEvents(selection), range);
    return pieces.list(events, hasMarkets, { head: HEAD, tail, work });
  },
});

const searchText = defineText(
  Type.String({
    minLength: 1,
    maxLength: MAX_QUERY,
    description: 'Words of the texts of events and markets.',
  }),
  (given) => given,
);

const SEARCH = defineQuery(
  {
    query: searchText,
    limit: optional(integer({ minimum: 1, maximum: MAX_FOUND }, `The most events. Default: ${MAX_FOUND}.`)),
    provider: PROVIDER_PARAMETER,
    ...MARKET_PARAMETERS,
    ...PAGE_PARAMETERS,
  },
  refuseParameter,
);

/** `GET /events/search`: events by their texts. */
export const searchEvents = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/events/search',
  operationId: 'SearchPredictionEvents',
  summary: 'Search for events',
  description:
    'Finds events whose texts hold all words, the best match first. `total` counts those found, up to 20.',
  example: { query: { query: 'bitcoin', includeMarkets: 'true' } },
  query: SEARCH.schema,
  answer: EventsJson,
  handle: ({ lists, pieces }, { query, work }) => {
    const read = SEARCH.reader(query);
    const words = read('query');
    const provider = toProvider(read('provider'));
    const range = toRange(read('start'), read('end'));
    const limit = Math.min(read('limit') ?? MAX_FOUND, MAX_FOUND);
    const hasMarkets = read('includeMarkets') || read('includeAllMarkets');
    const { events, tail } = cutPage(
      provider === null ? [] : lists.searchEvents(words, { limit, provider }),
      range,
    );
    return pieces.list(events, hasMarkets, { head: HEAD, tail, work });
  },
});

const SUGGEST = defineQuery({ provider: PROVIDER_PARAMETER, ...MARKET_PARAMETERS }, refuseParameter);
const WALLET = defineQuery({ pubkey: address('The wallet.') }, refuseParameter);

/** `GET /events/suggested/:pubkey`: events for a wallet. */
export const suggestEvents = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/events/suggested/:pubkey',
  operationId: 'SuggestPredictionEvents',
  summary: 'Events for a wallet',
  description: 'Suggests events by what the wallet has traded, and by what others trade.',
  example: { params: { pubkey: EXAMPLE_WALLET } },
  query: SUGGEST.schema,
  params: WALLET.schema,
  answer: SuggestedEventsJson,
  handle: ({ lists, pieces }, { query, params, work }) => {
    const read = SUGGEST.reader(query);
    const provider = toProvider(read('provider'));
    const hasMarkets = read('includeMarkets') || read('includeAllMarkets');
    const wallet = WALLET.reader(params)('pubkey');
    const events = provider === null ? [] : lists.suggestEvents(wallet, { limit: SUGGESTED, provider });
    return pieces.list(events, hasMarkets, { head: HEAD, tail: ']}', work });
  },
});

const TIMED = defineQuery(
  {
    subcategory: optional(list('The asset: btc, eth, xrp, sol, hype, doge or bnb. Default: all.')),
    tags: optional(choice(['5m', '15m'], 'The length of a round. Default: both.')),
    ...MARKET_PARAMETERS,
    ...PAGE_PARAMETERS,
  },
  refuseParameter,
);

/** `GET /events/crypto/timed`: short rounds on the price of an asset. */
export const listTimedEvents = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/events/crypto/timed',
  operationId: 'ListTimedPredictionEvents',
  summary: 'Rounds of minutes',
  description: 'Lists the forecasts that are not closed, the next one first.',
  example: { query: { subcategory: 'btc', tags: '15m' } },
  query: TIMED.schema,
  answer: EventsJson,
  handle: ({ lists, pieces }, { query, work }) => {
    const read = TIMED.reader(query);
    const [subcategories, tag] = [read('subcategory') ?? [], read('tags')];
    const hasMarkets = read('includeMarkets') || read('includeAllMarkets');
    const range = toRange(read('start'), read('end'));
    const tags = tag === null ? ['5m', '15m'] : [tag];
    const selected = lists.selectEvents({
      provider: 'bisonfi',
      category: 'crypto',
      subcategories,
      tags,
      filter: null,
      sortBy: 'beginAt',
      direction: 'asc',
    });
    const { events, tail } = cutPage(selected, range);
    return pieces.list(events, hasMarkets, { head: HEAD, tail, work });
  },
});
