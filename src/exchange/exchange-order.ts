import type { Address } from '../solana/address.ts';
import type { HouseTerms } from './exchange.ts';

/** An order as the exchange is asked to accept it, once it has landed. */
export interface ExchangeOrder {
  /** The order's account, by which the exchange names it. */
  readonly address: Address;
  readonly owner: Address;
  readonly marketId: string;
  readonly isYes: boolean;
  readonly isBuy: boolean;
  /** Whether what is not filled at once rests in the book. Otherwise it ends. */
  readonly isLimit: boolean;
  /** The highest price of a purchase, the lowest of a sale, for a contract of its side, in micro USD. */
  readonly limitPrice: bigint;
  /** Micro-contracts that are still to be filled. What is less than `CONTRACT_STEP` is not. */
  readonly contracts: bigint;
  /** What a purchase may still spend, fees included, in micro USD. */
  readonly budget: bigint;
  /** Micro-contracts that the position of a sale has on the chain. What its owner's other sales offer is not sold again. */
  readonly heldContracts: bigint;
}

/** How a market is traded. */
export interface MarketTerms {
  readonly marketId: string;
  readonly feeBps: number;
  readonly house: HouseTerms;
  /** Micro-contracts: those of all yes positions less those of all no positions, which are what the house is short of. */
  readonly netYes: bigint;
}

/** Why an order has ended. */
export type EndReason =
  /** All of it was filled, or its budget is spent. */
  | 'filled'
  /** It does not rest, and the book had no more for it. */
  | 'unfilled'
  /** It is for less than one step, or its budget does not pay for one. */
  | 'too-small'
  /** Its owner has no contracts that are not on sale already. */
  | 'nothing-to-sell'
  /** Its market is not traded, or no longer. */
  | 'not-traded'
  /** The book has no room for an order with its price. */
  | 'book-full'
  /** Its owner has too many resting orders. */
  | 'owner-full'
  /** It rested when another order of its owner met it. */
  | 'self-trade'
  /** It has rested for as long as orders may. */
  | 'expired'
  /** The chain refuses to fill it. */
  | 'faulty';

/** What one order gives and gets in a trade. */
export interface ExchangeTradeSide {
  readonly order: Address;
  readonly owner: Address;
  readonly isYes: boolean;
  readonly isBuy: boolean;
  /** The price for a contract of its side, in micro USD. */
  readonly price: bigint;
  /** Micro USD: the cost of a purchase, or what a sale gets before the fee. */
  readonly amount: bigint;
  /** The venue's fee, in micro USD. */
  readonly fee: bigint;
}

/** A trade that was agreed. It is in flight until it is confirmed or reverted. */
export interface ExchangeTrade {
  /** Counted from 1 on each network. A number is never used again. */
  readonly number: number;
  readonly marketId: string;
  /** Micro-contracts. */
  readonly contracts: bigint;
  /** The order that came later. */
  readonly taker: ExchangeTradeSide;
  /** The order that rested; null if it is the house. */
  readonly maker: ExchangeTradeSide | null;
}

/** An order that has left the book and has no trade in flight: it can be closed on the chain. */
export interface EndedOrder {
  readonly address: Address;
  readonly owner: Address;
  readonly marketId: string;
  readonly reason: EndReason;
}

/** What a command to the exchange has brought about. */
export interface ExchangeOutcome {
  readonly trades: readonly ExchangeTrade[];
  readonly ended: readonly EndedOrder[];
}

/** An order that the exchange knows. */
export interface KnownExchangeOrder {
  readonly order: ExchangeOrder;
  /** Micro-contracts that rest in the book. */
  readonly resting: bigint;
  /** Micro-contracts of trades in flight. */
  readonly inFlight: bigint;
  /** Micro-contracts of trades that were confirmed. */
  readonly confirmed: bigint;
  /** Why it has ended; null while it rests or has trades in flight. */
  readonly ended: EndReason | null;
}

/** What the exchange can be told. Each command is in the journal before anything follows from it. */
export type ExchangeCommand =
  /** Begins to trade a market. A market that is open already stays as it is. */
  | { readonly kind: 'open'; readonly terms: MarketTerms }
  /** Ends the resting orders of a market, and accepts no more. */
  | { readonly kind: 'halt'; readonly marketId: string }
  /** Forgets a market that has halted and has no trade in flight. */
  | { readonly kind: 'close'; readonly marketId: string }
  /** Tells how far the house is short of yes contracts by the chain, nothing being in flight. */
  | { readonly kind: 'house'; readonly marketId: string; readonly netYes: bigint }
  /** Forgets the orders and trades of a market, because the chain has it otherwise. Those that are open there are accepted again. */
  | { readonly kind: 'reset'; readonly marketId: string; readonly netYes: bigint }
  /** Matches an order. One that is known already stays as it is. */
  | { readonly kind: 'accept'; readonly order: ExchangeOrder }
  | { readonly kind: 'end'; readonly order: Address; readonly reason: EndReason }
  /** A trade is on the chain. */
  | { readonly kind: 'confirm'; readonly trade: number }
  /**
   * A trade cannot be on the chain. Its innocent orders are offered again in their old places; `faulty` ends. Null: neither
   * order is at fault.
   */
  | { readonly kind: 'revert'; readonly trade: number; readonly faulty: Address | null }
  /** The chain no longer has the order, so that the exchange need not know it. It has ended, or ends without a trace. */
  | { readonly kind: 'forget'; readonly order: Address };
