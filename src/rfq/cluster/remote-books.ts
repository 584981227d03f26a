import type { Broadcast } from '../../common/ports/message-transport.ts';
import type { Address } from '../../solana/address.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { type BookName, type PublishedBook, parsePublication } from './book-text.ts';
import { Books, type ListedBook } from '../books/books.ts';
import type { ReservedInventory } from '../books/reservations.ts';

export interface RemoteBooksOptions {
  /** The name of this instance. */
  readonly self: string;
  readonly timers: Timers;
  readonly nextVersion: () => number;
  readonly onDefect: (error: unknown) => void;
}

/** An instance that published nothing for this long counts as ended. It equals three signs of life. */
const SILENT_MS = 1_500;
/** A book that was not published again for this long has left the market; the message about it was lost. */
const STALE_MS = 5_000;
const CHECK_MS = 250;
/** The maximum number of books that are kept. */
const MAX_BOOKS = 20_000;

interface ReceivedBook {
  readonly from: string;
  /** The version at the publishing instance. */
  readonly version: number;
  readonly listed: ListedBook;
  readonly at: number;
}

/** The reserved inventory of a maker, as published with its books. */
interface ReservedOfMaker {
  books: number;
  readonly atoms: Map<Address, bigint>;
}

/**
 * The books that other instances publish. They are quoted like books of this instance. Whether a book still covers a
 * swap is decided at the maker's instance when the swap is executed.
 */
export class RemoteBooks implements ReservedInventory {
  readonly books: Books;
  readonly #options: RemoteBooksOptions;
  readonly #published = new Map<string, ReceivedBook>();
  /** When each instance published last, in Unix milliseconds. */
  readonly #instances = new Map<string, number>();
  readonly #makers = new Map<string, ReservedOfMaker>();
  #stopChecking: (() => void) | null = null;

  constructor(options: RemoteBooksOptions) {
    this.#options = options;
    this.books = new Books(options.timers, options.nextVersion);
  }

  listen(broadcast: Pick<Broadcast, 'receive'>): Promise<void> {
    return broadcast.receive((text) => {
      try {
        this.#handle(text);
      } catch (error) {
        this.#options.onDefect(error);
      }
    });
  }

  reserved(makerId: string, mint: Address): bigint {
    return this.#makers.get(makerId)?.atoms.get(mint) ?? 0n;
  }

  close(): void {
    this.#stopChecking?.();
    this.books.close();
  }

  #handle(text: string): void {
    const publication = parsePublication(text);
    if (publication === null || publication.from === this.#options.self) return;
    const { from, books, gone } = publication;
    this.#instances.set(from, this.#options.timers.now());
    for (const book of books) this.#receive(from, book);
    for (const name of gone) {
      const key = toRemoteBookKey(name);
      if (this.#published.get(key)?.from === from) this.#remove(key);
    }
    this.#scheduleCheck();
  }

  #receive(from: string, { live, snapshot, leftMs, ageMs, taken }: PublishedBook): void {
    const now = this.#options.timers.now();
    const { makerId, makerAddress, base, quote, bids, asks, version } = live;
    const key = toRemoteBookKey({ makerId, base: base.mint, quote: quote.mint });
    const before = this.#published.get(key);
    if (before === undefined && this.#published.size >= MAX_BOOKS) return;
    const ofMaker = this.#makers.get(makerId) ?? { books: 0, atoms: new Map<Address, bigint>() };
    if (before === undefined) ofMaker.books++;
    ofMaker.atoms.set(base.mint, taken.base).set(quote.mint, taken.quote);
    this.#makers.set(makerId, ofMaker);
    if (before?.from === from && before.version === version) {
      this.#published.set(key, { ...before, at: now });
      return;
    }
    // The clocks of instances differ, so durations are published instead of times.
    const listed = this.books.put(
      // Only the owner of the maker adjusts the levels to its balance.
      { snapshot, arranged: { bids, asks }, receivedAt: now - ageMs },
      { makerId, makerAddress, base, quote, bids, asks, expiresAt: now + leftMs },
    );
    this.#published.set(key, { from, version, listed, at: now });
  }

  #remove(key: string): void {
    const received = this.#published.get(key);
    if (received === undefined) return;
    this.#published.delete(key);
    this.books.remove(received.listed);
    const { makerId } = received.listed.live;
    const ofMaker = this.#makers.get(makerId);
    if (ofMaker !== undefined && --ofMaker.books === 0) this.#makers.delete(makerId);
  }

  #scheduleCheck(): void {
    this.#stopChecking ??= this.#options.timers.after(CHECK_MS, () => {
      this.#stopChecking = null;
      const now = this.#options.timers.now();
      for (const [name, at] of this.#instances) if (now - at >= SILENT_MS) this.#instances.delete(name);
      for (const [key, { from, at }] of this.#published) {
        if (!this.#instances.has(from) || now - at >= STALE_MS) this.#remove(key);
      }
      if (this.#instances.size > 0) this.#scheduleCheck();
    });
  }
}

function toRemoteBookKey({ makerId, base, quote }: BookName): string {
  return `${makerId}/${base}/${quote}`;
}
