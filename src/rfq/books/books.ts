import type { Address } from '../../solana/address.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { MintPair } from '../makers/maker.ts';
import type { AcceptedSnapshot } from './check-snapshot.ts';
import type { LiveBook, LiveBooks } from './live-book.ts';
import type { Snapshot } from './snapshot.ts';

/** A live book in the form in which makers are shown it. */
export interface ShownBook {
  readonly live: LiveBook;
  readonly snapshot: Omit<Snapshot, 'bids' | 'asks' | 'makerId' | 'makerAddress'>;
  /** Unix milliseconds. */
  readonly receivedAt: number;
}

export interface ListedBook extends ShownBook {
  /** The snapshot's levels before they were cut to the maker's balance. */
  readonly arranged: AcceptedSnapshot['arranged'];
}

/** A maker's book of one pair, in the direction of the maker's snapshot. */
interface BookPlace {
  listed: ListedBook;
  readonly pair: PairBooks;
}

interface PairBooks {
  readonly key: string;
  readonly places: Set<BookPlace>;
  /** The books that are live until `freshUntil`, computed on demand. */
  live: readonly LiveBook[];
  freshUntil: number;
}

/** A maker's entries by base mint, then by quote mint. */
type MakerPlaces = Map<string, Map<string, BookPlace>>;

const NO_BOOKS: readonly LiveBook[] = [];
const STALE = -1;
/** Expired books are hidden at once. Watchers are notified within this time. */
const SWEEP_MS = 1_000;

/** The order books of all makers. Only this class adds books to the market or removes them. */
export class Books implements LiveBooks {
  readonly #timers: Timers;
  readonly #nextVersion: () => number;
  readonly #makers = new Map<string, MakerPlaces>();
  /** By pair, in either direction. */
  readonly #pairs = new Map<string, PairBooks>();
  readonly #watchers = new Set<(makerId: string, book: LiveBook | null) => void>();
  #stopSweeping: (() => void) | null = null;

  /** @param nextVersion - Returns a higher number with each call. */
  constructor(timers: Timers, nextVersion: () => number) {
    this.#timers = timers;
    this.#nextVersion = nextVersion;
  }

  between(mintA: Address, mintB: Address, now: number): readonly LiveBook[] {
    const pair = this.#pairs.get(pairKey(mintA, mintB));
    if (pair === undefined) return NO_BOOKS;
    if (now < pair.freshUntil) return pair.live;
    const live = [...pair.places].map(({ listed }) => listed.live).filter(({ expiresAt }) => expiresAt > now);
    pair.live = live;
    pair.freshUntil = live.reduce((soonest, { expiresAt }) => Math.min(soonest, expiresAt), Infinity);
    return live;
  }

  *all(now: number): Iterable<LiveBook> {
    for (const { live } of this.listed(now)) yield live;
  }

