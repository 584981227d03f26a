import type { Store } from '../../store/index.ts';
import { makers } from './maker-tables.ts';
import { type RegisteredMaker, parseMakerRow } from './maker-registry.ts';

/** All makers, and what a refresh changed. */
export interface MakersRefreshed {
  readonly records: readonly RegisteredMaker[];
  /** The ids of the makers whose key was replaced. */
  readonly rotated: readonly string[];
  /** The ids of the makers that were removed, also if another maker was added under the same id since. */
  readonly removed: readonly string[];
}

/** Holds every maker with the hash of its key in memory, so that no call waits for the database. */
export class MakerCache {
  readonly #store: Store;
  readonly #hashPossibleKey: (key: string) => string | null;
  #byHash: ReadonlyMap<string, RegisteredMaker> = new Map();
  #byId: ReadonlyMap<string, KnownMaker> = new Map();

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
    const before = this.#byId;
    const known = rows.map((row) => ({ hash: row.hash, record: parseMakerRow(row) }));
    this.#byHash = new Map(known.map(({ hash, record }) => [hash, record]));
    this.#byId = new Map(known.map((each) => [each.record.id, each]));
    const removed: string[] = [];
    const rotated: string[] = [];
    for (const [id, { hash, record }] of before) {
      const now = this.#byId.get(id);
      if (now?.record.createdAt !== record.createdAt) removed.push(id);
      else if (now.hash !== hash) rotated.push(id);
    }
    return { records: [...this.#byHash.values()], rotated, removed };
  }
}

interface KnownMaker {
  readonly hash: string;
  readonly record: RegisteredMaker;
}
