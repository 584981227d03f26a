import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { Dictionary } from './dictionary.ts';
import { computeWordDistance } from '../../testing/search-reference.ts';

describe('Dictionary.near', () => {
  it('finds exactly the words within the distance of Levenshtein, the nearest first', () => {
    const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '猫'), minLength: 1, maxLength: 12 });
    const property = fc.property(
      fc.uniqueArray(words, { maxLength: 60 }),
      words,
      fc.constantFrom(1, 2),
      (list, word, errors) => {
        const found = dictionaryOf(list).near(word, errors, { ...UNBOUNDED });
        const texts = found.words.map(({ text }) => text);
        const near = list.filter((each) => computeWordDistance(each, word) <= errors);
        expect([...texts].sort()).toEqual(near.sort());
        const distances = texts.map((text) => computeWordDistance(text, word));
        expect(distances).toEqual([...distances].sort());
      },
    );
    assertProperty(property, { cases: 2_000, seed: 20_261_126, against: 'Levenshtein’s definition' });
  });

  it('looks at few nodes when thousands of words differ from a misspelt one by other letters', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
    const words = Array.from({ length: 20_000 }, (_, at) =>
      Array.from({ length: 8 }, (__, place) => letters[(at * 7_919 * (place + 1) + place * at) % 36]).join(
        '',
      ),
    );
    const budget = { nodes: 50_000 };
    const [word = ''] = words;
    const found = dictionaryOf(words).near(`${word.slice(0, 3)}q${word.slice(3)}`, 2, budget);
    expect(found.words.map(({ text }) => text)).toContain(word);
    expect(50_000 - budget.nodes).toBeLessThan(5_000);
  });

  it('stops at the end of the budget when thousands of words are as near as can be', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
    const base = 'ethereumclassic';
    const words = new Set(
      [...base].flatMap((_, one) =>
        letters.flatMap((first) =>
          letters.slice(0, 4).map((second) => {
            const other = (one * 5 + 3) % base.length;
            const copy = [...base];
            copy[one] = first;
            copy[other] = second;
            return copy.join('');
          }),
        ),
      ),
    );
    const budget = { nodes: 300 };
    const found = dictionaryOf(words).near(base, 2, budget);
    expect(budget.nodes).toBeLessThanOrEqual(0);
    expect(found.words.length).toBeLessThanOrEqual(300);
    expect(dictionaryOf(words).near(base, 2, { ...UNBOUNDED }).words.length).toBe(words.size);
  });

  it('forgets a word that was released, from both ends', () => {
    const dictionary = dictionaryOf(['dogwifhat', 'dogwifcat']);
    const term = dictionary.get('word', 'dogwifhat');
    if (term !== null) dictionary.release('word', term);
    const found = dictionary.near('dogwifhat', 2, { ...UNBOUNDED });
    expect(found.words.map(({ text }) => text)).toEqual(['dogwifcat']);
  });
});

const UNBOUNDED = { nodes: Number.POSITIVE_INFINITY };

function dictionaryOf(words: Iterable<string>): Dictionary<never> {
  const dictionary = new Dictionary<never>();
  for (const word of words) dictionary.claim('word', word);
  return dictionary;
}
