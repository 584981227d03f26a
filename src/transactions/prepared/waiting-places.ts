import type { Timers } from '../../common/ports/timers.ts';
import { getCurrentWorker, type OwnWork, type Party, toPartyKey } from '../../common/party.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { PreparedTransaction } from './store.ts';
import { OldestFirst } from '../../common/collections/oldest-first.ts';
import { PartyShares } from '../../common/collections/fair-shares.ts';

/** How long a transaction waits for its signatures. Longer than the lifetime of any blockhash. */
export const PREPARED_LIFE_MS = 5 * 60_000;
const RETRY_AFTER_SECONDS = 5;

type Waits = Pick<PreparedTransaction, 'requestId' | 'lastValidBlockHeight'>;

export interface WaitingPlacesOptions {
  readonly capacity: number;
  /** What waits, in the plural, for refusals: `swaps`. */
  readonly what: string;
  readonly timers: Pick<Timers, 'now'>;
  /** The height of the network's newest confirmed block. */
  readonly height: () => bigint;
}

/**
 * The transactions that were handed out and wait for their signatures, a bounded number, of which each party has a share. New
 * ones must not displace those that can still land.
 */
export class WaitingPlaces<Waiting extends Waits> {
  readonly #options: WaitingPlacesOptions;
  readonly #places: PartyPlaces<{ readonly waiting: Waiting; readonly since: number }>;

  constructor(options: WaitingPlacesOptions) {
    this.#options = options;
    this.#places = new PartyPlaces({
      capacity: options.capacity,
      mayGo: ({ waiting }) => waiting.lastValidBlockHeight < options.height(),
    });
  }

  /** @throws Unavailable when transactions that can still land hold all places, or all that the current worker may have */
  put(waiting: Waiting): void {
    this.#forgetOld();
    const { requestId } = waiting;
    const known = this.#places.placeOf(requestId);
    const place = known ?? this.#places.take(getCurrentWorker());
    if (place === null) throw this.#refusal();
    this.#places.keep(requestId, { waiting, since: this.#options.timers.now() }, place);
  }

  /** Returns undefined for one that does not wait, or has waited for too long. */
  get(requestId: string): Waiting | undefined {
    this.#forgetOld();
    return this.#places.get(requestId)?.waiting;
  }

  delete(requestId: string): void {
    this.#places.delete(requestId);
  }

  #refusal(): Unavailable {
    const { capacity, what } = this.#options;
    const which = this.#places.isFull ? `${capacity} ${what}` : `as many ${what} of yours as may`;
    return new Unavailable(`${which} wait to be executed; execute some, or try again in a few seconds`, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  #forgetOld(): void {
    const now = this.#options.timers.now();
    this.#places.deleteOldest(({ since }) => now - since >= PREPARED_LIFE_MS);
  }
}

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
