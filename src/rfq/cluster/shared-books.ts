import type { Broadcast } from '../../common/ports/relay.ts';
import type { Address } from '../../solana/address.ts';
import { BookPublisher } from './book-publisher.ts';
import type { Books, ShownBook } from '../books/books.ts';
import { RemoteBooks, type RemoteBooksOptions } from './remote-books.ts';
import type { LiveBook, LiveBooks } from '../books/live-book.ts';
import type { ReservedInventory } from '../books/reservations.ts';

/** Every live book with what makers are told of it. */
export interface ShownBooks {
  listed(now: number): Iterable<ShownBook>;
}

/** The books of the makers that are here and those that other instances publish, as one market. */
class MarketBooks implements LiveBooks, ShownBooks {
  readonly #own: Books;
  readonly #elsewhere: RemoteBooks;

  constructor(own: Books, elsewhere: RemoteBooks) {
    this.#own = own;
    this.#elsewhere = elsewhere;
  }

  between(mintA: Address, mintB: Address, now: number): readonly LiveBook[] {
    const own = this.#own.between(mintA, mintB, now);
    const others = this.#elsewhere.books.between(mintA, mintB, now);
    if (others.length === 0) return own;
    return own.length === 0 ? others : [...own, ...others];
  }

  *all(now: number): Iterable<LiveBook> {
    yield* this.#own.all(now);
    yield* this.#elsewhere.books.all(now);
  }

  *listed(now: number): Iterable<ShownBook> {
    yield* this.#own.listed(now);
    yield* this.#elsewhere.books.listed(now);
  }

  watch(changed: (makerId: string, book: LiveBook | null) => void): () => void {
    const stops = [this.#own.watch(changed), this.#elsewhere.books.watch(changed)];
    return () => {
      for (const stop of stops) stop();
    };
  }
}

/** The market of books, and what is reserved of them. */
export interface BookExchange {
  readonly market: LiveBooks & ShownBooks;
  /** What is reserved of the inventory of all makers. */
  readonly reserved: ReservedInventory;
  readonly close: () => void;
}

export interface ExchangeOptions extends RemoteBooksOptions {
  readonly own: Books;
  /** What is reserved of the inventory of the makers that are here. */
  readonly ownReserved: ReservedInventory;
  readonly broadcast: Broadcast;
}

/** Where there are no other instances. */
export function ownBooksOnly(own: Books, ownReserved: ReservedInventory): BookExchange {
  return { market: own, reserved: ownReserved, close: () => {} };
}

/** Publishes the books that are here to the other instances, with what is reserved of them, and takes theirs. */
export async function exchangeBooks(exchange: ExchangeOptions): Promise<BookExchange> {
  const { own, ownReserved, broadcast, ...options } = exchange;
  const elsewhere = new RemoteBooks(options);
  await elsewhere.listen(broadcast);
  const publisher = new BookPublisher({ ...options, books: own, taken: ownReserved, broadcast });
  return {
    market: new MarketBooks(own, elsewhere),
    reserved: {
      // Inventory of one maker is reserved here and there at once only just after it moved.
      taken: (makerId, mint) => ownReserved.taken(makerId, mint) + elsewhere.taken(makerId, mint),
    },
    close: () => {
      publisher.close();
      elsewhere.close();
    },
  };
}
