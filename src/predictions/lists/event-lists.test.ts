import { describe, expect, it } from 'vitest';
import type { NewPredictionEvent } from '../events/event-terms.ts';
import { CREATED_AT, createTestEvent } from '../../testing/predictions/test-events.ts';
import { HeldEvents } from '../../testing/predictions/held-events.ts';
import {
  ALICE,
  createMarketHash,
  createTestPredictionPosition,
} from '../../testing/predictions/test-prediction-accounts.ts';
import { readPredictionAccount } from '../following/read-prediction-account.ts';
import type { OpenPredictionPosition, PredictionEvent } from '../prediction.ts';
import { EventLists } from './event-lists.ts';
import type { EventSelection, TradedVolume } from './prediction-lists.ts';

const ANY: EventSelection = {
  provider: 'polymarket',
  category: null,
  subcategories: [],
  tags: [],
  filter: null,
  sortBy: 'volume',
  direction: 'desc',
};
const DAY = 86_400;

describe('EventLists', () => {
  it('selects by category, by one of several subcategories, and by one of several tags', () => {
    const { list } = open([
      [1, { category: 'crypto', subcategory: 'btc', tags: ['15m', 'price'] }],
      [2, { category: 'crypto', subcategory: 'eth', tags: ['5m'] }],
      [3, { category: 'sports', subcategory: 'btc' }],
    ]);
    expect(list({ category: 'crypto', sortBy: 'beginAt', direction: 'asc' })).toEqual([1, 2]);
    expect(list({ subcategories: ['btc'], direction: 'asc' })).toEqual([1, 3]);
    expect(list({ category: 'crypto', subcategories: ['eth', 'sol'] })).toEqual([2]);
    expect(list({ tags: ['15m', '5m'], direction: 'asc' })).toEqual([1, 2]);
    expect(list({ tags: ['none'] })).toEqual([]);
  });

  it('filters by time and by what is traded, as of the moment of the request', () => {
    const tested = open([
      [1, {}],
      [2, { beginAt: CREATED_AT + 2 * DAY }],
      [3, { beginAt: CREATED_AT - 5 }],
    ]);
    const { list } = tested;
    tested.trade(1, { total: 5n, day: 0n });
    tested.trade(2, { total: 1n, day: 1n });
    expect(list({ filter: 'new', direction: 'asc' })).toEqual([3, 2, 1]);
    expect(list({ filter: 'live' })).toEqual([3]);
    expect(list({ filter: 'upcoming' })).toEqual([2]);
    expect(list({ filter: 'trending' })).toEqual([2]);
    tested.pass(2 * DAY);
    expect(list({ filter: 'new' })).toEqual([]);
    expect(list({ filter: 'live', sortBy: 'beginAt', direction: 'asc' })).toEqual([3, 2]);
    expect(list({ filter: 'upcoming' })).toEqual([]);
  });

  it('lists events as long as one of their markets is traded', () => {
    const { list, decide, pass } = open([
      [1, {}],
      [2, {}],
    ]);
    decide(1, 0);
    expect(list({ direction: 'asc' })).toEqual([1, 2]);
    decide(1, 1);
    expect(list({})).toEqual([2]);
    pass(10 * DAY);
    expect(list({})).toEqual([]);
  });

  it('sorts by volume, by that of 24 hours and by the beginning, with an order for equal ones', () => {
    const { list, trade } = open([
      [1, { beginAt: CREATED_AT + 9 }],
      [2, {}],
      [3, { beginAt: CREATED_AT + 3 }],
      [4, {}],
    ]);
    trade(1, { total: 1n, day: 1n });
    trade(2, { total: 9_007_199_254_740_993n, day: 0n });
    trade(3, { total: 9_007_199_254_740_992n, day: 1n });
    expect(list({})).toEqual([2, 3, 1, 4]);
    expect(list({ direction: 'asc' })).toEqual([4, 1, 3, 2]);
    expect(list({ sortBy: 'volume24hr' })).toEqual([3, 1, 2, 4]);
    expect(list({ sortBy: 'beginAt', direction: 'asc' })).toEqual([3, 1, 2, 4]);
  });

  it('finds the events that have all words, in any of their texts, the best match first', () => {
    const { lists, trade, decide } = open([
      [1, { title: 'Who wins the cup?', tags: ['football'] }],
      [2, { title: 'The Cup: top scorer', series: 'football' }],
      [3, { title: 'Bitcoin', markets: [{ title: 'Above the cup and handle' }] }],
      [4, { title: 'Cup of tea' }],
    ]);
    const search = (text: string, limit = 10) =>
      lists.searchEvents(text, { limit, provider: 'polymarket' }).map(numberOf);
    expect(search('cup')).toEqual([4, 2, 1, 3]);
    expect(search('CUP,  the')).toEqual([2, 1, 3]);
    expect(search('football')).toEqual([2, 1]);
    trade(1, { total: 1n, day: 0n });
    expect(search('football')).toEqual([1, 2]);
    expect(search('cup', 1)).toEqual([4]);
    decide(4, 0);
    decide(4, 1);
    expect(search('cup')).toEqual([1, 2, 3, 4]);
    expect(search('cup tennis')).toEqual([]);
    expect(search('?!')).toEqual([]);
  });

  it('suggests open events of the categories in which a wallet has positions, and then what others trade', () => {
    const tested = open([
      [1, { category: 'sports' }],
      [2, { category: 'sports' }],
      [3, { category: 'tech' }],
      [4, { category: 'sports' }],
    ]);
    tested.trade(3, { total: 9n, day: 9n });
    tested.trade(4, { total: 1n, day: 1n });
    const suggest = (limit: number) =>
      tested.lists.suggestEvents(ALICE, { limit, provider: 'polymarket' }).map(numberOf);
    expect(suggest(2)).toEqual([3, 4]);
    tested.hold(2);
    expect(suggest(10)).toEqual([4, 1, 3]);
    tested.decide(4, 0);
    tested.decide(4, 1);
    expect(suggest(10)).toEqual([1, 3]);
  });

  function open(described: readonly (readonly [number, Partial<NewPredictionEvent>])[]) {
    const events = new HeldEvents();
    for (const [number, change] of described) events.put(createTestEvent(number, change));
    const volumes = new Map<string, TradedVolume>();
    const positions: OpenPredictionPosition[] = [];
    let now = CREATED_AT;
    const lists = new EventLists({
      events,
      accounts: { positionsOf: (owner) => (owner === ALICE ? positions : []) },
      volumeOf: (hash) => volumes.get(hash) ?? { total: 0n, day: 0n },
      now: () => BigInt(now),
    });
    const find = (number: number) => {
      const event = events.findEvent(`POLY-${number}`);
      if (event === null) throw new Error(`no event ${number}`);
      return event;
    };
    return {
      lists,
      list: (selection: Partial<EventSelection>) =>
        lists.selectEvents({ ...ANY, ...selection }).map(numberOf),
      pass: (seconds: number) => {
        now += seconds;
      },
      trade: (number: number, volume: TradedVolume) => {
        const hash = find(number).markets[0]?.marketIdHash ?? createMarketHash(0);
        volumes.set(hash, volume);
        lists.noteVolumes([hash]);
      },
      decide: (number: number, index: number) => {
        const event = find(number);
        const markets = event.markets.map((market, at) =>
          at === index ? { ...market, status: 'closed' as const, result: 'yes' as const } : market,
        );
        events.put({ ...event, markets });
      },
      hold: (number: number) => {
        const { address, data } = createTestPredictionPosition({
          marketIdHash: find(number).markets[0]?.marketIdHash ?? '',
        });
        const account = readPredictionAccount(address, data);
        if (account?.kind === 'position') positions.push(account.position);
      },
    };
  }
});

function numberOf({ eventId }: PredictionEvent): number {
  return Number(eventId.slice('POLY-'.length));
}
