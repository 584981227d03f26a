import type { Address } from '../../solana/address.ts';
import type { EndedOrder, EndReason, ExchangeTrade } from '../exchange-order.ts';
import { type BookOrder, countRestableLots } from './book-order.ts';
import {
  executeOrder,
  findCrossedOrder,
  getOwnSide,
  isWithin,
  type MarketBook,
  MAX_RESTING_ORDERS,
  refitOrder,
  removeOrder,
} from './market-book.ts';
import { OwnerOrders } from './owner-orders.ts';
import { computePaid, describeTrade, type FoundTrade } from './trade-side.ts';

/** An owner has no more resting orders than this, in all markets together. */
export const MAX_OWN_RESTING_ORDERS = 100;

/** A trade in flight, with its orders. */
export interface LiveTrade {
  readonly trade: ExchangeTrade;
  readonly found: FoundTrade;
}

/** The orders and trades of an exchange: how an order is matched, rests, and ends. It tells what has come of it. */
export class OrderFlow {
  readonly markets = new Map<string, MarketBook>();
  readonly orders = new Map<Address, BookOrder>();
  readonly trades = new Map<number, LiveTrade>();
  readonly owners = new OwnerOrders();
  lastTrade = 0;
  #newTrades: ExchangeTrade[] = [];
  #newlyEnded: EndedOrder[] = [];

  /** Returns what has come of the orders since the last time. */
  takeOutcome(): { readonly trades: readonly ExchangeTrade[]; readonly ended: readonly EndedOrder[] } {
    const outcome = { trades: this.#newTrades, ended: this.#newlyEnded };
    this.#newTrades = [];
    this.#newlyEnded = [];
    return outcome;
  }

  /** Matches an order that does not rest. What is left of it rests, or is given up. */
  match(book: MarketBook, order: BookOrder): void {
    const isDone = executeOrder(book, order, {
      onTrade: (found) => this.#trade(book, found),
      onSelfTrade: (maker) => this.stop(maker, 'self-trade'),
    });
    const restable = countRestableLots(order);
    if (!order.order.isLimit || !isDone) {
      if (restable > 0) order.hasGivenUp = true;
      order.remaining = 0;
    } else if (restable > 0) {
      this.#rest(book, order, restable);
    }
    this.settle(order);
  }

  /** Puts an order into the book. In a full one it takes the place of the last order, if its price is better. */
  #rest(book: MarketBook, order: BookOrder, lots: number): void {
    if (this.owners.countResting(order.order.owner) >= MAX_OWN_RESTING_ORDERS) {
      this.stop(order, 'owner-full');
      return;
    }
    const side = getOwnSide(book, order);
    if (side.count >= MAX_RESTING_ORDERS) {
      const last = side.findLast();
      if (last === null || isWithin(order.isBid, order.limit, last.limit)) {
        this.stop(order, 'book-full');
        return;
      }
      this.stop(last, 'book-full');
    }
    side.insert(order, lots);
  }

  /** Takes a trade from its orders and from the house. */
  #trade(book: MarketBook, found: FoundTrade): void {
    const { taker, maker, lots } = found;
    for (const order of maker === null ? [taker] : [taker, maker]) {
      order.remaining -= lots;
      if (order.order.isBuy) order.budget -= computePaid(order, found, book.terms.feeBps);
    }
    if (maker !== null) refitOrder(book, maker);
    this.lastTrade++;
    this.#newTrades.push(this.addTrade(book, this.lastTrade, found));
  }

  /** Puts a trade in flight. Returns it as others see it. */
  addTrade(book: MarketBook, number: number, found: FoundTrade): ExchangeTrade {
    const { marketId, feeBps } = book.terms;
    const trade = describeTrade(found, { number, marketId, feeBps });
    this.trades.set(number, { trade, found });
    moveTrade(book, found, 1);
    return trade;
  }

  /** Takes a trade out of flight. Returns null if it is not in flight. */
  takeTrade(number: number): FoundTrade | null {
    const live = this.trades.get(number);
    if (live === undefined) return null;
    this.trades.delete(number);
    const book = this.markets.get(live.trade.marketId);
    if (book !== undefined) moveTrade(book, live.found, -1);
    return live.found;
  }

  /** Lets orders trade towards which the house has come. */
  matchCrossed(book: MarketBook): void {
    if (book.isHalted) return;
    for (let order = findCrossedOrder(book); order !== null; order = findCrossedOrder(book)) {
      removeOrder(book, order);
      this.match(book, order);
    }
  }

  /** Takes an order out of the book for good. It ends when nothing of it is in flight. */
  stop(order: BookOrder, reason: EndReason): void {
    if (order.ended !== null) return;
    const book = this.markets.get(order.order.marketId);
    if (book !== undefined) removeOrder(book, order);
    order.reason ??= reason;
    order.remaining = 0;
    this.settle(order);
  }

  /** Ends an order that neither rests nor has a trade in flight. */
  settle(order: BookOrder): void {
    if (order.resting > 0 || order.tradesInFlight > 0 || order.ended !== null) return;
    order.ended = order.reason ?? (order.hasGivenUp ? 'unfilled' : 'filled');
    this.owners.remove(order);
    const { address, owner, marketId } = order.order;
    if (order.isForgotten) this.orders.delete(address);
    else this.#newlyEnded.push({ address, owner, marketId, reason: order.ended });
  }
}

/** Counts a trade in flight in, with 1, or out, with -1. */
function moveTrade(book: MarketBook, { taker, maker, lots }: FoundTrade, count: 1 | -1): void {
  book.tradesInFlight += count;
  if (maker === null && taker.isBid) book.sellingLots += count * lots;
  if (maker === null && !taker.isBid) book.buyingLots += count * lots;
  for (const order of maker === null ? [taker] : [taker, maker]) {
    order.tradesInFlight += count;
    order.inFlight += count * lots;
  }
}
