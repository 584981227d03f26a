import { Dictionary, type DictionaryEntry, type NearTerms, type Term } from './dictionary.ts';
import { foldText, toSymbolKey, splitWords } from './folded-text.ts';
import type { NodeBudget } from './near-terms.ts';
import { MAX_RANKED, RankedEntries } from './ranked-entries.ts';

/** What a text search finds. The index changes its fields; the ranking changes `rank`. */
export interface Searchable {
  /** The higher, the earlier among equally good matches. Zero: there is nothing to rank it by. */
  readonly rank: number;
  readonly symbol: string;
  readonly name: string;
}

/** One way in which items can match. */
interface Criterion<Item> {
  /** A ranked entry matches if it has at least one term of each group. */
  readonly groups: readonly (readonly Term<Item>[])[];
  /** Terms of which every matching entry has at least one. */
  readonly terms: Iterable<Term<Item>>;
  /** Whether an entry with one of the terms matches; absent if all of them do. */
  readonly matches?: (entry: DictionaryEntry<Item>) => boolean;
}

/** How many entries a search looks at beside the ranked ones, for each criterion. */
const MAX_COLLECTED = 500;
/** How many nodes of the dictionary a search may look at for typing errors. */
const MAX_NODES = 30_000;
/** A shorter word is not searched with typing errors. */
const MIN_FUZZY = 4;
/** From this length on, a word may have two typing errors. */
const MIN_TWO_ERRORS = 7;

