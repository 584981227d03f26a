import type { Address } from '../../solana/address.ts';
import type {
  EndReason,
  ExchangeCommand,
  ExchangeOrder,
  ExchangeOutcome,
  MarketTerms,
} from '../exchange-order.ts';
import { type BookOrder, countRestableLots, createBookOrder, createRefusedOrder } from './book-order.ts';
import { countLots } from './lots.ts';
import { countNetLots, createMarketBook, getOwnSide, type MarketBook, refitOrder } from './market-book.ts';
import { type LiveTrade, OrderFlow } from './order-flow.ts';
import { computePaid, type FoundTrade } from './trade-side.ts';

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
  /** The number of the last command, which is the rank of the order that it brought. */
  lastCommand = 0;
  readonly #flow = new OrderFlow();

  get markets(): ReadonlyMap<string, MarketBook> {
    return this.#flow.markets;
  }

  get orders(): ReadonlyMap<Address, BookOrder> {
    return this.#flow.orders;
  }

  get trades(): ReadonlyMap<number, LiveTrade> {
    return this.#flow.trades;
  }

  get lastTrade(): number {
    return this.#flow.lastTrade;
  }

  /** Applies a command. One that has nothing to act on, such as a trade that is not in flight, changes nothing. */
  apply(command: ExchangeCommand): ExchangeOutcome {
    this.lastCommand++;
    this.#dispatch(command);
    return this.#flow.takeOutcome();
  }

  /** Adds an order as a snapshot has it. Those of a market come in the order of their ranks. */
  restoreOrder(order: BookOrder, resting: number): void {
    this.#flow.orders.set(order.order.address, order);
    if (order.ended === null) this.#flow.owners.add(order);
    const book = this.markets.get(order.order.marketId);
    if (resting > 0 && book !== undefined) getOwnSide(book, order).insert(order, resting);
  }

  /** Adds a trade in flight as a snapshot has it, after its orders. */
  restoreTrade(number: number, found: FoundTrade): void {
    const book = this.markets.get(found.taker.order.marketId);
    if (book !== undefined) this.#flow.addTrade(book, number, found);
  }

  /** Sets the numbers of what has come so far, as a snapshot has them. */
  restoreNumbers(lastCommand: number, lastTrade: number): void {
    this.lastCommand = lastCommand;
    this.#flow.lastTrade = lastTrade;
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
    if (!this.markets.has(terms.marketId)) this.#flow.markets.set(terms.marketId, createMarketBook(terms));
  }

  #halt(marketId: string): void {
    const book = this.markets.get(marketId);
    if (book === undefined || book.isHalted) return;
    book.isHalted = true;
    for (const side of [book.bids, book.asks]) {
      for (const order of side.orders()) this.#flow.stop(order, 'not-traded');
    }
  }

  #close(marketId: string): void {
    const book = this.markets.get(marketId);
    if (book?.isHalted === true && book.tradesInFlight === 0) this.#flow.markets.delete(marketId);
  }

  #setHouse(marketId: string, netYes: bigint): void {
    const book = this.markets.get(marketId);
    if (book === undefined || book.tradesInFlight > 0) return;
    book.netYes = countNetLots(netYes);
    this.#flow.matchCrossed(book);
  }

  #reset(marketId: string, netYes: bigint): void {
    const book = this.markets.get(marketId);
    if (book === undefined) return;
    for (const [number, { trade }] of this.trades) {
      if (trade.marketId === marketId) this.#flow.trades.delete(number);
    }
    for (const [address, order] of this.orders) {
      if (order.order.marketId !== marketId) continue;
      this.#flow.orders.delete(address);
      this.#flow.owners.remove(order);
    }
    const opened = createMarketBook({ ...book.terms, netYes });
    opened.isHalted = book.isHalted;
    this.#flow.markets.set(marketId, opened);
  }

  #accept(order: ExchangeOrder): void {
    if (this.orders.has(order.address)) return;
    const book = this.markets.get(order.marketId);
    const added = book === undefined || book.isHalted ? 'not-traded' : this.#createOrder(order, book);
    if (book === undefined || typeof added === 'string') {
      this.#refuse(order, typeof added === 'string' ? added : 'not-traded');
      return;
    }
    this.#flow.orders.set(order.address, added);
    this.#flow.owners.add(added);
    this.#flow.match(book, added);
  }

  /** Returns the order as it goes into a book, or why it does not. */
  #createOrder(order: ExchangeOrder, book: MarketBook): BookOrder | EndReason {
    const asked = countLots(order.contracts);
    if (asked === 0) return 'too-small';
    const lots = order.isBuy ? asked : this.#flow.owners.countSaleLots(order);
    if (lots <= 0) return 'nothing-to-sell';
    const created = createBookOrder(order, { rank: this.lastCommand, feeBps: book.terms.feeBps, lots });
    if (created === null) return 'unfilled';
    return countRestableLots(created) === 0 ? 'too-small' : created;
  }

  #refuse(order: ExchangeOrder, reason: EndReason): void {
    const refused = createRefusedOrder(order, this.lastCommand, reason);
    this.#flow.orders.set(order.address, refused);
    this.#flow.settle(refused);
  }

  #end(address: Address, reason: EndReason): void {
    const order = this.orders.get(address);
    if (order !== undefined) this.#flow.stop(order, reason);
  }

  #confirm(number: number): void {
    const found = this.#flow.takeTrade(number);
    if (found === null) return;
    for (const order of found.maker === null ? [found.taker] : [found.maker, found.taker]) {
      order.confirmed += found.lots;
      this.#flow.settle(order);
    }
    const book = this.markets.get(found.taker.order.marketId);
    if (book === undefined || found.maker !== null) return;
    book.netYes += found.taker.isBid ? found.lots : -found.lots;
    this.#flow.matchCrossed(book);
  }

  #revert(number: number, faulty: Address | null): void {
    const found = this.#flow.takeTrade(number);
    if (found === null) return;
    const { taker, maker, lots } = found;
    const book = this.markets.get(taker.order.marketId);
    if (book === undefined) return;
    // The maker came first, and so it does again.
    const orders = maker === null ? [taker] : [maker, taker];
    for (const order of orders) {
      if (order.order.address === faulty) this.#flow.stop(order, 'faulty');
      else if (book.isHalted) this.#flow.stop(order, 'not-traded');
      if (order.reason !== null) continue;
      order.remaining += lots;
      if (order.order.isBuy) order.budget += computePaid(order, found, book.terms.feeBps);
      refitOrder(book, order);
    }
    for (const order of orders) {
      if (order.reason !== null) this.#flow.settle(order);
      else if (order.resting === 0) this.#flow.match(book, order);
    }
    this.#flow.matchCrossed(book);
  }

  #forget(address: Address): void {
    const order = this.orders.get(address);
    if (order === undefined) return;
    order.isForgotten = true;
    if (order.ended === null) this.#flow.stop(order, 'expired');
    else this.#flow.orders.delete(address);
  }
}
