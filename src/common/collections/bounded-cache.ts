/**
 * A map that keeps between `capacity` and twice as many of the entries used last, at the price of a plain map:
 * when the younger half is full it becomes the older half, and what the older half held is forgotten.
 */
export class BoundedCache<K, V> {
  readonly #capacity: number;
  #young = new Map<K, Entry<K, V>>();
  #old = new Map<K, Entry<K, V>>();

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

  /** The value with the key that it was set under, which may be another object than an equal one passed here. */
  find(key: K): Entry<K, V> | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old === undefined) return undefined;
    this.#old.delete(key);
    this.#insert(old);
    return old;
  }

  set(key: K, value: V): Entry<K, V> {
    const entry = { key, value };
    this.#insert(entry);
    return entry;
  }

  #insert(entry: Entry<K, V>): void {
    if (this.#young.size >= this.#capacity && !this.#young.has(entry.key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(entry.key, entry);
  }
}

/** Holds the key that was set: one passed to `get` may be a slice of a long text, which keeping it would keep. */
export interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
}
