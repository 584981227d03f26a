import type { Address } from '../solana/address.ts';
import type { Timers } from '../timers.ts';
import type { Accepted } from './check-snapshot.ts';
import type { LiveBook, LiveBooks } from './live-book.ts';
import type { Snapshot } from './snapshot.ts';

/** A live book with what makers are told of it. */
export interface ListedBook {
  readonly live: LiveBook;
  readonly snapshot: Snapshot;
  /** The snapshot's levels before the balance was looked at. */
  readonly arranged: Accepted['arranged'];
  /** Unix milliseconds. */
  readonly receivedAt: number;
}

interface PairBooks {
  readonly books: Set<LiveBook>;
  /** Those of `books` that live until `freshUntil`, built when somebody asks. */
  live: readonly LiveBook[];
  freshUntil: number;
}

const NO_BOOKS: readonly LiveBook[] = [];
const STALE = -1;
/** Books that ran out are hidden at once; whoever watches hears of them this much later at most. */
const SWEEP_MS = 1_000;

/** Every maker's books: the only place where a book goes live or leaves the market. */
export class Books implements LiveBooks {
  readonly #timers: Timers;
  /** By maker, then by pair in the maker's direction. */
  readonly #listed = new Map<string, Map<string, ListedBook>>();
  /** By pair in either direction. */
  readonly #pairs = new Map<string, PairBooks>();
  readonly #watchers = new Set<(makerId: string, book: LiveBook | null) => void>();
  #version = 0;
  #stopSweeping: (() => void) | null = null;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  between(mintA: Address, mintB: Address, now: number): readonly LiveBook[] {
    const pair = this.#pairs.get(eitherWay(mintA, mintB));
    if (pair === undefined) return NO_BOOKS;
    if (now < pair.freshUntil) return pair.live;
    const live = [...pair.books].filter(({ expiresAt }) => expiresAt > now);
    pair.live = live;
    pair.freshUntil = live.reduce((soonest, { expiresAt }) => Math.min(soonest, expiresAt), Infinity);
    return live;
  }

  *all(now: number): Iterable<LiveBook> {
    for (const { live } of this.listed(now)) yield live;
  }

  *listed(now: number): Iterable<ListedBook> {
    for (const books of this.#listed.values()) {
      for (const book of books.values()) if (book.live.expiresAt > now) yield book;
    }
  }

  watch(changed: (makerId: string, book: LiveBook | null) => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  /** Puts a book in place of the maker's last one of the pair. */
  put(book: Omit<ListedBook, 'live'>, live: Omit<LiveBook, 'version'>): void {
    const versioned = { ...live, version: ++this.#version };
    const { makerId, base, quote } = live;
    const books = this.#listed.get(makerId) ?? new Map<string, ListedBook>();
    this.#listed.set(makerId, books);
    const key = oneWay(base.mint, quote.mint);
    const before = books.get(key)?.live ?? null;
    books.set(key, { ...book, live: versioned });
    this.#replace(eitherWay(base.mint, quote.mint), before, versioned);
    this.#sweepLater();
    for (const watcher of this.#watchers) watcher(makerId, versioned);
  }

  /** The maker's books of one mint, to be put again after its balance changed. */
  ofMint(makerId: string, mint: string): readonly ListedBook[] {
    const books = [...(this.#listed.get(makerId)?.values() ?? [])];
    return books.filter(({ live: { base, quote } }) => base.mint === mint || quote.mint === mint);
  }

  /** Takes one book out of the market. */
  remove({ live }: ListedBook): void {
    const { base, quote, makerId } = live;
    const books = this.#listed.get(makerId);
    if (books?.get(oneWay(base.mint, quote.mint))?.live !== live) return;
    books.delete(oneWay(base.mint, quote.mint));
    if (books.size === 0) this.#listed.delete(makerId);
    this.#replace(eitherWay(base.mint, quote.mint), live, null);
    for (const watcher of this.#watchers) watcher(makerId, null);
  }

  /** Takes every book of the maker out of the market. */
  leave(makerId: string): void {
    for (const book of [...(this.#listed.get(makerId)?.values() ?? [])]) this.remove(book);
  }

  close(): void {
    this.#stopSweeping?.();
  }

  #replace(key: string, before: LiveBook | null, after: LiveBook | null): void {
    const pair = this.#pairs.get(key) ?? { books: new Set<LiveBook>(), live: NO_BOOKS, freshUntil: STALE };
    if (before !== null) pair.books.delete(before);
    if (after !== null) pair.books.add(after);
    pair.freshUntil = STALE;
    if (pair.books.size === 0) this.#pairs.delete(key);
    else this.#pairs.set(key, pair);
  }

  #sweepLater(): void {
    this.#stopSweeping ??= this.#timers.after(SWEEP_MS, () => {
      this.#stopSweeping = null;
      const now = this.#timers.now();
      const books = [...this.#listed.values()].flatMap((ofMaker) => [...ofMaker.values()]);
      for (const book of books) if (book.live.expiresAt <= now) this.remove(book);
      if (this.#listed.size > 0) this.#sweepLater();
    });
  }
}

/** The same for both directions of a pair. */
function eitherWay(one: Address, other: Address): string {
  return one < other ? one + other : other + one;
}

function oneWay(base: string, quote: string): string {
  return base + quote;
}
