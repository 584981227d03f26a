import type { Broadcast } from '../../common/ports/message-transport.ts';
import { type Timers, repeatWithPauses } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { type BookName, type PublishedBook, formatPublication } from './book-text.ts';
import type { Books, ShownBook } from '../books/books.ts';
import type { ReservedInventory } from '../books/reservations.ts';

export interface BookPublisherOptions {
  /** The books of makers at this instance. */
  readonly books: Pick<Books, 'listed'>;
  readonly taken: ReservedInventory;
  readonly broadcast: Pick<Broadcast, 'send'>;
  /** The name of this instance. */
  readonly self: string;
  readonly timers: Timers;
  readonly onDefect: (error: unknown) => void;
}

/** The interval of publications. */
const PUBLISH_MS = 100;
/**
 * The maximum number of books per publication, about a kilobyte each. The books that were published longest ago come
 * first.
 */
const MAX_BOOKS = 100;
/** An unchanged book is published again after this time, for instances that missed it or started since. */
const REPUBLISH_MS = 2_000;
/** While it has books, an instance publishes at least this often, to show that it is alive. */
const HEARTBEAT_MS = 500;

interface PublishedVersion {
  readonly name: BookName;
  readonly version: number;
  readonly takenBase: bigint;
  readonly takenQuote: bigint;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Publishes the books of this instance's makers to the other instances, with the inventory that is reserved. */
export class BookPublisher {
  readonly #options: BookPublisherOptions;
  readonly #published = new Map<string, PublishedVersion>();
  #sentAt = Number.NEGATIVE_INFINITY;
  readonly #stop: () => void;

  constructor(options: BookPublisherOptions) {
    this.#options = options;
    const onError = (error: unknown) => {
      // It is unknown what arrived, so everything is published again.
      this.#published.clear();
      if (!(error instanceof Unavailable)) options.onDefect(error);
    };
    this.#stop = repeatWithPauses(PUBLISH_MS, () => this.#publish(), options.timers, onError);
  }

  close(): void {
    this.#stop();
  }

  async #publish(): Promise<void> {
    const { broadcast, self, timers } = this.#options;
    const now = timers.now();
    const { due, gone } = this.#changes(now);
    if (due.length + gone.length === 0) {
      if (this.#published.size === 0 || now - this.#sentAt < HEARTBEAT_MS) return;
    }
    for (const { key, published } of due) this.#published.set(key, published);
    this.#sentAt = now;
    await broadcast.send(formatPublication({ from: self, books: due.map(({ book }) => book), gone }));
  }

  #changes(now: number) {
    const due: {
      readonly key: string;
      readonly published: PublishedVersion;
      readonly book: PublishedBook;
      readonly last: number;
    }[] = [];
    const present = new Set<string>();
    for (const shown of this.#options.books.listed(now)) {
      const published = this.#publishedAs(shown, now);
      const key = toPublishedBookKey(published.name);
      present.add(key);
      const before = this.#published.get(key);
      const isDue = before === undefined || !isSame(before, published) || now - before.at >= REPUBLISH_MS;
      if (isDue) due.push({ key, published, book: textable(shown, published), last: before?.at ?? 0 });
    }
    const gone: BookName[] = [];
    for (const [key, { name }] of this.#published) {
      if (present.has(key)) continue;
      this.#published.delete(key);
      gone.push(name);
    }
    due.sort((one, other) => one.last - other.last);
    return { due: due.slice(0, MAX_BOOKS), gone };
  }

  #publishedAs({ live }: ShownBook, now: number): PublishedVersion {
    const { makerId, base, quote, version } = live;
    const { taken } = this.#options;
    return {
      name: { makerId, base: base.mint, quote: quote.mint },
      version,
      at: now,
      takenBase: taken.reserved(makerId, base.mint),
      takenQuote: taken.reserved(makerId, quote.mint),
    };
  }
}

function textable(
  { live, snapshot, receivedAt }: ShownBook,
  { takenBase, takenQuote, at }: PublishedVersion,
): PublishedBook {
  return {
    live,
    snapshot,
    leftMs: live.expiresAt - at,
    ageMs: at - receivedAt,
    taken: { base: takenBase, quote: takenQuote },
  };
}

function isSame(one: PublishedVersion, other: PublishedVersion): boolean {
  return (
    one.version === other.version && one.takenBase === other.takenBase && one.takenQuote === other.takenQuote
  );
}

function toPublishedBookKey({ makerId, base, quote }: BookName): string {
  return `${makerId}/${base}/${quote}`;
}
