import type { Broadcast } from '../../common/ports/relay.ts';
import type { Address } from '../../solana/address.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { type BookName, type PublishedBook, publicationOf } from './book-text.ts';
import { Books, type ListedBook } from '../books/books.ts';
import type { ReservedInventory } from '../books/reservations.ts';

export interface RemoteBooksOptions {
  /** The name of this instance. */
  readonly self: string;
  readonly timers: Timers;
  readonly nextVersion: () => number;
  readonly onDefect: (error: unknown) => void;
}

/** An instance that was not heard of for so long is taken to be gone: three signs of life. */
const SILENT_MS = 1_500;
/** A book that was not published again in this time is gone, and that was missed. */
const STALE_MS = 5_000;
const LOOK_MS = 250;
/** More are not taken in. */
const MAX_BOOKS = 20_000;

interface Heard {
  readonly from: string;
  /** As the other instance counts. */
  readonly version: number;
  readonly listed: ListedBook;
  readonly at: number;
}

/** What a maker has promised, as its books tell it. */
interface Promised {
  books: number;
  readonly atoms: Map<Address, bigint>;
}

/**
 * The books that other instances publish. They are quoted from like those of makers that are here; whether one still
 * covers a swap is asked where its maker is, when the swap is to be made.
 */
export class RemoteBooks implements ReservedInventory {
  readonly books: Books;
  readonly #options: RemoteBooksOptions;
  readonly #heard = new Map<string, Heard>();
  /** When each instance was heard of last. */
  readonly #instances = new Map<string, number>();
  readonly #makers = new Map<string, Promised>();
  #stopLooking: (() => void) | null = null;

  constructor(options: RemoteBooksOptions) {
    this.#options = options;
    this.books = new Books(options.timers, options.nextVersion);
  }

  listen(broadcast: Pick<Broadcast, 'receive'>): Promise<void> {
    return broadcast.receive((text) => {
      try {
        this.#take(text);
      } catch (error) {
        this.#options.onDefect(error);
      }
    });
  }

  taken(makerId: string, mint: Address): bigint {
    return this.#makers.get(makerId)?.atoms.get(mint) ?? 0n;
  }

  close(): void {
    this.#stopLooking?.();
    this.books.close();
  }

  #take(text: string): void {
    const publication = publicationOf(text);
    if (publication === null || publication.from === this.#options.self) return;
    const { from, books, gone } = publication;
    this.#instances.set(from, this.#options.timers.now());
    for (const book of books) this.#hear(from, book);
    for (const name of gone) {
      const key = keyOf(name);
      if (this.#heard.get(key)?.from === from) this.#forget(key);
    }
    this.#lookLater();
  }

  #hear(from: string, { live, snapshot, leftMs, ageMs, taken }: PublishedBook): void {
    const now = this.#options.timers.now();
    const { makerId, makerAddress, base, quote, bids, asks, version } = live;
    const key = keyOf({ makerId, base: base.mint, quote: quote.mint });
    const before = this.#heard.get(key);
    if (before === undefined && this.#heard.size >= MAX_BOOKS) return;
    const ofMaker = this.#makers.get(makerId) ?? { books: 0, atoms: new Map<Address, bigint>() };
    if (before === undefined) ofMaker.books++;
    ofMaker.atoms.set(base.mint, taken.base).set(quote.mint, taken.quote);
    this.#makers.set(makerId, ofMaker);
    if (before?.from === from && before.version === version) {
      this.#heard.set(key, { ...before, at: now });
      return;
    }
    // Clocks of instances differ, so that times come as spans.
    const listed = this.books.put(
      // Only the instance that has the maker covers it anew.
      { snapshot, arranged: { bids, asks }, receivedAt: now - ageMs },
      { makerId, makerAddress, base, quote, bids, asks, expiresAt: now + leftMs },
    );
    this.#heard.set(key, { from, version, listed, at: now });
  }

  #forget(key: string): void {
    const heard = this.#heard.get(key);
    if (heard === undefined) return;
    this.#heard.delete(key);
    this.books.remove(heard.listed);
    const { makerId } = heard.listed.live;
    const ofMaker = this.#makers.get(makerId);
    if (ofMaker !== undefined && --ofMaker.books === 0) this.#makers.delete(makerId);
  }

  #lookLater(): void {
    this.#stopLooking ??= this.#options.timers.after(LOOK_MS, () => {
      this.#stopLooking = null;
      const now = this.#options.timers.now();
      for (const [name, at] of this.#instances) if (now - at >= SILENT_MS) this.#instances.delete(name);
      for (const [key, { from, at }] of this.#heard) {
        if (!this.#instances.has(from) || now - at >= STALE_MS) this.#forget(key);
      }
      if (this.#instances.size > 0) this.#lookLater();
    });
  }
}

function keyOf({ makerId, base, quote }: BookName): string {
  return `${makerId}/${base}/${quote}`;
}
