import { describe, expect, it } from 'vitest';
import type { WindowStats } from '../market-data/trades/trade.ts';
import type { TokenRecord } from './records.ts';
import { boughtBy } from '../testing/test-tokens.ts';
import { type CategoryCandidate, type Category, orderCandidates, RecomputedLists } from './categories.ts';

describe('orderCandidates', () => {
  it('orders toporganicscore by the score, and equal scores by the organic volume of the window', () => {
    const tokens = [
      { name: 'none', score: 0, buyOrganicVolume: 9e9 },
      { name: 'low', score: 10, buyOrganicVolume: 9e9 },
      { name: 'quiet', score: 50, buyOrganicVolume: 10, sellOrganicVolume: 30 },
      { name: 'busy', score: 50, buyOrganicVolume: 35, sellOrganicVolume: 10 },
      { name: 'unknown', score: 50, buyOrganicVolume: null, sellOrganicVolume: null },
    ];
    expect(namesBy('toporganicscore', tokens)).toEqual(['busy', 'quiet', 'unknown', 'low']);
  });

  it('orders toptraded by what was bought and sold together, whatever the score', () => {
    const tokens = [
      { name: 'bought', buyVolume: 60, sellVolume: 0, score: 100 },
      { name: 'both', buyVolume: 40, sellVolume: 41 },
      { name: 'sold', buyVolume: 0, sellVolume: 70 },
      { name: 'idle', buyVolume: 0, sellVolume: 0, score: 100 },
    ];
    expect(namesBy('toptraded', tokens)).toEqual(['both', 'sold', 'bought']);
  });

  it('orders toptrending by how far the price moved in either direction, from 1,000 dollars of liquidity on', () => {
    const tokens = [
      { name: 'rose', priceChange: 30 },
      { name: 'fell', priceChange: -40 },
      { name: 'thin', priceChange: 900, liquidity: 999 },
      { name: 'deep enough', priceChange: 50, liquidity: 1_000 },
      { name: 'still', priceChange: 0 },
      { name: 'unknown', priceChange: null },
    ];
    expect(namesBy('toptrending', tokens)).toEqual(['deep enough', 'fell', 'rose']);
  });

  it('returns the best ones only, as many as are asked for', () => {
    const tokens = [1, 5, 3, 4, 2].map((volume) => ({ name: `${volume}`, buyVolume: volume }));
    expect(namesBy('toptraded', tokens, 2)).toEqual(['5', '4']);
  });
});

describe('RecomputedLists', () => {
  it('computes a list again only after twenty times as long as it took, or when the clock was set back', () => {
    let now = 1_000;
    let computed = 0;
    const lists = new RecomputedLists<number>(() => now);
    const get = () =>
      lists.get('key', () => {
        now += 10;
        return ++computed;
      });
    expect(get()).toBe(1);
    now = 1_199;
    expect(get()).toBe(1);
    now = 1_200;
    expect(get()).toBe(2);
    now = 0;
    expect(get()).toBe(3);
  });
});

interface Described extends Partial<WindowStats> {
  readonly name: string;
  readonly score?: number;
  readonly liquidity?: number;
}

function candidate({ name, score = 0, liquidity = 1_000_000, ...changes }: Described): CategoryCandidate {
  return { record: { name, score } as TokenRecord, stats: boughtBy(5, 100, changes), liquidity };
}

const namesBy = (category: Category, tokens: readonly Described[], limit = 100) =>
  orderCandidates(category, tokens.map(candidate), limit).map(({ name }) => name);
