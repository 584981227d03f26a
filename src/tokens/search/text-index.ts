import SearchableMap from 'minisearch/SearchableMap';
import { foldText, symbolKey, wordsOf } from './folded-text.ts';

/** What a text search finds. The index changes its fields; the ranking changes `rank`. */
export interface Searchable {
  /** The higher, the earlier among equally good matches. Zero: there is nothing to rank it by. */
  readonly rank: number;
  readonly symbol: string;
  readonly name: string;
}

interface Entry<Item> {
  readonly item: Item;
  /** Folded, as one word. */
  readonly symbol: string;
  /** The folded words of the name, with a space before and after each. */
  readonly words: string;
}

/** The entries with one term. */
type Postings<Item> = Set<Entry<Item>>;

/**
 * How many entries a match may have before the best of them are searched in the ranked list instead. It bounds the time
 * of one search.
 */
const MAX_COLLECTED = 500;
/** How many of the best items a search looks through. */
export const MAX_RANKED = 5_000;
/** How many terms near a misspelt word are looked at. */
const MAX_TERMS = 200;
/** A shorter word is not searched with typing errors. */
const MIN_FUZZY = 4;
/** From this length on, a word may have two typing errors. */
const MIN_TWO_ERRORS = 7;

/**
 * Finds items by their symbol, the beginning of it, or words of their name, with typing errors.
 *
 * The time of a search is bounded, whatever was indexed: a match with few items collects them all, and a match with
 * many is looked for in the list of ranked items, where it is found soon because it is frequent. Items without a rank
 * can crowd out only each other.
 *
 * @example
 * ```ts
 * import { TextIndex } from './text-index.ts';
 *
 * const index = new TextIndex<{ symbol: string; name: string; rank: number }>();
 * index.set('a', { symbol: 'WIF', name: 'dogwifhat', rank: 1 });
 * index.search('dogwfihat', 20); // [{ symbol: 'WIF', ... }]
 * ```
 */
export class TextIndex<Item extends Searchable> {
  readonly #entries = new Map<string, Entry<Item>>();
  readonly #symbols = new SearchableMap<Postings<Item>>();
  readonly #words = new SearchableMap<Postings<Item>>();
  /** Items with a rank, the best first. */
  #ranked: readonly Entry<Item>[] = [];

  get size(): number {
    return this.#entries.size;
  }

