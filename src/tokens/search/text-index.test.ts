import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { foldText, hasLookalikes, toSymbolKey } from './folded-text.ts';
import { TextIndex } from './text-index.ts';

describe('foldText', () => {
  it('makes texts equal that look alike', () => {
    for (const text of ['USDC', 'usdc', 'ＵＳＤＣ', 'USDС', 'UЅDC', 'US\u200bDC', 'U\u0301SDC', '𝐔𝐒𝐃𝐂'])
      expect(toSymbolKey(text), text).toBe('usdc');
    expect(foldText('Ρерe')).toBe('pepe');
  });

  it('knows which texts only look Latin', () => {
    expect(hasLookalikes('USDС')).toBe(true);
    expect(hasLookalikes('ＵＳＤＣ')).toBe(true);
    expect(hasLookalikes('USDC')).toBe(false);
    expect(hasLookalikes('猫')).toBe(false);
  });
});

describe('TextIndex.search', () => {
  it('returns exact symbols first, then beginnings of symbols, then words of names', () => {
    expect(tokens.search('wif', 20).map(({ name }) => name)).toEqual([
      'dogwifhat',
      'not the hat',
      'Wireless money',
      'Wif the dog',
    ]);
    expect(symbolsOf(tokens.search('$JUP', 1))).toEqual(['JUP']);
  });

  it('finds names by several words, of which the last may be a beginning', () => {
    expect(symbolsOf(tokens.search('jupiter sta', 20))).toEqual(['JUPSOL']);
    expect(symbolsOf(tokens.search('staked jupiter', 20))).toEqual(['JUPSOL']);
    expect(tokens.search('jupiter money', 20)).toEqual([]);
  });

  it('tolerates typing errors when nothing else is found', () => {
    expect(symbolsOf(tokens.search('jupitre', 20))).toContain('JUP');
    expect(symbolsOf(tokens.search('dogwfihat', 20))).toEqual(['WIF']);
    expect(tokens.search('xyzzy', 20)).toEqual([]);
  });

  it('returns nothing for a text without letters', () => {
    for (const text of ['', ' ', '$', '\u200b', ',.;']) expect(tokens.search(text, 20)).toEqual([]);
  });

  it('finds a token by its new texts only, once they changed', () => {
    const index = indexOf([item('OLD', 'old name')]);
    index.set('0', item('NEW', 'other name'));
    expect(index.search('old', 20)).toEqual([]);
    expect(symbolsOf(index.search('name', 20))).toEqual(['NEW']);
    index.delete('0');
    expect(index.search('new', 20)).toEqual([]);
    expect(index.size).toBe(0);
  });

  it('puts what is ranked before thousands of imitations, in bounded time', () => {
    const imitations = Array.from({ length: 20_000 }, (_, at) => item('USDC', `USD Coin ${at}`));
    const index = indexOf([...imitations, item('USDC', 'USD Coin', 100), item('USDCE', 'bridged', 50)]);
    for (const text of ['usdc', 'USDС', 'usd', 'u', 'usd coin']) {
      const found = index.search(text, 20);
      expect(found[0], text).toMatchObject({ name: 'USD Coin', rank: 100 });
      expect(found.length, text).toBe(20);
    }
  });

  it('finds every item by its symbol, whatever else is indexed', () => {
    const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    const items = fc.array(fc.record({ symbol: texts, name: texts, rank: fc.nat(5) }), {
      minLength: 1,
      maxLength: 40,
    });
    const property = fc.property(items, (list) => {
      const index = indexOf(list);
      for (const each of list) {
        const found = index.search(each.symbol, list.length);
        if (toSymbolKey(each.symbol) !== '') expect(found).toContain(each);
        expect(new Set(found).size).toBe(found.length);
      }
    });
    assertProperty(property, { cases: 200, seed: 20_261_123 });
  });

  const tokens = indexOf([
    item('WIF', 'dogwifhat', 3),
    item('WIFI', 'Wireless money', 2),
    item('JUP', 'Jupiter', 9),
    item('JUPSOL', 'Jupiter Staked SOL', 5),
    item('WIF', 'not the hat', 1),
    item('DOG', 'Wif the dog'),
  ]);
});

interface Item {
  readonly symbol: string;
  readonly name: string;
  rank: number;
}

const item = (symbol: string, name: string, rank = 0): Item => ({ symbol, name, rank });

function indexOf(items: readonly Item[]): TextIndex<Item> {
  const index = new TextIndex<Item>();
  for (const [at, each] of items.entries()) index.set(String(at), each);
  const ranked = [...items.entries()].filter(([, { rank }]) => rank > 0);
  ranked.sort(([, one], [, other]) => other.rank - one.rank);
  index.rank(ranked.map(([at]) => String(at)));
  return index;
}

const symbolsOf = (items: readonly Item[]) => items.map(({ symbol }) => symbol);
