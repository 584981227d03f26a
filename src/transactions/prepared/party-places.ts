import { OldestFirst } from '../../common/collections/oldest-first.ts';
import { PartyShares } from '../../common/collections/fair-shares.ts';
import { type OwnWork, type Party, toPartyKey } from '../../common/party.ts';

/** A place that was taken. It is kept for an entry, or given back. */
export interface PartyPlace {
  readonly holder: string;
  /** To be called once, unless an entry is kept in this place. */
  readonly giveBack: () => void;
}

interface PlacedEntry<Entry> {
  readonly entry: Entry;
  readonly place: PartyPlace;
}

export interface PartyPlacesOptions<Entry> {
  /** All places. One party gets a share of them: see `PartyShares`. */
  readonly capacity: number;
  /** Whether an entry may be dropped for another one. If one may not, those of its party that came later may not either. */
  readonly mayGo: (entry: Entry) => boolean;
  /** Called for each entry that was dropped for another one. */
  readonly onGone?: (id: string) => void;
}

/**
 * A bounded number of entries, of which each party has a share. An entry that may go makes room for a new one: first one of
 * the party that wants the place, then one of the party that has most, if that has more. A party with many entries thus
 * displaces its own, and not those of others.
 */
export class PartyPlaces<Entry> {
  readonly #options: PartyPlacesOptions<Entry>;
  readonly #shares: PartyShares;
  readonly #kept = new OldestFirst<string, PlacedEntry<Entry>>();
  readonly #ofHolder = new Map<string, OldestFirst<string, Entry>>();

  constructor(options: PartyPlacesOptions<Entry>) {
    this.#options = options;
    this.#shares = new PartyShares(options.capacity);
  }

  get isFull(): boolean {
    return this.#shares.isFull;
  }

  get(id: string): Entry | undefined {
    return this.#kept.get(id)?.entry;
  }

  /** Returns the place in which an entry is kept; null when there is none. */
  placeOf(id: string): PartyPlace | null {
    return this.#kept.get(id)?.place ?? null;
  }

  /** Takes a place for `worker`, and drops entries for it when there is none. Null if it may take none. */
  take(worker: Party | OwnWork): PartyPlace | null {
    const holder = toPartyKey(worker);
    for (;;) {
      const giveBack = this.#shares.take(worker);
      if (giveBack !== null) return { holder, giveBack };
      const id = this.#toDrop(holder);
      if (id === null) return null;
      this.delete(id);
      this.#options.onGone?.(id);
    }
  }

  /** Keeps an entry in a place that was taken, or in that of the entry that it replaces, whose age it then has. */
  keep(id: string, entry: Entry, place: PartyPlace): void {
    const { holder } = place;
    this.#kept.set(id, { entry, place });
    const own = this.#ofHolder.get(holder) ?? new OldestFirst<string, Entry>();
    own.set(id, entry);
    this.#ofHolder.set(holder, own);
  }

  delete(id: string): void {
    const known = this.#kept.get(id);
    if (known === undefined) return;
    const { holder, giveBack } = known.place;
    this.#kept.delete(id);
    const own = this.#ofHolder.get(holder);
    own?.delete(id);
    if (own?.size === 0) this.#ofHolder.delete(holder);
    giveBack();
  }

  /** Deletes the oldest entries for as long as they are over. */
  deleteOldest(isOver: (entry: Entry) => boolean): void {
    for (let oldest = this.#kept.oldest(); oldest !== null; oldest = this.#kept.oldest()) {
      if (!isOver(oldest[1].entry)) return;
      this.delete(oldest[0]);
    }
  }

  /** Returns the entry that makes room for one of `holder`; null if none may go. */
  #toDrop(holder: string): string | null {
    const own = this.#ofHolder.get(holder);
    const ownOldest = this.#oldestThatMayGo(own);
    if (ownOldest !== null) return ownOldest;
    let [found, most]: [string | null, number] = [null, own?.size ?? 0];
    for (const entries of this.#ofHolder.values()) {
      if (entries.size <= most) continue;
      const oldest = this.#oldestThatMayGo(entries);
      if (oldest !== null) [found, most] = [oldest, entries.size];
    }
    return found;
  }

  #oldestThatMayGo(entries: OldestFirst<string, Entry> | undefined): string | null {
    const oldest = entries?.oldest() ?? null;
    return oldest !== null && this.#options.mayGo(oldest[1]) ? oldest[0] : null;
  }
}
