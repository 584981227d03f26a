import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { ReferenceIndex, type Tier } from '../../testing/search-reference.ts';
import { TextIndex } from './text-index.ts';

describe('TextIndex compared with a search through all items', () => {
  it('finds the same while items change, are deleted, and are ranked', () => {
    const property = fc.property(fc.array(step, { minLength: 30, maxLength: 120 }), (steps) => {
      const both = new Both();
      for (const take of steps) take(both);
    });
    assertProperty(property, {
      cases: 150,
      short: 50,
      seed: 20_261_126,
      against: 'a search through all items',
    });
  });

  it('finds all ranked items, in their order, among thousands with the same words', () => {
    const large = fc.record({
      items: fc.array(item, { minLength: 40, maxLength: 80 }),
      texts: fc.array(words, { minLength: 3, maxLength: 6 }),
      ranked: fc.uniqueArray(fc.nat(3_999), { minLength: 100, maxLength: 400 }),
    });
    const property = fc.property(large, ({ items, texts, ranked }) => {
      const both = new Both();
      for (let at = 0; at < 4_000; at++) {
        const [one, other] = [items[at % items.length], items[(at * 7) % items.length]];
        if (one === undefined || other === undefined) continue;
        both.set({ id: String(at), symbol: one.symbol, name: `${other.name} ${one.name}`, rank: at % 3 });
      }
      both.rank(ranked.map(String));
      for (const gone of ranked.slice(0, 10)) both.delete(String(gone));
      both.rank([...ranked.slice(20, 60), ...ranked.slice(0, 20), ...ranked.slice(80)].map(String));
      for (const each of ranked.slice(30, 35))
        both.set({ id: String(each), symbol: 'abc', name: 'abcabc ab', rank: 0 });
      for (const text of [...texts, 'a', 'ab', 'abc', 'abcabc a', 'abcbabc']) both.compare(text, 20);
    });
    assertProperty(property, { cases: 6, short: 3, seed: 20_261_127, against: 'a search through all items' });
  });
});

interface Item {
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
  readonly rank: number;
}

/** So many matches without a place in the ranking are all found, however they are distributed. */
const ALL_FOUND = 500;

/** The index and the reference, which both take every change. */
class Both {
  readonly index = new TextIndex<Item>();
  readonly reference = new ReferenceIndex<Item>();

  set(item: Item): void {
    this.index.set(item.id, item);
    this.reference.set(item.id, item);
  }

  delete(id: string): void {
    this.index.delete(id);
    this.reference.delete(id);
  }

  rank(ids: readonly string[]): void {
    this.index.rank(ids);
    this.reference.rank(ids);
  }

  /** Expects that a search finds what the reference finds, in an order that the reference permits. */
  compare(text: string, limit: number): void {
    const found = this.index.search(text, limit);
    expect(new Set(found).size, text).toBe(found.length);
    let from = 0;
    for (const tier of this.reference.tiers(text))
      from += this.#compareTier(found.slice(from), tier, limit - from);
    expect(found.slice(from), text).toEqual([]);
  }

  /** Returns how many of the items at the beginning of `found` are of the tier. */
  #compareTier(found: readonly Item[], { ranked, others }: Tier<Item>, room: number): number {
    const first = ranked.slice(0, room);
    expect(found.slice(0, first.length)).toEqual(first);
    const rest = found.slice(first.length);
    const end = rest.findIndex((item) => !others.has(item));
    const ranks = rest.slice(0, end < 0 ? rest.length : end).map(({ rank }) => rank);
    const best = [...others].map(({ rank }) => rank).sort(descending);
    if (this.reference.size <= ALL_FOUND) expect(ranks).toEqual(best.slice(0, room - first.length));
    else expect(ranks).toEqual([...ranks].sort(descending));
    return first.length + ranks.length;
  }
}

const descending = (one: number, other: number) => other - one;

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 9 });
/** Some words are frequent, so that several of them are often in one name. */
const frequent = fc.constantFrom('a', 'b', 'ab', 'cab', 'abcabc', 'bcabcab', 'cabbage');
const words = fc.array(fc.oneof(word, frequent, frequent), { maxLength: 5 }).map((list) => list.join(' '));
const id = fc.nat(40).map(String);
const item = fc.record({ id, symbol: words, name: words, rank: fc.nat(5) });
/** One step of a test. */
const step = fc.oneof(
  { weight: 6, arbitrary: item.map((each) => (both: Both) => both.set(each)) },
  { weight: 1, arbitrary: id.map((each) => (both: Both) => both.delete(each)) },
  { weight: 1, arbitrary: fc.uniqueArray(id).map((ids) => (both: Both) => both.rank(ids)) },
  {
    weight: 4,
    arbitrary: fc.tuple(words, fc.integer({ min: 1, max: 30 })).map(
      ([text, limit]) =>
        (both: Both) =>
          both.compare(text, limit),
    ),
  },
);