  *listed(now: number): Iterable<ListedBook> {
    for (const { listed } of this.#places()) if (listed.live.expiresAt > now) yield listed;
  }

  /** Lists the live books of one maker. */
  listedOf(makerId: string, now: number): readonly ListedBook[] {
    return this.#placesOf(makerId).flatMap(({ listed }) => (listed.live.expiresAt > now ? [listed] : []));
  }

  watch(changed: (makerId: string, book: LiveBook | null) => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  /** Adds a book, in place of the maker's previous one of the pair. Notifies the watchers. */
  put(book: Omit<ListedBook, 'live'>, live: Omit<LiveBook, 'version'>): ListedBook {
    const { snapshot, arranged, receivedAt } = book;
    const listed = { live: this.#versioned(live), snapshot, arranged, receivedAt };
    const place = this.#placeOf(live);
    if (place === undefined) this.#add(listed);
    else {
      place.listed = listed;
      place.pair.freshUntil = STALE;
    }
    for (const watcher of this.#watchers) watcher(live.makerId, listed.live);
    return listed;
  }

  /** Returns the maker's books of one mint, in either role. */
  ofMint(makerId: string, mint: string): readonly ListedBook[] {
    return this.#placesOf(makerId)
      .map(({ listed }) => listed)
      .filter(({ live: { base, quote } }) => base.mint === mint || quote.mint === mint);
  }

  /** Removes a book from the market, unless it was replaced. Notifies the watchers. */
  remove({ live }: ListedBook): void {
    const place = this.#placeOf(live);
    if (place === undefined || place.listed.live !== live) return;
    const { makerId, base, quote } = live;
    const ofMaker = this.#makers.get(makerId);
    const ofBase = ofMaker?.get(base.mint);
    ofBase?.delete(quote.mint);
    if (ofBase?.size === 0) ofMaker?.delete(base.mint);
    if (ofMaker?.size === 0) this.#makers.delete(makerId);
    const { pair } = place;
    pair.places.delete(place);
    pair.freshUntil = STALE;
    if (pair.places.size === 0) this.#pairs.delete(pair.key);
    for (const watcher of this.#watchers) watcher(makerId, null);
  }

  /** Removes all books of the maker from the market. */
  removeAll(makerId: string): void {
    for (const { listed } of this.#placesOf(makerId)) this.remove(listed);
  }

  /** Removes the maker's books of other pairs than these from the market; null allows every pair. */
  keepOnly(makerId: string, pairs: readonly MintPair[] | null): void {
    if (pairs === null) return;
    const isAllowed = ({ base, quote }: LiveBook) =>
      pairs.some((pair) => pair.base === base.mint && pair.quote === quote.mint);
    for (const { listed } of this.#placesOf(makerId)) if (!isAllowed(listed.live)) this.remove(listed);
  }

  close(): void {
    this.#stopSweeping?.();
  }

  /** The fields are named one by one because a spread is much slower. */
  #versioned(live: Omit<LiveBook, 'version'>): LiveBook {
    const { makerId, makerAddress, base, quote, bids, asks, expiresAt } = live;
    return { version: this.#nextVersion(), makerId, makerAddress, base, quote, bids, asks, expiresAt };
  }

  #add(listed: ListedBook): void {
    const { makerId, base, quote } = listed.live;
    const key = pairKey(base.mint, quote.mint);
    const pair = this.#pairs.get(key) ?? {
      key,
      places: new Set<BookPlace>(),
      live: NO_BOOKS,
      freshUntil: STALE,
    };
    const place = { listed, pair };
    pair.places.add(place);
    pair.freshUntil = STALE;
    this.#pairs.set(key, pair);
    const ofMaker: MakerPlaces = this.#makers.get(makerId) ?? new Map<string, Map<string, BookPlace>>();
    const ofBase = ofMaker.get(base.mint) ?? new Map<string, BookPlace>();
    this.#makers.set(makerId, ofMaker.set(base.mint, ofBase.set(quote.mint, place)));
    this.#sweepLater();
  }

  #placeOf({ makerId, base, quote }: Omit<LiveBook, 'version'>): BookPlace | undefined {
    return this.#makers.get(makerId)?.get(base.mint)?.get(quote.mint);
  }

  #placesOf(makerId: string): readonly BookPlace[] {
    return [...(this.#makers.get(makerId)?.values() ?? [])].flatMap((ofBase) => [...ofBase.values()]);
  }

  *#places(): Iterable<BookPlace> {
    for (const ofMaker of this.#makers.values()) {
      for (const ofBase of ofMaker.values()) yield* ofBase.values();
    }
  }

  #sweepLater(): void {
    this.#stopSweeping ??= this.#timers.after(SWEEP_MS, () => {
      this.#stopSweeping = null;
      const now = this.#timers.now();
      for (const { listed } of [...this.#places()]) if (listed.live.expiresAt <= now) this.remove(listed);
      if (this.#makers.size > 0) this.#sweepLater();
    });
  }
}

/** Returns a function that numbers books that are used together. */
export function createBookVersions(): () => number {
  let last = 0;
  return () => ++last;
}

/** Returns the same key for both directions of a pair. */
function pairKey(one: Address, other: Address): string {
  return one < other ? one + other : other + one;
}
