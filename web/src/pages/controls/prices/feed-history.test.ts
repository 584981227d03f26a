import { describe, expect, it } from 'vitest';
import { FeedHistory, type FeedPrice } from './feed-history.ts';

describe('FeedHistory', () => {
  it('keeps the last prices of each feed, once for a time', () => {
    const history = new FeedHistory();
    for (let at = 0; at < 500; at++) history.record([priced('SOL', at), priced('JUP', 1)], at);
    history.record([priced('SOL', 7)], 499);
    expect(history.get('SOL')).toHaveLength(300);
    expect(history.get('SOL').at(-1)).toEqual({ time: 499, price: 499 });
    expect(history.get('none')).toEqual([]);
  });
});

function priced(symbol: string, price: number): FeedPrice {
  return {
    symbol,
    feed: '',
    price: String(price),
    confidence: '0',
    publishTime: '0',
    slot: '0',
    follows: null,
    walk: null,
  };
}
