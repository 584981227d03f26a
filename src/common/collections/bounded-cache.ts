/**
 * A map that keeps the most recently used entries, between `capacity` and twice as many, at the cost of a plain map.
 * When the young generation is full it becomes the old one, and the entries of the old one are dropped.
 *
 * @example
 * ```ts
 * import { BoundedCache } from './bounded-cache.ts';
 *
 * const decimals = new BoundedCache<string, number>(1_000);
 * decimals.set('So11111111111111111111111111111111111111112', 9);
 * ```
 */
export class BoundedCache<K, V> {
  readonly #capacity: number;
  #young = new Map<K, CacheEntry<K, V>>();
  #old = new Map<K, CacheEntry<K, V>>();

  constructor(capacity: number) {
    if (!Number.isSafeInteger(capacity) || capacity < 1) {
      throw new RangeError(`a cache needs room for at least one entry, got a capacity of ${capacity}`);
    }
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: K): V | undefined {
    return this.find(key)?.value;
  }

  /** Returns the entry with the key it was set under, which may be another string object than the one passed here. */
  find(key: K): CacheEntry<K, V> | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old === undefined) return undefined;
    this.#old.delete(key);
    this.#insert(old);
    return old;
  }

  set(key: K, value: V): CacheEntry<K, V> {
    const entry = { key, value };
    this.#insert(entry);
    return entry;
  }

  #insert(entry: CacheEntry<K, V>): void {
    if (this.#young.size >= this.#capacity && !this.#young.has(entry.key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(entry.key, entry);
  }
}

/** An entry with the key that was set. A key passed to `get` may be a slice that keeps a long text in memory. */
export interface CacheEntry<K, V> {
  readonly key: K;
  readonly value: V;
}
