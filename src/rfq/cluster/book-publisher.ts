import type { Broadcast } from '../../common/ports/relay.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { type BookName, type PublishedBook, publicationText } from './book-text.ts';
import type { Books, ShownBook } from '../books/books.ts';
import type { ReservedInventory } from '../books/reservations.ts';

export interface BookPublisherOptions {
  /** Of the makers that are here. */
  readonly books: Pick<Books, 'listed'>;
  readonly taken: ReservedInventory;
  readonly broadcast: Pick<Broadcast, 'send'>;
  /** The name of this instance. */
  readonly self: string;
  readonly timers: Timers;
  readonly onDefect: (error: unknown) => void;
}

/** What changed is published together this often. */
const EVERY_MS = 100;
/** So many books at a time, those first that were not published for longest: a kilobyte each. */
const MAX_BOOKS = 100;
/** A book is published again after so long, for those that missed it or have come since. */
const AGAIN_MS = 2_000;
/** Those that listen hear at least this often that the instance lives, while it has books. */
const SIGN_OF_LIFE_MS = 500;

interface Published {
  readonly name: BookName;
  readonly version: number;
  readonly takenBase: bigint;
  readonly takenQuote: bigint;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Publishes the books of this instance's makers to the others, with what of them is promised. */
export class BookPublisher {
  readonly #options: BookPublisherOptions;
  readonly #published = new Map<string, Published>();
  #sentAt = Number.NEGATIVE_INFINITY;
  #cancel: () => void = () => {};
  #isClosed = false;

  constructor(options: BookPublisherOptions) {
    this.#options = options;
    this.#again();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  #again(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#options.timers.after(EVERY_MS, () => {
      this.#publish()
        .catch((error: unknown) => {
          // Nobody knows what arrived: everything is published anew.
          this.#published.clear();
          if (!(error instanceof Unavailable)) this.#options.onDefect(error);
        })
        .finally(() => this.#again());
    });
  }

  async #publish(): Promise<void> {
    const { broadcast, self, timers } = this.#options;
    const now = timers.now();
    const { due, gone } = this.#changes(now);
    if (due.length + gone.length === 0) {
      if (this.#published.size === 0 || now - this.#sentAt < SIGN_OF_LIFE_MS) return;
    }
    for (const { key, published } of due) this.#published.set(key, published);
    this.#sentAt = now;
    await broadcast.send(publicationText({ from: self, books: due.map(({ book }) => book), gone }));
  }

  #changes(now: number) {
    const due: {
      readonly key: string;
      readonly published: Published;
      readonly book: PublishedBook;
      readonly last: number;
    }[] = [];
    const present = new Set<string>();
    for (const shown of this.#options.books.listed(now)) {
      const published = this.#publishedAs(shown, now);
      const key = keyOf(published.name);
      present.add(key);
      const before = this.#published.get(key);
      const isDue = before === undefined || !isSame(before, published) || now - before.at >= AGAIN_MS;
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

  #publishedAs({ live }: ShownBook, now: number): Published {
    const { makerId, base, quote, version } = live;
    const { taken } = this.#options;
    return {
      name: { makerId, base: base.mint, quote: quote.mint },
      version,
      at: now,
      takenBase: taken.taken(makerId, base.mint),
      takenQuote: taken.taken(makerId, quote.mint),
    };
  }
}

function textable(
  { live, snapshot, receivedAt }: ShownBook,
  { takenBase, takenQuote, at }: Published,
): PublishedBook {
  return {
    live,
    snapshot,
    leftMs: live.expiresAt - at,
    ageMs: at - receivedAt,
    taken: { base: takenBase, quote: takenQuote },
  };
}

function isSame(one: Published, other: Published): boolean {
  return (
    one.version === other.version && one.takenBase === other.takenBase && one.takenQuote === other.takenQuote
  );
}

function keyOf({ makerId, base, quote }: BookName): string {
  return `${makerId}/${base}/${quote}`;
}
