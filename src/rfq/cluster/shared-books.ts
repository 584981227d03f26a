import type { Broadcast } from '../../common/ports/message-transport.ts';
import type { Address } from '../../solana/address.ts';
import { BookPublisher } from './book-publisher.ts';
import type { Books, ShownBook } from '../books/books.ts';
import { RemoteBooks, type RemoteBooksOptions } from './remote-books.ts';
import type { LiveBook, LiveBooks } from '../books/live-book.ts';
import type { ReservedInventory } from '../books/reservations.ts';

/** Lists every live book in the form in which makers are shown it. */
export interface BookListing {
  listed(now: number): Iterable<ShownBook>;
  /** Lists the live books of one maker. */
  listedOf(makerId: string, now: number): Iterable<ShownBook>;
}

/** The books of this instance and the published books of the others, as one market. */
class MarketBooks implements LiveBooks, BookListing {
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

  *listedOf(makerId: string, now: number): Iterable<ShownBook> {
    yield* this.#own.listedOf(makerId, now);
    yield* this.#elsewhere.books.listedOf(makerId, now);
  }

  watch(changed: (makerId: string, book: LiveBook | null) => void): () => void {
    const stops = [this.#own.watch(changed), this.#elsewhere.books.watch(changed)];
    return () => {
      for (const stop of stops) stop();
    };
  }
}

/** The market of all instances' books, with the reserved inventory. */
export interface BookExchange {
  readonly market: LiveBooks & BookListing;
  /** Reserved inventory of makers at all instances. */
  readonly reserved: ReservedInventory;
  readonly close: () => void;
}

export interface ExchangeOptions extends RemoteBooksOptions {
  readonly own: Books;
  /** Reserved inventory of makers at this instance. */
  readonly ownReserved: ReservedInventory;
  readonly broadcast: Broadcast;
}

/** The market if there is only one instance. */
export function createOwnBookExchange(own: Books, ownReserved: ReservedInventory): BookExchange {
  return { market: own, reserved: ownReserved, close: () => {} };
}

/** Publishes the books of this instance to the others, with the reserved inventory, and receives theirs. */
export async function exchangeBooks(exchange: ExchangeOptions): Promise<BookExchange> {
  const { own, ownReserved, broadcast, self, timers, nextVersion, onDefect } = exchange;
  const elsewhere = new RemoteBooks({ self, timers, nextVersion, onDefect });
  await elsewhere.listen(broadcast);
  const publisher = new BookPublisher({ books: own, taken: ownReserved, broadcast, self, timers, onDefect });
  return {
    market: new MarketBooks(own, elsewhere),
    reserved: {
      // A maker's inventory is reserved at two instances only for a short time after it moved.
      reserved: (makerId, mint) => ownReserved.reserved(makerId, mint) + elsewhere.reserved(makerId, mint),
    },
    close: () => {
      publisher.close();
      elsewhere.close();
    },
  };
}
