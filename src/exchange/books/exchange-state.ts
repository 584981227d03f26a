import type { Address } from '../../solana/address.ts';
import type {
  EndedOrder,
  EndReason,
  ExchangeCommand,
  ExchangeOrder,
  ExchangeOutcome,
  ExchangeTrade,
  MarketTerms,
} from '../exchange-order.ts';
import { type BookOrder, countRestableLots, createBookOrder, createRefusedOrder } from './book-order.ts';
import { countLots } from './lots.ts';
import {
  countNetLots,
  createMarketBook,
  findCrossedOrder,
  getOwnSide,
  isWithin,
  type MarketBook,
  executeOrder,
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

/**
 * All books of an exchange. It is a function of the commands alone: it has neither clock nor chance, so that the same commands
 * give the same books and the same trades, wherever they are applied.
 *
 * @example
 * ```ts
 * import { ExchangeState } from './exchange-state.ts';
 *
 * const state = new ExchangeState();
 * const house = { startCents: 50, levelContracts: 1_000_000n };
 * state.apply({ kind: 'open', terms: { marketId: 'rain', feeBps: 700, house, netYes: 0n } });
 * console.log(state.markets.size);
 * ```
 */
export class ExchangeState {
  readonly markets = new Map<string, MarketBook>();
  readonly orders = new Map<Address, BookOrder>();
  readonly trades = new Map<number, LiveTrade>();
  /** The number of the last command, which is the rank of the order that it brought. */
  lastCommand = 0;
  lastTrade = 0;
  readonly #owners = new OwnerOrders();
  #newTrades: ExchangeTrade[] = [];
  #newlyEnded: EndedOrder[] = [];

  /** Applies a command. One that has nothing to act on, such as a trade that is not in flight, changes nothing. */
  apply(command: ExchangeCommand): ExchangeOutcome {
    this.lastCommand++;
    this.#newTrades = [];
    this.#newlyEnded = [];
    this.#dispatch(command);
    return { trades: this.#newTrades, ended: this.#newlyEnded };
  }

  /** Adds an order as a snapshot has it. Those of a market come in the order of their ranks. */
  restoreOrder(order: BookOrder, resting: number): void {
    this.orders.set(order.order.address, order);
    if (order.ended === null) this.#owners.add(order);
    const book = this.markets.get(order.order.marketId);
    if (resting > 0 && book !== undefined) getOwnSide(book, order).insert(order, resting);
  }

  /** Adds a trade in flight as a snapshot has it, after its orders. */
  restoreTrade(number: number, found: FoundTrade): void {
    const book = this.markets.get(found.taker.order.marketId);
    if (book !== undefined) this.#addTrade(book, number, found);
  }

  #dispatch(command: ExchangeCommand): void {
    switch (command.kind) {
      case 'open':
        this.#open(command.terms);
        break;
      case 'halt':
        this.#halt(command.marketId);
        break;
      case 'close':
        this.#close(command.marketId);
        break;
      case 'house':
        this.#setHouse(command.marketId, command.netYes);
        break;
      case 'reset':
        this.#reset(command.marketId, command.netYes);
        break;
      case 'accept':
        this.#accept(command.order);
        break;
      case 'end':
        this.#end(command.order, command.reason);
        break;
      case 'confirm':
        this.#confirm(command.trade);
        break;
      case 'revert':
        this.#revert(command.trade, command.faulty);
        break;
      case 'forget':
        this.#forget(command.order);
        break;
    }
  }

  #open(terms: MarketTerms): void {
    if (!this.markets.has(terms.marketId)) this.markets.set(terms.marketId, createMarketBook(terms));
  }

  #halt(marketId: string): void {
    const book = this.markets.get(marketId);
    if (book === undefined || book.isHalted) return;
    book.isHalted = true;
    for (const side of [book.bids, book.asks]) {
      for (const order of side.orders()) this.#stop(order, 'not-traded');
    }
  }

  #close(marketId: string): void {
    const book = this.markets.get(marketId);
    if (book?.isHalted === true && book.tradesInFlight === 0) this.markets.delete(marketId);
  }

  #setHouse(marketId: string, netYes: bigint): void {
    const book = this.markets.get(marketId);
    if (book === undefined || book.tradesInFlight > 0) return;
    book.netYes = countNetLots(netYes);
    this.#matchCrossed(book);
  }

  #reset(marketId: string, netYes: bigint): void {
    const book = this.markets.get(marketId);
    if (book === undefined) return;
    for (const [number, { trade }] of this.trades) {
      if (trade.marketId === marketId) this.trades.delete(number);
    }
    for (const [address, order] of this.orders) {
      if (order.order.marketId !== marketId) continue;
      this.orders.delete(address);
      this.#owners.remove(order);
    }
    const opened = createMarketBook({ ...book.terms, netYes });
    opened.isHalted = book.isHalted;
    this.markets.set(marketId, opened);
  }

  #accept(order: ExchangeOrder): void {
    if (this.orders.has(order.address)) return;
    const book = this.markets.get(order.marketId);
    const added = book === undefined || book.isHalted ? 'not-traded' : this.#createOrder(order, book);
    if (book === undefined || typeof added === 'string') {
      this.#refuse(order, typeof added === 'string' ? added : 'not-traded');
      return;
    }
    this.orders.set(order.address, added);
    this.#owners.add(added);
    this.#match(book, added);
  }

  /** Returns the order as it goes into a book, or why it does not. */
  #createOrder(order: ExchangeOrder, book: MarketBook): BookOrder | EndReason {
    const asked = countLots(order.contracts);
    if (asked === 0) return 'too-small';
    const lots = order.isBuy ? asked : this.#owners.countSaleLots(order);
    if (lots <= 0) return 'nothing-to-sell';
    const created = createBookOrder(order, { rank: this.lastCommand, feeBps: book.terms.feeBps, lots });
    if (created === null) return 'unfilled';
    return countRestableLots(created) === 0 ? 'too-small' : created;
  }

  #refuse(order: ExchangeOrder, reason: EndReason): void {
    const refused = createRefusedOrder(order, this.lastCommand, reason);
    this.orders.set(order.address, refused);
    this.#settle(refused);
  }

  #end(address: Address, reason: EndReason): void {
    const order = this.orders.get(address);
    if (order !== undefined) this.#stop(order, reason);
  }

  #confirm(number: number): void {
    const found = this.#takeTrade(number);
    if (found === null) return;
    for (const order of found.maker === null ? [found.taker] : [found.maker, found.taker]) {
      order.confirmed += found.lots;
      this.#settle(order);
    }
    const book = this.markets.get(found.taker.order.marketId);
    if (book === undefined || found.maker !== null) return;
    book.netYes += found.taker.isBid ? found.lots : -found.lots;
    this.#matchCrossed(book);
  }

  #revert(number: number, faulty: Address | null): void {
    const found = this.#takeTrade(number);
    if (found === null) return;
    const { taker, maker, lots } = found;
    const book = this.markets.get(taker.order.marketId);
    if (book === undefined) return;
    // The maker came first, and so it does again.
    const orders = maker === null ? [taker] : [maker, taker];
    for (const order of orders) {
      if (order.order.address === faulty) this.#stop(order, 'faulty');
      else if (book.isHalted) this.#stop(order, 'not-traded');
      if (order.reason !== null) continue;
      order.remaining += lots;
      if (order.order.isBuy) order.budget += computePaid(order, found, book.terms.feeBps);
      refitOrder(book, order);
    }
    for (const order of orders) {
      if (order.reason !== null) this.#settle(order);
      else if (order.resting === 0) this.#match(book, order);
    }
    this.#matchCrossed(book);
  }

  #forget(address: Address): void {
    const order = this.orders.get(address);
    if (order === undefined) return;
    order.isForgotten = true;
    if (order.ended === null) this.#stop(order, 'expired');
    else this.orders.delete(address);
  }

  /** Matches an order that does not rest. What is left of it rests, or is given up. */
  #match(book: MarketBook, order: BookOrder): void {
    const isDone = executeOrder(book, order, {
      onTrade: (found) => this.#trade(book, found),
      onSelfTrade: (maker) => this.#stop(maker, 'self-trade'),
    });
    const restable = countRestableLots(order);
    if (!order.order.isLimit || !isDone) {
      if (restable > 0) order.hasGivenUp = true;
      order.remaining = 0;
    } else if (restable > 0) {
      this.#rest(book, order, restable);
    }
    this.#settle(order);
  }

  /** Puts an order into the book. In a full one it takes the place of the last order, if its price is better. */
  #rest(book: MarketBook, order: BookOrder, lots: number): void {
    if (this.#owners.countResting(order.order.owner) >= MAX_OWN_RESTING_ORDERS) {
      this.#stop(order, 'owner-full');
      return;
    }
    const side = getOwnSide(book, order);
    if (side.count >= MAX_RESTING_ORDERS) {
      const last = side.findLast();
      if (last === null || isWithin(order.isBid, order.limit, last.limit)) {
        this.#stop(order, 'book-full');
        return;
      }
      this.#stop(last, 'book-full');
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
    this.#newTrades.push(this.#addTrade(book, this.lastTrade, found));
  }

  #addTrade(book: MarketBook, number: number, found: FoundTrade): ExchangeTrade {
    const { marketId, feeBps } = book.terms;
    const trade = describeTrade(found, { number, marketId, feeBps });
    this.trades.set(number, { trade, found });
    moveTrade(book, found, 1);
    return trade;
  }

  /** Takes a trade out of flight. Returns null if it is not in flight. */
  #takeTrade(number: number): FoundTrade | null {
    const live = this.trades.get(number);
    if (live === undefined) return null;
    this.trades.delete(number);
    const book = this.markets.get(live.trade.marketId);
    if (book !== undefined) moveTrade(book, live.found, -1);
    return live.found;
  }

  /** Lets orders trade towards which the house has come. */
  #matchCrossed(book: MarketBook): void {
    if (book.isHalted) return;
    for (let order = findCrossedOrder(book); order !== null; order = findCrossedOrder(book)) {
      removeOrder(book, order);
      this.#match(book, order);
    }
  }

  /** Takes an order out of the book for good. It ends when nothing of it is in flight. */
  #stop(order: BookOrder, reason: EndReason): void {
    if (order.ended !== null) return;
    const book = this.markets.get(order.order.marketId);
    if (book !== undefined) removeOrder(book, order);
    order.reason ??= reason;
    order.remaining = 0;
    this.#settle(order);
  }

  /** Ends an order that neither rests nor has a trade in flight. */
  #settle(order: BookOrder): void {
    if (order.resting > 0 || order.tradesInFlight > 0 || order.ended !== null) return;
    order.ended = order.reason ?? (order.hasGivenUp ? 'unfilled' : 'filled');
    this.#owners.remove(order);
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