/**
 * Finds items by their symbol, the beginning of it, or words of their name, with typing errors.
 *
 * Ranked items come first, in their order, and all that match are found. The others are looked at until 500 have been
 * seen, so they can crowd out only each other, and the time of a search is bounded whatever was indexed.
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
  readonly #entries = new Map<string, DictionaryEntry<Item>>();
  readonly #dictionary = new Dictionary<Item>();
  readonly #ranked = new RankedEntries<Item>();

  get size(): number {
    return this.#entries.size;
  }

  /** Indexes an item, or indexes it again with other texts. It keeps its place in the ranking. */
  set(id: string, item: Item): void {
    const position = this.#entries.get(id)?.position ?? -1;
    this.delete(id);
    const symbol = toSymbolKey(item.symbol);
    const words = new Set(splitWords(foldText(item.name)));
    const entry: DictionaryEntry<Item> = {
      item,
      symbol: symbol === '' ? null : this.#dictionary.claim('symbol', symbol),
      words: [...words].map((word) => this.#dictionary.claim('word', word)),
      position: -1,
    };
    this.#entries.set(id, entry);
    entry.symbol?.entries.add(entry);
    for (const word of entry.words) word.entries.add(entry);
    if (position >= 0) this.#ranked.put(position, entry);
  }

  delete(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    if (entry.position >= 0) this.#ranked.delete(entry);
    if (entry.symbol !== null) this.#release('symbol', entry.symbol, entry);
    for (const word of entry.words) this.#release('word', word, entry);
  }

  /** Replaces the ranking. `ids` come best first; those after the first 5,000 are left out. */
  rank(ids: Iterable<string>): void {
    const ranked: DictionaryEntry<Item>[] = [];
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry !== undefined) ranked.push(entry);
      if (ranked.length === MAX_RANKED) break;
    }
    this.#ranked.replace(ranked);
  }

  /** Whether an item has this symbol, or one that looks like it, and is accepted. */
  someWithSymbol(symbol: string, accepts: (item: Item) => boolean): boolean {
    for (const { item } of this.#dictionary.get('symbol', toSymbolKey(symbol))?.entries ?? [])
      if (accepts(item)) return true;
    return false;
  }

  /**
   * Finds items by the exact symbol, then by the beginning of the symbol, then by words of the name, the last of which
   * may be a beginning. Typing errors are tolerated if that finds nothing.
   *
   * @param text - Should be bounded by the caller.
   * @returns at most `limit`, the best first
   */
  search(text: string, limit: number): readonly Item[] {
    const symbol = toSymbolKey(text);
    const words = splitWords(foldText(text));
    const found = new Set<Item>();
    if (symbol === '' || words.length === 0) return [];
    for (const criterion of this.#criteria(symbol, words)) {
      this.#take(criterion, found, limit);
      if (found.size >= limit) return [...found];
    }
    if (found.size > 0) return [...found];
    for (const criterion of this.#misspelt(symbol, words)) this.#take(criterion, found, limit);
    return [...found];
  }

  *#criteria(symbol: string, words: readonly string[]): Iterable<Criterion<Item>> {
    const exact = this.#dictionary.get('symbol', symbol);
    if (exact !== null) yield { groups: [[exact]], terms: [exact] };
    yield {
      groups: [this.#ranked.symbolsBeginningWith(symbol)],
      terms: this.#dictionary.beginningWith('symbol', symbol),
    };
    const named = this.#named(words);
    if (named !== null) yield named;
  }

  /** All words but the last must be words of the name, and the last one must begin one. */
  #named(words: readonly string[]): Criterion<Item> | null {
    const last = words.at(-1) ?? '';
    const whole: Term<Item>[] = [];
    for (const word of words.slice(0, -1)) {
      const term = this.#dictionary.get('word', word);
      if (term === null) return null;
      whole.push(term);
    }
    const [rarest] = [...whole].sort((one, other) => one.entries.size - other.entries.size);
    return {
      groups: [...whole.map((term) => [term]), this.#ranked.wordsBeginningWith(last)],
      terms: rarest === undefined ? this.#dictionary.beginningWith('word', last) : [rarest],
      matches: ({ words: name }) =>
        whole.every((term) => name.includes(term)) && name.some((term) => term.text.startsWith(last)),
    };
  }

  *#misspelt(symbol: string, words: readonly string[]): Iterable<Criterion<Item>> {
    const budget = { nodes: MAX_NODES };
    const near = this.#near(symbol, budget);
    yield { groups: [near.symbols], terms: near.symbols };
    const groups: (readonly Term<Item>[])[] = [];
    // Short words are looked up without errors, and the longest word tells most.
    for (const word of [...words].sort((one, other) => one.length - other.length)) {
      const { words: terms } = word === symbol ? near : this.#near(word, budget);
      if (terms.length === 0) return;
      groups.push(terms);
    }
    const sets = groups.map((terms) => new Set(terms));
    yield {
      groups,
      terms: groups.at(-1) ?? [],
      matches: ({ words: name }) => sets.every((terms) => name.some((term) => terms.has(term))),
    };
  }

  /** The terms that a misspelt word may mean, the nearest first. */
  #near(word: string, budget: NodeBudget): NearTerms<Item> {
    if (word.length >= MIN_FUZZY)
      return this.#dictionary.near(word, word.length < MIN_TWO_ERRORS ? 1 : 2, budget);
    const [symbol, term] = [this.#dictionary.get('symbol', word), this.#dictionary.get('word', word)];
    return { symbols: symbol === null ? [] : [symbol], words: term === null ? [] : [term] };
  }

  /** Adds the best matches to what is found. */
  #take({ groups, terms, matches }: Criterion<Item>, found: Set<Item>, limit: number): void {
    this.#ranked.find(groups, found, limit);
    if (found.size >= limit) return;
    const others: Item[] = [];
    let looked = 0;
    outer: for (const { entries } of terms) {
      for (const entry of entries) {
        if (looked++ === MAX_COLLECTED) break outer;
        const isNew = entry.position < 0 && !found.has(entry.item);
        if (isNew && (matches === undefined || matches(entry))) others.push(entry.item);
      }
    }
    others.sort((one, other) => other.rank - one.rank);
    // An entry with several of the terms is among them several times.
    for (const item of others) {
      if (found.size >= limit) return;
      found.add(item);
    }
  }

  #release(use: 'symbol' | 'word', term: Term<Item>, entry: DictionaryEntry<Item>): void {
    term.entries.delete(entry);
    if (term.entries.size === 0) this.#dictionary.release(use, term);
  }
}
