import type { MarketTerms } from '../exchange-order.ts';
import {
  createHouseLadder,
  findHouseAsk,
  findHouseBid,
  type HouseLadder,
  type HouseOffer,
} from '../house.ts';
import { type BookOrder, countRestableLots } from './book-order.ts';
import { BookSide } from './book-side.ts';
import { computeFeeFactor, countAffordableLots, countLots } from './lots.ts';
import { type FoundTrade, toOwnPrice } from './trade-side.ts';

/** A market keeps no more orders than this on each side of its book. */
export const MAX_RESTING_ORDERS = 5_000;

/** An order makes no more trades than this at once, because each of them costs a transaction. It gives up what it has left then. */
export const MAX_TRADES_AT_ONCE = 250;

/** A market while it is traded, and until its last trade is settled. Its orders are served by price, and by rank within a price. */
export interface MarketBook {
  readonly terms: MarketTerms;
  readonly ladder: HouseLadder;
  readonly bids: BookSide;
  readonly asks: BookSide;
  /** Lots of yes contracts that the house is short of, without the trades in flight. */
  netYes: number;
  /** Lots of trades in flight in which the house sells, and in which it buys. */
  sellingLots: number;
  buyingLots: number;
  tradesInFlight: number;
  isHalted: boolean;
}

/** What is best on a side: an order, or the house, which comes after orders with the same price. */
export interface BestOffer {
  readonly price: number;
  readonly lots: number;
  /** Null: the house. */
  readonly maker: BookOrder | null;
}

/** Called by matching for each step, in their order. */
export interface MatchSteps {
  /** The trade is to be taken from the orders and the house before matching goes on. */
  readonly onTrade: (trade: FoundTrade) => void;
  /** A resting order has met another one of its owner. It is to be taken out of the book before matching goes on. */
  readonly onSelfTrade: (maker: BookOrder) => void;
}

/** Returns a market without orders. */
export function createMarketBook(terms: MarketTerms): MarketBook {
  const net = terms.netYes;
  return {
    terms,
    ladder: createHouseLadder(terms.house),
    bids: new BookSide(true),
    asks: new BookSide(false),
    netYes: countNetLots(net),
    sellingLots: 0,
    buyingLots: 0,
    tradesInFlight: 0,
    isHalted: false,
  };
}

/** Returns the side of the book on which an order rests. */
export function getOwnSide({ bids, asks }: MarketBook, { isBid }: BookOrder): BookSide {
  return isBid ? bids : asks;
}

/** Returns a number of micro-contracts, which may be negative, in lots. */
export function countNetLots(contracts: bigint): number {
  return contracts < 0n ? -countLots(-contracts) : countLots(contracts);
}

/**
 * Returns from where the house offers to one that bids, or that asks. Of the trades in flight it counts those that make its
 * offer worse, and not those that make it better: they need not all land, nor in their order, and what the house can lose is
 * bounded whichever do. A trade that never lands does not move its price for anybody.
 */
export function computeHouseNet(
  { netYes, sellingLots, buyingLots }: Pick<MarketBook, 'netYes' | 'sellingLots' | 'buyingLots'>,
  isBid: boolean,
): number {
  return isBid ? netYes + sellingLots : netYes - buyingLots;
}

/** Returns what the house offers to one that bids, or that asks, when it stands at `net`. */
export function findHouseOffer(ladder: HouseLadder, net: number, isBid: boolean): HouseOffer | null {
  return isBid ? findHouseAsk(ladder, net) : findHouseBid(ladder, net);
}

/** Returns the best offer for an order that bids, or that asks; null if there is none. */
export function findBestOffer(book: MarketBook, isBid: boolean): BestOffer | null {
  const maker = isBid ? book.asks.first : book.bids.first;
  const house = findHouseOffer(book.ladder, computeHouseNet(book, isBid), isBid);
  if (maker === null) return house === null ? null : { price: house.price, lots: house.lots, maker: null };
  const isHouseBetter =
    house !== null && isWithin(isBid, house.price, maker.limit) && house.price !== maker.limit;
  if (isHouseBetter) return { price: house.price, lots: house.lots, maker: null };
  return { price: maker.limit, lots: maker.resting, maker };
}

/**
 * Executes an order that does not rest, until nothing more keeps its limit or it has no more lots or budget.
 *
 * Returns whether it got so far: false if it has made as many trades as one may.
 */
export function executeOrder(
  book: MarketBook,
  taker: BookOrder,
  { onTrade, onSelfTrade }: MatchSteps,
): boolean {
  for (let trades = 0; taker.remaining > 0; ) {
    const best = findBestOffer(book, taker.isBid);
    if (best === null || !isWithin(taker.isBid, best.price, taker.limit)) return true;
    const { price, maker } = best;
    if (maker !== null && maker.order.owner === taker.order.owner) {
      onSelfTrade(maker);
      continue;
    }
    const affordable = taker.order.isBuy
      ? countAffordableLots(
          taker.budget,
          toOwnPrice(taker, price),
          computeFeeFactor(book.terms.feeBps, price),
        )
      : taker.remaining;
    const lots = Math.min(taker.remaining, best.lots, affordable);
    if (lots === 0) return true;
    if (trades === MAX_TRADES_AT_ONCE) return false;
    trades++;
    onTrade({ taker, maker, lots, price });
  }
  return true;
}

/** Returns a resting order that the house would trade with now; null if there is none. The house may have come towards it. */
export function findCrossedOrder(book: MarketBook): BookOrder | null {
  const ask = findHouseOffer(book.ladder, computeHouseNet(book, true), true);
  const bid = book.bids.first;
  if (ask !== null && bid !== null && bid.limit >= ask.price) return bid;
  const houseBid = findHouseOffer(book.ladder, computeHouseNet(book, false), false);
  const userAsk = book.asks.first;
  if (houseBid !== null && userAsk !== null && userAsk.limit <= houseBid.price) return userAsk;
  return null;
}

/** Offers as much of a resting order as it has lots and budget for. With none it leaves the book. */
export function refitOrder(book: MarketBook, order: BookOrder): void {
  if (order.resting > 0) getOwnSide(book, order).resize(order, countRestableLots(order));
}

/** Takes an order out of the book, if it rests. */
export function removeOrder(book: MarketBook, order: BookOrder): void {
  if (order.resting > 0) getOwnSide(book, order).resize(order, 0);
}

/** Whether a price is at least as good as `limit` for an order that bids, or that asks. */
export function isWithin(isBid: boolean, price: number, limit: number): boolean {
  return isBid ? price <= limit : price >= limit;
}
