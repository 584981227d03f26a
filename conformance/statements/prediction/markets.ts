import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { askPrediction, findEvent } from './prediction-requests.ts';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const predictionMarketStatements: readonly Statement[] = [
  {
    id: 'prediction/events',
    says: '`events` takes what the command line client sends, `sortBy=volume24hr` with it, and answers `data` and `pagination`, with the title and the ISO closing time of an event in its `metadata`.',
    check: async (world) => {
      const query = 'includeMarkets=true&sortBy=volume24hr&sortDirection=desc&category=all&start=0&end=2';
      const answer = await askPrediction(world, `/events?${query}`);
      const { data, pagination } = answer.json ?? {};
      return firstOf(
        difference(answer, { status: 200 }),
        unless(data?.length === 2 && pagination?.start === 0 && pagination.end === 2, pagination),
        unless(
          typeof pagination?.total === 'number' && pagination.hasNext === pagination.total > 2,
          pagination,
        ),
        unless(
          // biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
          data?.every(({ metadata }: any) => metadata.title.length > 0 && ISO.test(metadata.closeTime)),
          data,
        ),
      );
    },
  },
  {
    id: 'prediction/markets-on-request',
    says: 'Events come without `markets` unless `includeMarkets` asks for them.',
    check: async (world) => {
      const { json } = await askPrediction(world, '/events?end=1');
      return unless(!('markets' in json.data[0]), json);
    },
  },
  {
    id: 'prediction/market',
    says: 'A market has its times in Unix seconds, `result` and `resolveAt` null before its result, and prices in micro dollars as numbers.',
    check: async (world) => {
      const event = await findEvent(world);
      const answer = await askPrediction(world, `/markets/${event.markets[0].marketId}`);
      const { json } = answer;
      return firstOf(
        difference(answer, { status: 200, body: { status: 'open', result: null, resolveAt: null } }),
        unless(Number.isInteger(json.openTime) && json.openTime < json.closeTime, json),
        unless(
          Number.isInteger(json.pricing.buyYesPriceUsd) && json.pricing.buyYesPriceUsd < 1_000_000,
          json,
        ),
      );
    },
  },
  {
    id: 'prediction/search',
    says: '`events/search` refuses a query that is longer than 200 characters, and a `limit` above 20.',
    check: async (world) => {
      const event = await findEvent(world);
      const found = await askPrediction(
        world,
        `/events/search?query=${encodeURIComponent(event.metadata.title)}&includeMarkets=true`,
      );
      const long = await askPrediction(world, `/events/search?query=${'a'.repeat(201)}`);
      const many = await askPrediction(world, '/events/search?query=a&limit=21');
      return firstOf(
        difference(found, { status: 200 }),
        unless(found.json.data[0]?.eventId === event.eventId, found.json),
        difference(long, { status: 400 }),
        difference(many, { status: 400 }),
      );
    },
  },
  {
    id: 'prediction/order-book',
    says: 'An order book has `yes` and `no` in cents, and `yes_dollars` and `no_dollars` with texts of four digits: bids from the lowest price to the highest.',
    check: async (world) => {
      const event = await findEvent(world);
      const answer = await askPrediction(world, `/orderbook/${event.markets[0].marketId}`);
      const { yes, no, yes_dollars: dollars } = answer.json ?? {};
      const prices = (yes ?? []).map(([price]: [number]) => price);
      return firstOf(
        difference(answer, { status: 200 }),
        unless(Array.isArray(no) && prices.length > 0, answer.json),
        unless(
          prices.every((price: number, index: number) => index === 0 || price >= prices[index - 1]),
          prices,
        ),
        unless(
          dollars.every(([price]: [string]) => /^0\.\d{4}$/.test(price)),
          dollars,
        ),
      );
    },
  },
  {
    id: 'prediction/trading-status',
    says: '`trading-status` answers `{trading_active}`, with a key and without one.',
    check: async (world) => {
      const answer = await world.ask('/prediction/v1/trading-status', { key: null });
      return difference(answer, { status: 200, body: { trading_active: true } });
    },
  },
  {
    id: 'prediction/vault-info',
    says: '`vault-info` has the balance of the vault as text.',
    check: async (world) => {
      const answer = await askPrediction(world, '/vault-info');
      return firstOf(
        difference(answer, { status: 200 }),
        unless(/^\d+$/.test(answer.json?.vaultBalance), answer.json),
      );
    },
  },
  {
    id: 'prediction/error-form',
    says: 'Every error is `{type, message, request_id}`, with a `code` and a `param` where there are some; also those of the gateway.',
    check: async (world) => {
      const unknown = await askPrediction(world, '/events/none');
      const invalid = await askPrediction(world, '/events?start=-1');
      const key = await world.ask('/prediction/v1/events', { key: 'jup_unknown' });
      const isForm = ({ json }: { readonly json: { message?: unknown; request_id?: unknown } }) =>
        typeof json?.message === 'string' && typeof json.request_id === 'string';
      return firstOf(
        difference(unknown, { status: 404, body: { type: 'invalid_request_error', param: 'eventId' } }),
        difference(invalid, { status: 400, body: { type: 'invalid_request_error', param: 'start' } }),
        difference(key, { status: 401, body: { type: 'authentication_error' } }),
        unless([unknown, invalid, key].every(isForm), [unknown.text, invalid.text, key.text]),
      );
    },
  },
];
