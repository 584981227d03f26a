import type { EndReason, ExchangeOrder } from '../exchange-order.ts';
import {
  FULL_PRICE,
  computeFeeFactor,
  computeLimitSteps,
  countAffordableLots,
  toSafeAmount,
} from './lots.ts';

/** An order while the exchange knows it. Amounts are lots and micro USD: see `lots.ts`. */
export interface BookOrder {
  readonly order: ExchangeOrder;
  /** Orders with the same price are served by their ranks. It is the number of the command that brought the order. */
  readonly rank: number;
  /** Whether it bids for yes contracts: it buys yes or sells no. Otherwise it asks. */
  readonly isBid: boolean;
  /** The worst price that it takes, for a yes contract. */
  readonly limit: number;
  /** The same for a contract of its own side. */
  readonly ownLimit: number;
  readonly feeBps: number;
  /** The fee factor at its limit, at which it trades while it rests. */
  readonly feeFactor: number;
  /** Lots that are neither filled nor in flight. */
  remaining: number;
  /** Micro USD of a purchase that are neither spent nor in flight. */
  budget: number;
  /** Lots of trades that were confirmed. */
  confirmed: number;
  /** Lots of trades in flight. */
  inFlight: number;
  tradesInFlight: number;
  /** Lots that it offers in the book; 0 while it does not rest. */
  resting: number;
  /** Whether the book had no more for a part of it, which it gave up. */
  hasGivenUp: boolean;
  /** Set when it must not be matched again. */
  reason: EndReason | null;
  /** Set when it has left the book, with nothing in flight. */
  ended: EndReason | null;
  /** Whether it need not be known once it has ended. */
  isForgotten: boolean;
  previous: BookOrder | null;
  next: BookOrder | null;
}

/** Returns the order as it arrives, with `lots` to fill; null if no price keeps its limit. */
export function createBookOrder(
  order: ExchangeOrder,
  { rank, feeBps, lots }: { readonly rank: number; readonly feeBps: number; readonly lots: number },
): BookOrder | null {
  const ownLimit = computeLimitSteps(order.limitPrice, order.isBuy);
  if (ownLimit === null) return null;
  return {
    order,
    rank,
    isBid: order.isYes === order.isBuy,
    limit: order.isYes ? ownLimit : FULL_PRICE - ownLimit,
    ownLimit,
    feeBps,
    feeFactor: computeFeeFactor(feeBps, ownLimit),
    remaining: lots,
    budget: order.isBuy ? toSafeAmount(order.budget) : 0,
    confirmed: 0,
    inFlight: 0,
    tradesInFlight: 0,
    resting: 0,
    hasGivenUp: false,
    reason: null,
    ended: null,
    isForgotten: false,
    previous: null,
    next: null,
  };
}

/** Returns the lots that an order can offer in the book. */
export function countRestableLots({ order, remaining, budget, ownLimit, feeFactor }: BookOrder): number {
  if (!order.isBuy) return remaining;
  return Math.min(remaining, countAffordableLots(budget, ownLimit, feeFactor));
}

/** Returns an order that ends at once: of a market that is not traded, or one that no price or no lot is left of. */
export function createRefusedOrder(order: ExchangeOrder, rank: number, reason: EndReason): BookOrder {
  return {
    order,
    rank,
    isBid: order.isYes === order.isBuy,
    limit: 0,
    ownLimit: 0,
    feeBps: 0,
    feeFactor: 0,
    remaining: 0,
    budget: 0,
    confirmed: 0,
    inFlight: 0,
    tradesInFlight: 0,
    resting: 0,
    hasGivenUp: false,
    reason,
    ended: null,
    isForgotten: false,
    previous: null,
    next: null,
  };
}
