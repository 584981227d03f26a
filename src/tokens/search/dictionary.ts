import SearchableMap from 'minisearch/SearchableMap';
import { type NodeBudget, findNear, reverseText, type TreeNode } from './near-terms.ts';

/** An item as it is indexed. */
export interface DictionaryEntry<Item> {
  readonly item: Item;
  /** Null if the symbol has neither letters nor digits. */
  readonly symbol: Term<Item> | null;
  /** The words of the name, each once. */
  readonly words: readonly Term<Item>[];
  /** The place in the ranking, from 0; -1 for an item without one. */
  position: number;
}

/** A folded symbol, or a folded word of a name. All entries that have it share it. */
export interface Term<Item> {
  readonly text: string;
  readonly entries: Set<DictionaryEntry<Item>>;
  /** Those of the entries that have a place in the ranking, in any order. */
  ranked: DictionaryEntry<Item>[];
}

type TermUse = 'symbol' | 'word';

/** A text can be the symbol of some items, and a word in the names of others. */
interface TermUses<Item> {
  symbol: Term<Item> | null;
  word: Term<Item> | null;
}

/** Terms that a misspelt word may mean. */
export interface NearTerms<Item> {
  readonly symbols: readonly Term<Item>[];
  readonly words: readonly Term<Item>[];
}

/** How many texts are looked at for those that begin with a prefix. */
const MAX_BEGINNINGS = 2_000;

/** All symbols and words of indexed items: found by their text, by its beginning, or with typing errors. */
export class Dictionary<Item> {
  readonly #forwards = new Tree<TermUses<Item>>();
  readonly #backwards = new Tree<TermUses<Item>>();

  get(use: TermUse, text: string): Term<Item> | null {
    return this.#forwards.map.get(text)?.[use] ?? null;
  }

  /** Returns the term, a new one if there is none yet. It must be released when no entry has it any more. */
  claim(use: TermUse, text: string): Term<Item> {
    let uses = this.#forwards.map.get(text);
    if (uses === undefined) {
      uses = { symbol: null, word: null };
      this.#forwards.map.set(text, uses);
      this.#backwards.map.set(reverseText(text), uses);
    }
    uses[use] ??= { text, entries: new Set(), ranked: [] };
    return uses[use];
  }

  release(use: TermUse, { text }: Term<Item>): void {
    const uses = this.#forwards.map.get(text);
    if (uses === undefined) return;
    uses[use] = null;
    if (uses.symbol !== null || uses.word !== null) return;
    this.#forwards.map.delete(text);
    this.#backwards.map.delete(reverseText(text));
  }

  /** Yields terms that begin with the prefix, in any order; not all of them if there are thousands. */
  *beginningWith(use: TermUse, prefix: string): Iterable<Term<Item>> {
    let looked = 0;
    for (const uses of this.#forwards.map.atPrefix(prefix).values()) {
      if (uses[use] !== null) yield uses[use];
      if (++looked === MAX_BEGINNINGS) return;
    }
  }

  /** Returns the terms with at most so many typing errors, the nearest first, as far as the budget goes. */
  near(word: string, errors: number, budget: NodeBudget): NearTerms<Item> {
    const trees = { forwards: this.#forwards.root, backwards: this.#backwards.root };
    const found = [...findNear(trees, word, errors, budget)];
    const nearest = found.sort(([, one], [, other]) => one - other).map(([uses]) => uses);
    return {
      symbols: nearest.flatMap(({ symbol }) => symbol ?? []),
      words: nearest.flatMap(({ word: term }) => term ?? []),
    };
  }
}

/** A radix tree whose nodes can be walked. The library keeps the root that it is given. */
class Tree<Value> {
  readonly root: TreeNode<Value> = new Map();
  readonly map = new SearchableMap<Value>(this.root as ConstructorParameters<typeof SearchableMap<Value>>[0]);
}
