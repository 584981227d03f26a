import { describe, expect, it } from 'vitest';
import { parseSearch, TAG_QUERY, TOP_PATH, TOP_QUERY } from './search-request.ts';

describe('parseSearch', () => {
  it('reads a text, a list of mints, and a list of both', () => {
    expect(search(' usd coin ', undefined)).toEqual({ kind: 'text', text: 'usd coin', limit: 20 });
    expect(search(SOL, '1')).toEqual({ kind: 'list', items: [{ mint: SOL }], limit: 1 });
    expect(search(`JUP, ${SOL},,`, '100')).toEqual({
      kind: 'list',
      items: [{ text: 'JUP' }, { mint: SOL }],
      limit: 100,
    });
  });

  it.each([
    ['', undefined, 'query must be a symbol, a name, a mint, or a list of them with commas between'],
    [' , ,', undefined, 'query must be a symbol, a name, a mint, or a list of them with commas between'],
    [Array(101).fill(SOL).join(','), undefined, 'query must have at most 100 items, got 101'],
    ['x'.repeat(101), undefined, /^query must have items of at most 100 characters, got 101 in "x/],
    ['x'.repeat(8_001), undefined, 'query must have at most 8000 characters, got 8001'],
    ['SOL', '0', 'limit must be a whole number from 1 to 100, got "0"'],
    ['SOL', '101', 'limit must be a whole number from 1 to 100, got "101"'],
    ['SOL', '1e1', 'limit must be a whole number from 1 to 100, got "1e1"'],
  ])('refuses %j with limit %j', (query, limit, message) => {
    expect(() => search(query, limit)).toThrow(message);
  });

  it('accepts the longest list of mints', () => {
    expect(search(Array(100).fill(SOL).join(', '), undefined)).toMatchObject({ kind: 'list' });
  });
});

describe('TOP_PATH and TOP_QUERY', () => {
  it('reads a category', () => {
    expect(top('toptraded', '6h', undefined)).toEqual({
      category: 'toptraded',
      window: '6h',
      limit: 50,
    });
  });

  it.each([
    ['topgainers', '1h', undefined, 'category must be one of toporganicscore, toptraded, toptrending'],
    ['toptraded', 'h1', undefined, 'interval must be one of 5m, 1h, 6h, 24h, got "h1"'],
    ['toptraded', '7d', undefined, 'interval must be one of'],
    ['toptraded', '1h', '101', 'limit must be a whole number from 1 to 100'],
    ['constructor', '__proto__', undefined, 'category must be one of'],
  ])('refuses %s/%s with limit %j', (category, interval, limit, message) => {
    expect(() => top(category, interval, limit)).toThrow(message);
  });
});

it('TAG_QUERY names what it refuses', () => {
  expect(tag('lst')).toBe('lst');
  expect(() => tag('strict')).toThrow('query must be one of lst, verified, stocks, got "strict"');
});

const SOL = 'So11111111111111111111111111111111111111112';

function search(query: string, limit: string | undefined) {
  return parseSearch(limit === undefined ? { query } : { query, limit });
}

function top(category: string, interval: string, limit: string | undefined) {
  const read = TOP_PATH.reader({ category, interval });
  return {
    category: read('category'),
    window: read('interval'),
    limit: TOP_QUERY.reader({ limit })('limit'),
  };
}

const tag = (query: string) => TAG_QUERY.reader({ query })('query');
