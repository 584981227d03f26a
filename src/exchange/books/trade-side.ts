import type { ExchangeTrade, ExchangeTradeSide } from '../exchange-order.ts';
import type { BookOrder } from './book-order.ts';
import {
  computeFeeFactor,
  computeLotsFee,
  FULL_PRICE,
  MICRO_PER_LOT_STEP,
  toContracts,
  toMicroPrice,
} from './lots.ts';

/** A trade that matching has found. */
export interface FoundTrade {
  readonly taker: BookOrder;
  /** Null: the house. */
  readonly maker: BookOrder | null;
  readonly lots: number;
  /** The price of a yes contract: that of the maker. */
  readonly price: number;
}

/** Returns what an order pays or gets for a contract of its own, at a price of yes. */
export function toOwnPrice({ order }: BookOrder, price: number): number {
  return order.isYes ? price : FULL_PRICE - price;
}

/** Returns what a purchase pays in a trade, the fee included, in micro USD. */
export function computePaid(order: BookOrder, { lots, price }: FoundTrade, feeBps: number): number {
  const fee = computeLotsFee(lots, computeFeeFactor(feeBps, price));
  return MICRO_PER_LOT_STEP * lots * toOwnPrice(order, price) + fee;
}

/** Returns a trade as others see it. */
export function describeTrade(
  found: FoundTrade,
  {
    number,
    marketId,
    feeBps,
  }: { readonly number: number; readonly marketId: string; readonly feeBps: number },
): ExchangeTrade {
  const { taker, maker, lots } = found;
  return {
    number,
    marketId,
    contracts: toContracts(lots),
    taker: describeSide(taker, found, feeBps),
    maker: maker === null ? null : describeSide(maker, found, feeBps),
  };
}

function describeSide(book: BookOrder, { lots, price }: FoundTrade, feeBps: number): ExchangeTradeSide {
  const { address, owner, isYes, isBuy } = book.order;
  const ownPrice = toOwnPrice(book, price);
  return {
    order: address,
    owner,
    isYes,
    isBuy,
    price: toMicroPrice(ownPrice),
    amount: BigInt(MICRO_PER_LOT_STEP * lots * ownPrice),
    fee: BigInt(computeLotsFee(lots, computeFeeFactor(feeBps, price))),
  };
}
