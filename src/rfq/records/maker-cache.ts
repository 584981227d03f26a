import type { Store } from '../../store/index.ts';
import { makers } from './maker-tables.ts';
import { type RegisteredMaker, parseMakerRow } from './maker-registry.ts';

/** What a refresh changed: the makers whose key was replaced. */
export interface MakersRefreshed {
  readonly records: readonly RegisteredMaker[];
  readonly rotated: readonly string[];
}

/** Holds every maker with the hash of its key in memory, so that no call waits for the database. */
export class MakerCache {
  readonly #store: Store;
  readonly #hashPossibleKey: (key: string) => string | null;
  #byHash: ReadonlyMap<string, RegisteredMaker> = new Map();
  #hashes: ReadonlyMap<string, string> = new Map();

  /** @param hashPossibleKey - Returns null for a text that is too long for a key. */
  constructor(store: Store, hashPossibleKey: (key: string) => string | null) {
    this.#store = store;
    this.#hashPossibleKey = hashPossibleKey;
  }

  /** Returns the maker that the key was issued to, enabled or not; null when there is none. */
  find(key: string): RegisteredMaker | null {
    const hash = this.#hashPossibleKey(key);
    return hash === null ? null : (this.#byHash.get(hash) ?? null);
  }

  /** Loads all makers from the store. */
  async refresh(): Promise<MakersRefreshed> {
    const rows = await this.#store.db.select().from(makers).orderBy(makers.id);
    const before = this.#hashes;
    this.#byHash = new Map(rows.map((row) => [row.hash, parseMakerRow(row)]));
    this.#hashes = new Map(rows.map(({ id, hash }) => [id, hash]));
    const rotated = rows.filter(({ id, hash }) => before.has(id) && before.get(id) !== hash);
    return { records: [...this.#byHash.values()], rotated: rotated.map(({ id }) => id) };
  }
}