  /** Indexes an item, or indexes it again with other texts. */
  set(id: string, item: Item): void {
    this.delete(id);
    const words = new Set(wordsOf(foldText(item.name)));
    const entry = { item, symbol: symbolKey(item.symbol), words: ` ${[...words].join(' ')} ` };
    this.#entries.set(id, entry);
    if (entry.symbol !== '') add(this.#symbols, entry.symbol, entry);
    for (const word of words) add(this.#words, word, entry);
  }

  delete(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    if (entry.symbol !== '') remove(this.#symbols, entry.symbol, entry);
    for (const word of eachWord(entry)) remove(this.#words, word, entry);
  }

  /** Replaces the list of ranked items. `ids` come best first; those after the first 5,000 are left out. */
  rank(ids: Iterable<string>): void {
    const ranked: Entry<Item>[] = [];
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry !== undefined) ranked.push(entry);
      if (ranked.length === MAX_RANKED) break;
    }
    this.#ranked = ranked;
  }

  /** Whether an item has this symbol, or one that looks like it, and is accepted. */
  someWithSymbol(symbol: string, accepts: (item: Item) => boolean): boolean {
    for (const { item } of this.#symbols.get(symbolKey(symbol)) ?? []) if (accepts(item)) return true;
    return false;
  }

  /**
   * Finds items by the exact symbol, then by the beginning of the symbol, then by words of the name, the last of which
   * may be a beginning. Typing errors are tolerated if that finds too few.
   *
   * @param text - Should be bounded by the caller.
   * @returns at most `limit`, the best first
   */
  search(text: string, limit: number): readonly Item[] {
    const folded = foldText(text);
    const symbol = symbolKey(text);
    const words = wordsOf(folded);
    const last = words.at(-1);
    if (symbol === '' || last === undefined) return [];
    const found = new Set<Item>();
    const take = (groups: Iterable<Postings<Item>>, matches: (entry: Entry<Item>) => boolean) => {
      if (found.size < limit) this.#take(found, limit, groups, matches);
    };
    const exact = this.#symbols.get(symbol);
    if (exact !== undefined) take([exact], (entry) => entry.symbol === symbol);
    take(prefixed(this.#symbols, symbol), (entry) => entry.symbol.startsWith(symbol));
    const rare = this.#rarest(words.slice(0, -1));
    // All words but the last must be words of the name, and the last one must begin one.
    const whole = words.slice(0, -1).map((word) => ` ${word} `);
    const beginning = ` ${last}`;
    const named = ({ words: name }: Entry<Item>) =>
      name.includes(beginning) && whole.every((word) => name.includes(word));
    take(rare === null ? prefixed(this.#words, last) : [rare], named);
    if (found.size === 0) this.#takeMisspelt(take, symbol, words);
    return [...found];
  }

  #takeMisspelt(
    take: (groups: Iterable<Postings<Item>>, matches: (entry: Entry<Item>) => boolean) => void,
    symbol: string,
    words: readonly string[],
  ): void {
    const symbols = similar(this.#symbols, symbol);
    take(symbols.values(), (entry) => symbols.has(entry.symbol));
    const near = words.map((word) => similar(this.#words, word));
    const [first] = near;
    if (first === undefined) return;
    take(first.values(), (entry) => near.every((terms) => eachWord(entry).some((word) => terms.has(word))));
  }

  /** @returns the smallest postings of the words; null if there are no words */
  #rarest(words: readonly string[]): Postings<Item> | null {
    let rarest: Postings<Item> | null = null;
    for (const word of words) {
      const postings = this.#words.get(word) ?? new Set<Entry<Item>>();
      if (rarest === null || postings.size < rarest.size) rarest = postings;
    }
    return rarest;
  }

  /** Adds the best matches of the groups to what is found. */
  #take(
    found: Set<Item>,
    limit: number,
    groups: Iterable<Postings<Item>>,
    matches: (entry: Entry<Item>) => boolean,
  ): void {
    const collected: Item[] = [];
    let looked = 0;
    let complete = true;
    outer: for (const postings of groups) {
      for (const entry of postings) {
        if (looked++ === MAX_COLLECTED) {
          complete = false;
          break outer;
        }
        if (!found.has(entry.item) && matches(entry)) collected.push(entry.item);
      }
    }
    if (!complete) {
      for (const entry of this.#ranked) {
        if (found.size >= limit) return;
        if (matches(entry)) found.add(entry.item);
      }
    }
    if (found.size >= limit) return;
    collected.sort((one, other) => other.rank - one.rank);
    for (const item of collected) {
      if (found.size >= limit) return;
      found.add(item);
    }
  }
}

function add<Item>(map: SearchableMap<Postings<Item>>, term: string, entry: Entry<Item>): void {
  const postings = map.get(term);
  if (postings === undefined) map.set(term, new Set([entry]));
  else postings.add(entry);
}

function remove<Item>(map: SearchableMap<Postings<Item>>, term: string, entry: Entry<Item>): void {
  const postings = map.get(term);
  if (postings?.delete(entry) && postings.size === 0) map.delete(term);
}

/** The postings of terms that begin with the prefix. */
function* prefixed<Item>(map: SearchableMap<Postings<Item>>, prefix: string): Iterable<Postings<Item>> {
  for (const [, postings] of map.atPrefix(prefix)) yield postings;
}

/** The postings of terms that differ from the word by one or two typing errors, the nearest first. */
function similar<Item>(map: SearchableMap<Postings<Item>>, word: string): Map<string, Postings<Item>> {
  if (word.length < MIN_FUZZY) {
    const exact = map.get(word);
    return new Map(exact === undefined ? [] : [[word, exact]]);
  }
  const near = map.fuzzyGet(word, word.length < MIN_TWO_ERRORS ? 1 : 2);
  const terms = [...near].sort(([, [, one]], [, [, other]]) => one - other).slice(0, MAX_TERMS);
  return new Map(terms.map(([term, [postings]]) => [term, postings]));
}

function eachWord<Item>({ words }: Entry<Item>): readonly string[] {
  return words.split(' ').filter((word) => word !== '');
}
