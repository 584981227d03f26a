import type { DictionaryEntry, Term } from './dictionary.ts';

/** How many of the best items have a place in the ranking. */
export const MAX_RANKED = 5_000;

/**
 * The best items, found by their terms and returned in their order. The time of a search depends on how many of them
 * have the terms, and not on what else is indexed.
 */
export class RankedEntries<Item> {
  /** Null where an item was deleted since the ranking. */
  #entries: (DictionaryEntry<Item> | null)[] = [];
  readonly #symbols = new SortedTerms<Item>(({ symbol }) => (symbol === null ? [] : [symbol]));
  readonly #words = new SortedTerms<Item>(({ words }) => words);
  /** For each place in the ranking: of how many groups of terms a search has found one. */
  readonly #marks = new Uint8Array(MAX_RANKED);

  /**
   * Replaces the ranking. Only entries that come or go cost more than an assignment.
   *
   * @param entries - At most 5,000, the best first.
   */
  replace(entries: readonly DictionaryEntry<Item>[]): void {
    const came = entries.filter(({ position }) => position < 0);
    const before = this.#entries.filter((entry) => entry !== null);
    for (const entry of before) entry.position = -1;
    entries.forEach((entry, position) => {
      entry.position = position;
    });
    this.#entries = [...entries];
    this.#leave(before.filter(({ position }) => position < 0));
    this.#enter(came);
  }

  /** Gives a deleted entry's place to another one. */
  put(position: number, entry: DictionaryEntry<Item>): void {
    this.#entries[position] = entry;
    entry.position = position;
    this.#enter([entry]);
  }

  delete(entry: DictionaryEntry<Item>): void {
    this.#entries[entry.position] = null;
    entry.position = -1;
    this.#leave([entry]);
  }

  symbolsBeginningWith(prefix: string): readonly Term<Item>[] {
    return this.#symbols.beginningWith(prefix);
  }

  wordsBeginningWith(prefix: string): readonly Term<Item>[] {
    return this.#words.beginningWith(prefix);
  }

  /** Adds the best items that have at least one term of each group to what is found, until `limit` are found. */
  find(groups: readonly (readonly Term<Item>[])[], found: Set<Item>, limit: number): void {
    const marks = this.#marks.fill(0);
    for (const [group, terms] of groups.entries()) {
      let marked = 0;
      for (const { ranked } of terms) {
        for (const { position } of ranked) {
          if (marks[position] !== group) continue;
          marks[position] = group + 1;
          marked++;
        }
      }
      if (marked === 0) return;
    }
    let position = marks.indexOf(groups.length);
    while (position >= 0 && found.size < limit) {
      const entry = this.#entries[position];
      if (entry !== null && entry !== undefined) found.add(entry.item);
      position = marks.indexOf(groups.length, position + 1);
    }
  }

  #enter(entries: readonly DictionaryEntry<Item>[]): void {
    this.#symbols.add(entries);
    this.#words.add(entries);
  }

  #leave(entries: readonly DictionaryEntry<Item>[]): void {
    this.#symbols.remove(entries);
    this.#words.remove(entries);
  }
}

/** The terms of the ranked entries, sorted by their texts. */
class SortedTerms<Item> {
  readonly #termsOf: (entry: DictionaryEntry<Item>) => readonly Term<Item>[];
  #terms: Term<Item>[] = [];

  constructor(termsOf: (entry: DictionaryEntry<Item>) => readonly Term<Item>[]) {
    this.#termsOf = termsOf;
  }

  add(entries: readonly DictionaryEntry<Item>[]): void {
    const added: Term<Item>[] = [];
    for (const entry of entries) {
      for (const term of this.#termsOf(entry)) {
        if (term.ranked.length === 0) added.push(term);
        term.ranked.push(entry);
      }
    }
    if (this.#areMany(added)) {
      this.#terms.push(...added);
      this.#terms.sort((one, other) => (one.text < other.text ? -1 : 1));
    } else {
      for (const term of added) this.#terms.splice(this.#placeOf(term), 0, term);
    }
  }

  remove(entries: readonly DictionaryEntry<Item>[]): void {
    const removed = new Set(entries);
    const emptied: Term<Item>[] = [];
    for (const term of new Set(entries.flatMap(this.#termsOf))) {
      term.ranked = term.ranked.filter((entry) => !removed.has(entry));
      if (term.ranked.length === 0) emptied.push(term);
    }
    if (this.#areMany(emptied)) this.#terms = this.#terms.filter(({ ranked }) => ranked.length > 0);
    else for (const term of emptied) this.#terms.splice(this.#placeOf(term), 1);
  }

  /** Whether it is cheaper to go through all terms once than to find the place of each of these. */
  #areMany(terms: readonly Term<Item>[]): boolean {
    return terms.length > this.#terms.length / 20;
  }

  #placeOf({ text }: Term<Item>): number {
    return this.#firstWhere((other) => other >= text);
  }

  beginningWith(prefix: string): readonly Term<Item>[] {
    const from = this.#firstWhere((text) => text >= prefix);
    const to = this.#firstWhere((text) => text > prefix && !text.startsWith(prefix));
    return this.#terms.slice(from, to);
  }

  /** Binary search for the first term from which on the condition is true. */
  #firstWhere(condition: (text: string) => boolean): number {
    let [from, to] = [0, this.#terms.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (condition(this.#terms[middle]?.text ?? '')) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}
