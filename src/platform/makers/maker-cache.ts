import type { Store } from '../../store/index.ts';
import { makers } from '../../store/schema.ts';
import type { HashKey } from '../credentials/api-key.ts';
import { type MakerRecord, recordOf } from './makers.ts';

/** No key that was ever given out is longer. */
const MAX_KEY_LENGTH = 200;

/** What was different at a refresh: the makers whose key is another one than before. */
export interface MakersRefreshed {
  readonly records: readonly MakerRecord[];
  readonly rotated: readonly string[];
}

/** Every maker and the hash of its key, in memory, so that no call waits for the database. */
export class MakerCache {
  readonly #store: Store;
  readonly #hashKey: HashKey;
  #byHash: ReadonlyMap<string, MakerRecord> = new Map();
  #hashes: ReadonlyMap<string, string> = new Map();

  constructor(store: Store, hashKey: HashKey) {
    this.#store = store;
    this.#hashKey = hashKey;
  }

  /** The maker that the key was issued to, enabled or not; null when there is none. */
  find(key: string): MakerRecord | null {
    return key.length > MAX_KEY_LENGTH ? null : (this.#byHash.get(this.#hashKey(key)) ?? null);
  }

  /** Takes over what is in the store now. */
  async refresh(): Promise<MakersRefreshed> {
    const rows = await this.#store.db.select().from(makers).orderBy(makers.id);
    const before = this.#hashes;
    this.#byHash = new Map(rows.map((row) => [row.hash, recordOf(row)]));
    this.#hashes = new Map(rows.map(({ id, hash }) => [id, hash]));
    const rotated = rows.filter(({ id, hash }) => before.has(id) && before.get(id) !== hash);
    return { records: [...this.#byHash.values()], rotated: rotated.map(({ id }) => id) };
  }
}
