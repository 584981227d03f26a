import { foldText, toSymbolKey, splitWords } from '../tokens/search/folded-text.ts';
import type { Searchable } from '../tokens/search/text-index.ts';

/** What matches a text in one way, and is not a better match. */
export interface Tier<Item> {
  /** In the order of the ranking. */
  readonly ranked: readonly Item[];
  readonly others: ReadonlySet<Item>;
}

/** A search that compares the text with every item, by the rules that the index documents. */
export class ReferenceIndex<Item extends Searchable> {
  readonly #items = new Map<string, Item>();
  #ranked: readonly string[] = [];

  get size(): number {
    return this.#items.size;
  }

  set(id: string, item: Item): void {
    this.#items.set(id, item);
  }

  delete(id: string): void {
    this.#items.delete(id);
    this.#ranked = this.#ranked.filter((each) => each !== id);
  }

  rank(ids: readonly string[]): void {
    this.#ranked = ids.filter((id) => this.#items.has(id)).slice(0, 5_000);
  }

  /** Returns tiers of matches, the best first; those with typing errors only if nothing else matches. */
  tiers(text: string): readonly Tier<Item>[] {
    const symbol = toSymbolKey(text);
    const words = splitWords(foldText(text));
    if (symbol === '' || words.length === 0) return [];
    const exactly = this.#inTiers([
      (item) => toSymbolKey(item.symbol) === symbol,
      (item) => toSymbolKey(item.symbol).startsWith(symbol),
      (item) => isNamed(splitWords(foldText(item.name)), words),
    ]);
    if (exactly.some(({ ranked, others }) => ranked.length + others.size > 0)) return exactly;
    return this.#inTiers([
      (item) => isNear(toSymbolKey(item.symbol), symbol),
      (item) => words.every((word) => splitWords(foldText(item.name)).some((each) => isNear(each, word))),
    ]);
  }

  #inTiers(conditions: readonly ((item: Item) => boolean)[]): readonly Tier<Item>[] {
    const ranked = new Set(this.#ranked.flatMap((id) => this.#items.get(id) ?? []));
    const seen = new Set<Item>();
    return conditions.map((condition) => {
      const matches = (items: Iterable<Item>) =>
        [...items].filter((item) => !seen.has(item) && condition(item));
      const tier = {
        ranked: matches(ranked),
        others: new Set(matches(this.#items.values()).filter((item) => !ranked.has(item))),
      };
      for (const item of [...tier.ranked, ...tier.others]) seen.add(item);
      return tier;
    });
  }
}

function isNamed(name: readonly string[], words: readonly string[]): boolean {
  const last = words.at(-1) ?? '';
  return (
    words.slice(0, -1).every((word) => name.includes(word)) && name.some((word) => word.startsWith(last))
  );
}

function isNear(text: string, word: string): boolean {
  if (text === '') return false;
  return computeWordDistance(text, word) <= (word.length < 4 ? 0 : word.length < 7 ? 1 : 2);
}

/** The distance of Levenshtein. */
export function computeWordDistance(text: string, word: string): number {
  let row = Array.from({ length: word.length + 1 }, (_, at) => at);
  for (let i = 1; i <= text.length; i++) {
    const next = [i];
    for (let j = 1; j <= word.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (text[i - 1] === word[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
