import type { Address } from '../../solana/address.ts';
import type { PredictionBook, PredictionFillEstimate } from '../exchange.ts';
import type { ExchangeCommand, ExchangeTrade, KnownExchangeOrder } from '../exchange-order.ts';
import type { BookOrder } from './book-order.ts';
import {
  type BestPrices,
  describeBook,
  describePrices,
  estimatePurchase,
  estimateSale,
} from './book-view.ts';
import type { ExchangeState } from './exchange-state.ts';
import { toContracts } from './lots.ts';
import type { MarketBook } from './market-book.ts';

const NO_FILL: PredictionFillEstimate = { contracts: 0n, amount: 0n, fee: 0n, worstPrice: null };

/** A market as the exchange has it. */
export interface TradedMarket {
  readonly isHalted: boolean;
  /** Micro-contracts of yes that the house is short of, without the trades in flight. */
  readonly netYes: bigint;
  /** How many trades are in flight. */
  readonly tradesInFlight: number;
}

/** What can be asked of the books of an exchange, whether this instance trades or another one does. */
export abstract class ExchangeReader {
  readonly #listeners = new Set<(marketId: string) => void>();

  protected abstract get state(): ExchangeState;

  /** Returns the order book of a market; null if it is not traded now. */
  getBook(marketId: string): PredictionBook | null {
    const book = this.#findTraded(marketId);
    return book === null ? null : describeBook(book);
  }

  /** Returns the best prices of a market; null if it is not traded now. */
  getPrices(marketId: string): BestPrices | null {
    const book = this.#findTraded(marketId);
    return book === null ? null : describePrices(book);
  }

  /** Estimates a purchase for up to `amount` micro USD, fees included, at up to `maxPrice`. */
  estimateBuy(
    marketId: string,
    isYes: boolean,
    limits: { readonly amount: bigint; readonly maxPrice: bigint },
  ): PredictionFillEstimate {
    const book = this.#findTraded(marketId);
    return book === null ? NO_FILL : estimatePurchase(book, isYes, limits);
  }

  /** Estimates a sale of up to `contracts` at no less than `minPrice`. */
  estimateSell(
    marketId: string,
    isYes: boolean,
    limits: { readonly contracts: bigint; readonly minPrice: bigint },
  ): PredictionFillEstimate {
    const book = this.#findTraded(marketId);
    return book === null ? NO_FILL : estimateSale(book, isYes, limits);
  }

  findMarket(marketId: string): TradedMarket | null {
    const book = this.state.markets.get(marketId);
    if (book === undefined) return null;
    const { isHalted, netYes, tradesInFlight } = book;
    return { isHalted, netYes: toContracts(netYes), tradesInFlight };
  }

  /** Returns the markets that are open, or halted and not closed. */
  listMarkets(): readonly string[] {
    return [...this.state.markets.keys()];
  }

  findOrder(address: Address): KnownExchangeOrder | null {
    const order = this.state.orders.get(address);
    return order === undefined ? null : toKnownExchangeOrder(order);
  }

  /** Goes over all orders that it knows: those that rest, that have trades in flight, and that have ended and are not forgotten. */
  *orders(): Iterable<KnownExchangeOrder> {
    for (const order of this.state.orders.values()) yield toKnownExchangeOrder(order);
  }

  findTrade(number: number): ExchangeTrade | null {
    return this.state.trades.get(number)?.trade ?? null;
  }

  *tradesInFlight(): Iterable<ExchangeTrade> {
    for (const { trade } of this.state.trades.values()) yield trade;
  }

  /** Calls back when the book of a market may have changed. Returns what ends it. */
  onChange(listener: (marketId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  protected notify(changed: ReadonlySet<string>): void {
    for (const marketId of changed) for (const listener of this.#listeners) listener(marketId);
  }

  #findTraded(marketId: string): MarketBook | null {
    const book = this.state.markets.get(marketId);
    return book === undefined || book.isHalted ? null : book;
  }
}

/** Returns the market that a command is about, before it is applied; null if it has nothing to act on. */
export function findCommandMarket(state: ExchangeState, command: ExchangeCommand): string | null {
  switch (command.kind) {
    case 'open':
      return command.terms.marketId;
    case 'accept':
      return command.order.marketId;
    case 'end':
    case 'forget':
      return state.orders.get(command.order)?.order.marketId ?? null;
    case 'confirm':
    case 'revert':
      return state.trades.get(command.trade)?.trade.marketId ?? null;
    default:
      return command.marketId;
  }
}

function toKnownExchangeOrder({ order, resting, inFlight, confirmed, ended }: BookOrder): KnownExchangeOrder {
  return {
    order,
    resting: toContracts(resting),
    inFlight: toContracts(inFlight),
    confirmed: toContracts(confirmed),
    ended,
  };
}
