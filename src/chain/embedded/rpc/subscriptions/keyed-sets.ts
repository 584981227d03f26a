/** Sets by key, each of which lasts as long as it has a member. */
export class KeyedSets<K, V> {
  readonly #sets = new Map<K, Set<V>>();

  get isEmpty(): boolean {
    return this.#sets.size === 0;
  }

  /** Members may be removed while going over them. */
  get(key: K): Iterable<V> {
    return this.#sets.get(key) ?? [];
  }

  /** Returns the way to remove it again. */
  add(key: K, value: V): () => void {
    const set = this.#sets.get(key) ?? new Set();
    this.#sets.set(key, set.add(value));
    return () => {
      set.delete(value);
      if (set.size === 0) this.#sets.delete(key);
    };
  }
}
