import type { Store } from '../../store/index.ts';
import { makers } from './maker-tables.ts';
import { type HashKey, MAX_KEY_LENGTH } from '../credentials/api-key.ts';
import { type MakerRecord, recordOf } from './makers.ts';

/** What a refresh changed: the makers whose key was replaced. */
export interface MakersRefreshed {
  readonly records: readonly MakerRecord[];
  readonly rotated: readonly string[];
}

/** Holds every maker with the hash of its key in memory, so that no call waits for the database. */
export class MakerCache {
  readonly #store: Store;
  readonly #hashKey: HashKey;
  #byHash: ReadonlyMap<string, MakerRecord> = new Map();
  #hashes: ReadonlyMap<string, string> = new Map();

  constructor(store: Store, hashKey: HashKey) {
    this.#store = store;
    this.#hashKey = hashKey;
  }

  /** @returns the maker that the key was issued to, enabled or not; null when there is none */
  find(key: string): MakerRecord | null {
    return key.length > MAX_KEY_LENGTH ? null : (this.#byHash.get(this.#hashKey(key)) ?? null);
  }

  /** Loads all makers from the store. */
  async refresh(): Promise<MakersRefreshed> {
    const rows = await this.#store.db.select().from(makers).orderBy(makers.id);
    const before = this.#hashes;
    this.#byHash = new Map(rows.map((row) => [row.hash, recordOf(row)]));
    this.#hashes = new Map(rows.map(({ id, hash }) => [id, hash]));
    const rotated = rows.filter(({ id, hash }) => before.has(id) && before.get(id) !== hash);
    return { records: [...this.#byHash.values()], rotated: rotated.map(({ id }) => id) };
  }
}
