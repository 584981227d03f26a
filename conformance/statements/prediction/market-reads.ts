import { type Answer, difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import type { World } from '../../world.ts';
import { networkNow } from '../embedded-network.ts';
import { askPrediction, createEvent, createMarket, findAbsent, findEvent } from './prediction-requests.ts';

// What lists and single answers of events and markets have, and how they are selected.

const EVENT_FIELDS = [
  ...['eventId', 'isActive', 'isLive', 'category', 'subcategory', 'tags', 'metadata', 'volumeUsd'],
  ...['volume24hr', 'liveScore', 'closeCondition', 'beginAt', 'rulesPdf'],
];
const MARKET_FIELDS = [
  ...['marketId', 'eventId', 'provider', 'title', 'status', 'result', 'openTime', 'closeTime', 'resolveAt'],
  ...['marketResultPubkey', 'imageUrl', 'rulesPrimary', 'rulesSecondary', 'outcomes', 'marketOptions'],
  ...[
    'clobTokenIds',
    'isTeamMarket',
    'team',
    'sportsLine',
    'sportsMarketType',
    'outcomeMint',
    'outcomeTokenProgram',
  ],
  ...['marketPda', 'outcomeSide', 'tradable', 'pricing'],
];
const PRICES = ['buyYesPriceUsd', 'buyNoPriceUsd', 'sellYesPriceUsd', 'sellNoPriceUsd'];
const DAY = 86_400;

/** Creates an event that begins in some hours, and returns its id. */
async function createBeginning(world: World, subcategory: string, hours: number): Promise<string> {
  const beginAt = Math.floor((await networkNow(world)) / 1_000) + hours * 3_600;
  const change = { subcategory, tags: ['statement'], beginAt, closeAt: beginAt + DAY };
  const { eventId } = await createEvent(world, [{}], change);
  return eventId;
}

/** Returns the ids of the events in an answer. */
function listIds({ json }: Answer): readonly string[] {
  return (json?.data ?? []).map(({ eventId }: { readonly eventId: string }) => eventId);
}

export const predictionReadStatements: readonly Statement[] = [
  {
    id: 'prediction/fields',
    says: 'Events and markets have every field of the published schema; one without a value is null, and not absent.',
    check: async (world) => {
      const event = await findEvent(world);
      return firstOf(
        unless(findAbsent(event, EVENT_FIELDS).length === 0, findAbsent(event, EVENT_FIELDS)),
        unless(
          findAbsent(event.markets[0], MARKET_FIELDS).length === 0,
          findAbsent(event.markets[0], MARKET_FIELDS),
        ),
      );
    },
  },
  {
    id: 'prediction/market-metadata',
    says: 'The fields of a market stand at its root, and those that published samples read in `metadata` stand there too.',
    check: async (world) => {
      const market = (await findEvent(world)).markets[0];
      const { title, status, openTime, closeTime, rulesPrimary, rulesSecondary, tradable } = market;
      const nested = { title, status, openTime, closeTime, rulesPrimary, rulesSecondary };
      return firstOf(
        unless(
          Object.entries(nested).every(([name, value]) => market.metadata?.[name] === value),
          market,
        ),
        unless(market.metadata?.isTradable === tradable, market),
      );
    },
  },
  {
    id: 'prediction/event-times',
    says: '`beginAt` is a text of Unix seconds or null, and the times of markets are numbers of seconds.',
    check: async (world) => {
      const begins = await createBeginning(world, 'times', 2);
      const event = (await askPrediction(world, `/events/${begins}?includeMarkets=true`)).json;
      const { eventId } = await createEvent(world);
      const other = (await askPrediction(world, `/events/${eventId}`)).json;
      const { openTime, closeTime } = event.markets[0];
      return firstOf(
        unless(/^\d{10}$/.test(event.beginAt) && other.beginAt === null, [event.beginAt, other.beginAt]),
        unless(
          closeTime === Number(event.beginAt) + DAY && openTime < Number(event.beginAt),
          event.markets[0],
        ),
        unless(Date.parse(event.metadata.closeTime) === closeTime * 1_000, event.metadata),
      );
    },
  },
  {
    id: 'prediction/selection',
    says: 'Events are selected by `category`, `subcategory` and `tags`, all of which may be combined; `category=all` is all of them.',
    check: async (world) => {
      const id = await createBeginning(world, 'selection', 1);
      const ask = (query: string) => askPrediction(world, `/events?end=1000&${query}`);
      const found = await ask('category=culture&subcategory=selection&tags=statement');
      const [category, tag, all] = [
        await ask('category=sports&subcategory=selection'),
        await ask('subcategory=selection&tags=none'),
        await ask('category=all&subcategory=selection'),
      ];
      return firstOf(
        unless(listIds(found).join() === id && listIds(all).join() === id, [found.text, all.text]),
        unless(listIds(category).length === 0 && listIds(tag).length === 0, [category.text, tag.text]),
        difference(await ask('category=weather'), { status: 400, body: { param: 'category' } }),
      );
    },
  },
  {
    id: 'prediction/filters',
    says: '`filter` takes `new` (of the last 24 hours), `live` (begun and not over), `trending` and `upcoming`, and refuses others.',
    check: async (world) => {
      const upcoming = await createBeginning(world, 'filters', 3);
      const live = await createBeginning(world, 'filters', -1);
      const ask = (filter: string) => askPrediction(world, `/events?subcategory=filters&filter=${filter}`);
      return firstOf(
        unless(listIds(await ask('new')).length === 2, await ask('new')),
        unless(listIds(await ask('live')).join() === live, await ask('live')),
        unless(listIds(await ask('upcoming')).join() === upcoming, await ask('upcoming')),
        unless(listIds(await ask('trending')).length === 0, await ask('trending')),
        difference(await ask('old'), { status: 400, body: { param: 'filter' } }),
      );
    },
  },
  {
    id: 'prediction/sorting',
    says: '`sortBy=beginAt` has the earliest event first unless `sortDirection` says otherwise; without `sortBy` the most traded one is first.',
    check: async (world) => {
      const late = await createBeginning(world, 'sorting', 9);
      const early = await createBeginning(world, 'sorting', 5);
      const ask = async (query: string) =>
        listIds(await askPrediction(world, `/events?subcategory=sorting&sortBy=beginAt&${query}`)).join();
      const volumes = (await askPrediction(world, '/events?end=1000')).json.data.map(
        ({ volumeUsd }: { readonly volumeUsd: string }) => Number(volumeUsd),
      );
      return firstOf(
        unless((await ask('')) === `${early},${late}`, await ask('')),
        unless((await ask('sortDirection=desc')) === `${late},${early}`, await ask('sortDirection=desc')),
        unless(
          volumes.every((volume: number, at: number) => at === 0 || volume <= volumes[at - 1]),
          volumes,
        ),
      );
    },
  },
  {
    id: 'prediction/page-at-root',
    says: '`start`, `end` and `total` of a list of events stand at the root of its answer too, where a published sample reads them.',
    check: async (world) => {
      const { json } = await askPrediction(world, '/events?start=1&end=3');
      const { start, end, total, pagination } = json;
      return firstOf(
        unless(start === 1 && end === 3 && total === pagination.total, json.pagination),
        unless(pagination.start === 1 && pagination.end === 3 && pagination.hasNext === true, pagination),
      );
    },
  },
  {
    id: 'prediction/search-page',
    says: 'A search has a `pagination`, takes `start` and `end`, and has no `markets` unless they are asked for.',
    check: async (world) => {
      const { eventId } = await createEvent(world, [{}], { title: 'Zanzibar statement' });
      const { json } = await askPrediction(world, '/events/search?query=zanzibar&limit=10&start=0&end=5');
      return firstOf(
        unless(json?.data?.[0]?.eventId === eventId && !('markets' in json.data[0]), json),
        unless(json?.pagination?.total >= 1 && json.pagination.hasNext === false, json?.pagination),
      );
    },
  },
  {
    id: 'prediction/provider',
    says: '`provider` takes `polymarket`, which is the default, `kalshi` and `bisonfi`, and refuses others; every market of the default names it.',
    check: async (world) => {
      const ask = (query: string) => askPrediction(world, `/events?includeMarkets=true&end=1000${query}`);
      const [all, named, kalshi] = [
        await ask(''),
        await ask('&provider=polymarket'),
        await ask('&provider=kalshi'),
      ];
      const listed: readonly { readonly markets: readonly { readonly provider: string }[] }[] = all.json.data;
      const providers = new Set(listed.flatMap(({ markets }) => markets.map(({ provider }) => provider)));
      return firstOf(
        unless([...providers].join() === 'polymarket', [...providers]),
        unless(all.json.pagination.total === named.json.pagination.total, named.json.pagination),
        difference(kalshi, { status: 200, body: { data: [] } }),
        difference(await ask('&provider=other'), { status: 400, body: { param: 'provider' } }),
      );
    },
  },
  {
    id: 'prediction/event-of-markets',
    says: 'The markets of an event are listed below it in pages, and each is found below it and by its id alone.',
    check: async (world) => {
      const { eventId, markets } = await createEvent(world, [{}, { title: 'It does not' }]);
      const page = await askPrediction(world, `/events/${eventId}/markets?start=1&end=2`);
      const marketId = `${markets[1]?.marketId}`;
      const below = await askPrediction(world, `/events/${eventId}/markets/${marketId}`);
      const alone = await askPrediction(world, `/markets/${marketId}`);
      const elsewhere = await askPrediction(world, `/events/DEMO-1006/markets/${marketId}`);
      return firstOf(
        difference(page, {
          status: 200,
          body: { pagination: { start: 1, end: 2, total: 2, hasNext: false } },
        }),
        unless(page.json.data[0].marketId === marketId, page.json),
        unless(below.status === 200 && below.text === alone.text, below.text),
        difference(elsewhere, { status: 404 }),
      );
    },
  },
  {
    id: 'prediction/suggested',
    says: 'Events are suggested for the address of a wallet, and 400 is the answer for what is no address.',
    check: async (world) => {
      const answer = await askPrediction(world, `/events/suggested/${world.wallet.address}`);
      const refused = await askPrediction(world, '/events/suggested/nobody');
      return firstOf(
        difference(answer, { status: 200 }),
        unless(answer.json.data.length > 0, answer.json),
        difference(refused, { status: 400, body: { type: 'invalid_request_error' } }),
      );
    },
  },
  {
    id: 'prediction/no-price',
    says: 'Prices are whole micro dollars from 0 to 1,000,000, and null where nobody offers; the order book is empty then.',
    check: async (world) => {
      const event = await findEvent(world);
      const empty = await createMarket(world, { house: { startCents: 50, contractsPerCent: 0 } });
      const market = (await askPrediction(world, `/markets/${empty}`)).json;
      const book = await askPrediction(world, `/orderbook/${empty}`);
      const { pricing } = event.markets[0];
      return firstOf(
        unless(
          PRICES.every((name) => Number.isInteger(pricing[name]) && pricing[name] <= 1_000_000),
          pricing,
        ),
        unless(
          pricing.sellYesPriceUsd < pricing.buyYesPriceUsd && pricing.sellNoPriceUsd < pricing.buyNoPriceUsd,
          pricing,
        ),
        unless(
          PRICES.every((name) => market.pricing[name] === null),
          market.pricing,
        ),
        difference(book, { status: 200, body: { yes: [], no: [], yes_dollars: [], no_dollars: [] } }),
      );
    },
  },
  {
    id: 'prediction/error-id',
    says: '`request_id` of an error is the id under which the gateway logs the request.',
    check: async (world) => {
      const { json, headers } = await askPrediction(world, '/markets/none');
      const id = headers.get('x-api-gateway-request-id');
      return unless(json.request_id === id && json.code === 'market_not_found', { json, id });
    },
  },
  {
    id: 'prediction/keyless',
    says: 'Events, and transactions of orders, are answered without a key.',
    check: async (world) => {
      const events = await world.ask('/prediction/v1/events?end=1', { key: null });
      const body = { ownerPubkey: world.wallet.address, isBuy: true, depositAmount: '1' };
      const build = await world.ask('/prediction/v1/orders', { method: 'POST', body, key: null });
      return firstOf(
        difference(events, { status: 200 }),
        difference(build, { status: 400, body: { type: 'invalid_request_error', param: 'marketId' } }),
      );
    },
  },
];
