/** Sets by key. Empty sets are removed. */
export class KeyedSets<K, V> {
  readonly #sets = new Map<K, Set<V>>();

  get isEmpty(): boolean {
    return this.#sets.size === 0;
  }

  /** Iterates over the members of a set. They may be removed during the iteration. */
  get(key: K): Iterable<V> {
    return this.#sets.get(key) ?? [];
  }

  /** Adds a member, and returns a function that removes it. */
  add(key: K, value: V): () => void {
    const set = this.#sets.get(key) ?? new Set();
    this.#sets.set(key, set.add(value));
    return () => {
      set.delete(value);
      if (set.size === 0) this.#sets.delete(key);
    };
  }
}
