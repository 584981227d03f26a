import type { BookOrder } from './book-order.ts';
import { FULL_PRICE } from './lots.ts';

/** Resting orders with one price, by rank. */
interface PriceLevel {
  first: BookOrder | null;
  last: BookOrder | null;
  lots: number;
}

/** The resting bids or asks of a market, by price and rank. Prices are those of yes contracts. */
export class BookSide {
  readonly #isBids: boolean;
  /** By price. It is made when the first order rests. */
  #levels: (PriceLevel | undefined)[] = [];
  /** The best price with an order; that of an empty side is worse than all. */
  #best: number;
  #count = 0;

  constructor(isBids: boolean) {
    this.#isBids = isBids;
    this.#best = isBids ? 0 : FULL_PRICE;
  }

  get count(): number {
    return this.#count;
  }

  /** The order that trades next; null when none rests. */
  get first(): BookOrder | null {
    return this.#levels[this.#best]?.first ?? null;
  }

  /** Returns the order that would trade last. */
  findLast(): BookOrder | null {
    let last: BookOrder | null = null;
    for (const level of this.#fromBest()) last = level.last;
    return last;
  }

  /** Puts an order in its place, behind those with its price that have a lower rank. */
  insert(order: BookOrder, lots: number): void {
    if (this.#levels.length === 0) this.#levels = new Array(FULL_PRICE).fill(undefined);
    const level = this.#levels[order.limit] ?? { first: null, last: null, lots: 0 };
    this.#levels[order.limit] = level;
    let after = level.last;
    if (after !== null && after.rank > order.rank) {
      // An order that returns to its place is mostly older than the others.
      after = null;
      for (let at = level.first; at !== null && at.rank < order.rank; at = at.next) after = at;
    }
    const next = after === null ? level.first : after.next;
    order.previous = after;
    order.next = next;
    if (after === null) level.first = order;
    else after.next = order;
    if (next === null) level.last = order;
    else next.previous = order;
    order.resting = lots;
    level.lots += lots;
    this.#count++;
    if (this.#isBids ? order.limit > this.#best : order.limit < this.#best) this.#best = order.limit;
  }

  /** Changes what a resting order offers. With none it leaves the book. */
  resize(order: BookOrder, lots: number): void {
    const level = this.#levels[order.limit];
    if (level === undefined) return;
    level.lots += lots - order.resting;
    order.resting = lots;
    if (lots > 0) return;
    if (order.previous === null) level.first = order.next;
    else order.previous.next = order.next;
    if (order.next === null) level.last = order.previous;
    else order.next.previous = order.previous;
    order.previous = null;
    order.next = null;
    this.#count--;
    if (level.first !== null) return;
    this.#levels[order.limit] = undefined;
    if (order.limit === this.#best) this.#findBest();
  }

  /** Goes over the prices from the best to the worst. */
  *rows(): Iterable<{ readonly price: number; readonly lots: number }> {
    for (const { first, lots } of this.#fromBest()) if (first !== null) yield { price: first.limit, lots };
  }

  /** Goes over the resting orders from the first to the last. */
  *orders(): Iterable<BookOrder> {
    for (const level of this.#fromBest()) {
      // The next one is read first, because the caller may take the order out.
      for (let at = level.first; at !== null; ) {
        const order = at;
        at = at.next;
        yield order;
      }
    }
  }

  #findBest(): void {
    const step = this.#isBids ? -1 : 1;
    let price = this.#best;
    while (price > 0 && price < FULL_PRICE && this.#levels[price] === undefined) price += step;
    this.#best = price;
  }

  *#fromBest(): Iterable<PriceLevel> {
    const step = this.#isBids ? -1 : 1;
    for (let price = this.#best; price > 0 && price < FULL_PRICE; price += step) {
      const level = this.#levels[price];
      if (level !== undefined) yield level;
    }
  }
}
