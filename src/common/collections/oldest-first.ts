/**
 * A map that knows its oldest entry at once. A plain map takes longer the more of its first entries were deleted,
 * because to find the first that is left it goes over them; one walk that goes on where it stood does so once.
 * Setting a key that is there keeps its age.
 */
export class OldestFirst<K, V> {
  readonly #map = new Map<K, V>();
  #walk = this.#map.keys();
  /** Where the walk stands, if that entry is still there: all before it are gone. */
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

  /** Null when there is none. */
  oldest(): readonly [K, V] | null {
    if (this.#map.size === 0) return null;
    this.#oldest ??= this.#next();
    const { key } = this.#oldest;
    // The walk never stands at an entry that is gone.
    return [key, this.#map.get(key) as V];
  }

  /** The oldest first. */
  values(): IterableIterator<V> {
    return this.#map.values();
  }

  /** The oldest first. */
  entries(): IterableIterator<[K, V]> {
    return this.#map.entries();
  }

  /** Of a map with entries. A walk that once came to the end stays there. */
  #next(): { readonly key: K } {
    let step = this.#walk.next();
    if (step.done === true) {
      this.#walk = this.#map.keys();
      step = this.#walk.next();
    }
    return { key: step.value as K };
  }
}
