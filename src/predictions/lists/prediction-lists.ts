import type { Address } from '../../solana/address.ts';
import type { PredictionEvent, PredictionMarket, OpenPredictionPosition } from '../prediction.ts';

/** Where markets come from: orders trade those of `polymarket`, and those of `bisonfi` are forecasts. */
export type EventProvider = 'polymarket' | 'bisonfi';

/** Which events to list, and in which order. */
export interface EventSelection {
  readonly provider: EventProvider;
  /** Null: all of them. */
  readonly category: string | null;
  /** Events with one of these; all if it is empty. */
  readonly subcategories: readonly string[];
  /** Events with one of these; all if it is empty. */
  readonly tags: readonly string[];
  readonly filter: 'new' | 'live' | 'trending' | 'upcoming' | null;
  readonly sortBy: 'volume' | 'volume24hr' | 'beginAt';
  readonly direction: 'asc' | 'desc';
}

/** What was traded, in micro USD. */
export interface TradedVolume {
  readonly total: bigint;
  /** Within the last 24 hours. */
  readonly day: bigint;
}

/** Lists of events. Everything is answered from memory. */
export interface PredictionEventLists {
  /** Returns all events that the selection names, sorted. */
  readonly selectEvents: (selection: EventSelection) => readonly PredictionEvent[];
  /** Returns the events whose texts hold the words, the best match first. */
  readonly searchEvents: (
    text: string,
    { limit, provider }: { readonly limit: number; readonly provider: EventProvider },
  ) => readonly PredictionEvent[];
  /** Returns events that may interest a wallet, by what it has traded and what others trade. */
  readonly suggestEvents: (
    wallet: Address,
    { limit, provider }: { readonly limit: number; readonly provider: EventProvider },
  ) => readonly PredictionEvent[];
  readonly volumeOfEvent: (eventId: string) => TradedVolume;
  readonly volumeOfMarket: (marketId: string) => TradedVolume;
}

/** A position with what it is worth. Amounts are micro USD. */
export interface ValuedPosition {
  readonly position: OpenPredictionPosition;
  readonly event: PredictionEvent;
  readonly market: PredictionMarket;
  /** What the contracts are worth: at the mark price, or by the result. Null when the market is closed and has none. */
  readonly value: bigint | null;
  /** The best bid of the side; null without one, and when the market is not traded any more. */
  readonly markPrice: bigint | null;
  /** The best bid of the side; null without one. */
  readonly sellPrice: bigint | null;
  /** Of one contract, the fees left aside. */
  readonly averagePrice: bigint;
  readonly pnl: bigint | null;
  readonly pnlPercent: number | null;
  readonly pnlAfterFees: bigint | null;
  readonly pnlAfterFeesPercent: number | null;
  /** What is paid if the side wins: 1.00 for each contract. */
  readonly payout: bigint;
  /** Whether a payout can be claimed now. */
  readonly isClaimable: boolean;
  /** Unix seconds; null before the result. */
  readonly claimableAt: number | null;
}

/** Which events of the history to list. */
export interface HistorySelection {
  /** Null: of everybody. */
  readonly owner: Address | null;
  readonly position: Address | null;
  readonly id: number | null;
  readonly start: number;
  readonly end: number;
}

/** The types of the history's events. */
export type PredictionEventType =
  | 'order_created'
  | 'order_filled'
  | 'order_failed'
  | 'order_closed'
  | 'position_updated'
  | 'position_lost'
  | 'payout_claimed';

/** An event of the program that landed. Contracts are micro-contracts, amounts micro USD, times Unix seconds. */
export interface PredictionHistoryEvent {
  readonly id: number;
  readonly eventType: PredictionEventType;
  readonly signature: string;
  readonly slot: bigint;
  readonly timestamp: number;
  /** Empty where the event names none, as the other texts are. */
  readonly order: string;
  readonly position: string;
  readonly marketIdHash: string;
  readonly owner: string;
  readonly keeper: string;
  readonly externalOrderId: string;
  readonly orderId: string;
  readonly isBuy: boolean;
  readonly isYes: boolean;
  readonly contracts: bigint;
  readonly filledContracts: bigint;
  /** Contracts that were paid out or lost. */
  readonly settledContracts: bigint;
  /** The highest price of a purchase, the lowest of a sale. */
  readonly limitPrice: bigint;
  readonly averageFillPrice: bigint;
  readonly deposit: bigint;
  readonly totalCost: bigint;
  readonly fee: bigint;
  readonly integratorFee: bigint;
  readonly grossProceeds: bigint;
  readonly netProceeds: bigint;
  /** What the event moved to or from the owner; null if nothing. */
  readonly transferred: bigint | null;
  readonly realizedPnl: bigint | null;
  readonly realizedPnlBeforeFees: bigint | null;
  readonly payout: bigint;
  /** The status of the order after the event, such as `PartiallyFilled`; empty for a creation and for events of positions. */
  readonly rawStatus: string;
}

/** What landed with the program, as this instance has recorded it. */
export interface PredictionHistory {
  /** Returns a page, the newest event first, and how many there are in all. */
  readonly listHistory: (
    selection: HistorySelection,
  ) => Promise<{ readonly events: readonly PredictionHistoryEvent[]; readonly total: number }>;
  /** Returns the events of an order, the oldest first; none of an order that is not known. */
  readonly findOrderHistory: (order: Address) => Promise<readonly PredictionHistoryEvent[]>;
}

/** Positions as lists show them. Answered from memory. */
export interface PredictionPositionLists {
  /** Returns null for a position of a market that this instance does not know. */
  readonly valuePosition: (position: OpenPredictionPosition) => ValuedPosition | null;
}
