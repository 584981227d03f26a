/**
 * A map with fast access to its oldest entry. Finding the first entry of a plain map takes longer the more entries were
 * deleted before it, because each new iterator skips them again. This map keeps one iterator, which skips them once.
 * Setting an existing key keeps its age.
 */
export class OldestFirst<K, V> {
  readonly #map = new Map<K, V>();
  #iterator = this.#map.keys();
  /** The iterator's current entry, unless it was deleted. All entries before it are gone. */
  #oldest: { readonly key: K } | null = null;

  get size(): number {
    return this.#map.size;
  }

  get(key: K): V | undefined {
    return this.#map.get(key);
  }

  set(key: K, value: V): void {
    this.#map.set(key, value);
  }

  delete(key: K): boolean {
    if (this.#oldest?.key === key) this.#oldest = null;
    return this.#map.delete(key);
  }

  /** Returns the oldest entry, or null when the map is empty. */
  oldest(): readonly [K, V] | null {
    if (this.#map.size === 0) return null;
    this.#oldest ??= this.#next();
    const { key } = this.#oldest;
    // The current entry always exists: `delete` clears it.
    return [key, this.#map.get(key) as V];
  }

  /** Iterates over the values, oldest first. */
  values(): IterableIterator<V> {
    return this.#map.values();
  }

  /** Iterates over the entries, oldest first. */
  entries(): IterableIterator<[K, V]> {
    return this.#map.entries();
  }

  /** Advances the iterator of a map that is not empty. An iterator that has reached the end is replaced. */
  #next(): { readonly key: K } {
    let step = this.#iterator.next();
    if (step.done === true) {
      this.#iterator = this.#map.keys();
      step = this.#iterator.next();
    }
    return { key: step.value as K };
  }
}
