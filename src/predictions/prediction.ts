import type { HouseTerms, PredictionBook, PredictionFillEstimate } from '../exchange/exchange.ts';
import type { Address } from '../solana/address.ts';

/** A market is open until it closes. It stays closed when its result is known, and is cancelled when its stakes are refunded. */
export type PredictionMarketStatus = 'open' | 'closed' | 'cancelled';

/** Which side of a market has won. */
export type PredictionResult = 'yes' | 'no';

/** A question that is answered by yes or no. Times are Unix seconds. */
export interface PredictionMarket {
  readonly marketId: string;
  readonly eventId: string;
  /** 32 hex characters, by which the chain names the market. */
  readonly marketIdHash: string;
  readonly title: string;
  readonly rulesPrimary: string;
  readonly rulesSecondary: string;
  readonly openAt: number;
  /** Orders that land from this second on are not filled. */
  readonly closeAt: number;
  readonly status: PredictionMarketStatus;
  /** Null while it is not known, and for a cancelled market. */
  readonly result: PredictionResult | null;
  /** When its result was posted or it was cancelled; null before. */
  readonly resolvedAt: number | null;
  /** The venue's fee: `feeBps`/10,000 x contracts x p x (1 - p). */
  readonly feeBps: number;
  readonly house: HouseTerms;
  /** What makes it a side of a forecast; null for a market that orders trade. */
  readonly forecast: ForecastSideTerms | null;
}

/** A side of a forecast: a token that pays one dollar if a price has risen, or has fallen, at the end of its round. */
export interface ForecastSideTerms {
  /** The account of the round. */
  readonly round: Address;
  readonly side: 'up' | 'down';
  readonly outcomeMint: Address;
  /** The account by which swaps trade the token. */
  readonly pool: Address;
  /** A round resolves from its close until its result is on the chain. */
  readonly lifecycle: 'open' | 'resolving' | 'settled';
}

/** One or more markets on one subject. Times are Unix seconds. */
export interface PredictionEvent {
  readonly eventId: string;
  readonly title: string;
  readonly subtitle: string;
  readonly slug: string;
  readonly series: string;
  /** One of `EVENT_CATEGORIES`. */
  readonly category: string;
  readonly subcategory: string;
  readonly tags: readonly string[];
  readonly imageUrl: string | null;
  /** When its subject begins; null if it has no such time. */
  readonly beginAt: number | null;
  readonly closeAt: number;
  readonly closeCondition: string;
  readonly createdAt: number;
  readonly markets: readonly PredictionMarket[];
  /** How the game stands that it is about; null if nobody has said so. */
  readonly score: PredictionScore | null;
}

/** How a game stands, as the operator has said. Times are Unix seconds. */
export interface PredictionScore {
  readonly gameId: string;
  readonly leagueAbbreviation: string | null;
  readonly homeTeam: string | null;
  readonly awayTeam: string | null;
  /** Such as `2-1`. */
  readonly score: string | null;
  /** Such as `2H`. */
  readonly period: string | null;
  /** How long the period has lasted, such as `63:10`. */
  readonly elapsed: string | null;
  /** In words, such as `halftime`. */
  readonly status: string | null;
  readonly state: GameState;
  /** Null before the end. */
  readonly finishedAt: number | null;
  readonly updatedAt: number;
  /** How often the score of the event has been posted. */
  readonly version: number;
}

/** Whether a game has begun and ended. */
export type GameState = (typeof GAME_STATES)[number];

/** The states that a game goes through. */
export const GAME_STATES = ['upcoming', 'live', 'ended'] as const;

/** The categories that an event can have. */
export const EVENT_CATEGORIES = [
  'crypto',
  'sports',
  'politics',
  'esports',
  'culture',
  'economics',
  'tech',
] as const;

/** The best prices of a market, in micro USD for one contract; null where nobody offers or bids. */
export interface PredictionPrices {
  readonly buyYes: bigint | null;
  readonly buyNo: bigint | null;
  readonly sellYes: bigint | null;
  readonly sellNo: bigint | null;
}

/** The exchange as builds and lists see it. Everything is answered from memory. */
export interface PredictionExchange {
  /** Returns the best prices of a market; null if it is not traded now. */
  readonly getPrices: (marketId: string) => PredictionPrices | null;
  /** Calls back when the book of a market has changed. Returns what ends it. */
  readonly onChange: (listener: (marketId: string) => void) => () => void;
  /** Returns the order book of a market; null if it is not traded now. */
  readonly getBook: (marketId: string) => PredictionBook | null;
  /** Estimates a purchase for up to `amount` micro USD, fees included, at up to `maxPrice`. */
  readonly estimateBuy: (
    marketId: string,
    isYes: boolean,
    limits: { readonly amount: bigint; readonly maxPrice: bigint },
  ) => PredictionFillEstimate;
  /** Estimates a sale of up to `contracts` at no less than `minPrice`. */
  readonly estimateSell: (
    marketId: string,
    isYes: boolean,
    limits: { readonly contracts: bigint; readonly minPrice: bigint },
  ) => PredictionFillEstimate;
}

/** An order as the chain has it. */
export interface OpenPredictionOrder {
  readonly address: Address;
  readonly owner: Address;
  readonly position: Address;
  readonly payer: Address;
  readonly marketIdHash: string;
  readonly externalOrderId: string;
  readonly isYes: boolean;
  readonly isBuy: boolean;
  readonly isLimit: boolean;
  readonly status: 'pending' | 'filled' | 'failed' | 'partially-filled' | 'cancelled';
  /** Micro-contracts that were asked for. */
  readonly contracts: bigint;
  /** The highest price of a purchase, the lowest of a sale, in micro USD. */
  readonly limitPrice: bigint;
  readonly filledContracts: bigint;
  readonly createdAt: bigint;
  /** Unix seconds; 0 before a fill. */
  readonly filledAt: bigint;
  /** Micro USD for one contract; 0 before a fill. */
  readonly averageFillPrice: bigint;
  /** The venue's id of the order, which a fill sets; null before. */
  readonly orderId: string | null;
  /** What the fills have cost, or brought before fees. */
  readonly filledCost: bigint;
  /** The fees of the fills. */
  readonly filledFees: bigint;
  /** Who gets a fee besides the venue; null if nobody does. */
  readonly integrator: Address | null;
  readonly integratorFeeBps: number;
  readonly bump: number;
}

/** The result of a market as the chain has it. */
export interface PostedPredictionResult {
  readonly address: Address;
  /** 0: no, 1: yes, 2: half for each side, 3: stakes are refunded. */
  readonly outcome: 0 | 1 | 2 | 3;
  /** Unix seconds from which on payouts can be claimed. */
  readonly settlementTime: bigint;
  readonly claimsEnabled: boolean;
}

/** A position as the chain has it. */
export interface OpenPredictionPosition {
  readonly address: Address;
  readonly owner: Address;
  readonly payer: Address;
  readonly marketIdHash: string;
  readonly isYes: boolean;
  readonly contracts: bigint;
  readonly totalCost: bigint;
  readonly feesPaid: bigint;
  readonly realizedPnl: bigint;
  readonly openOrders: number;
  readonly isClaimed: boolean;
  readonly claimed: bigint;
  readonly openedAt: bigint;
  readonly updatedAt: bigint;
  readonly bump: number;
}

/** What all positions of a market come to. */
export interface PredictionPositionSums {
  /** Micro-contracts on each side. */
  readonly yes: bigint;
  readonly no: bigint;
  /** What the contracts of both sides have cost, without fees, in micro USD. */
  readonly cost: bigint;
}

/** Which accounts have changed or are gone. */
export interface ChangedPredictionAccounts {
  readonly orders: readonly Address[];
  readonly positions: readonly Address[];
  /** The hashes of markets whose result has changed. */
  readonly results: readonly string[];
}

/** The accounts of the program, followed from the chain. Everything is answered from memory. */
export interface PredictionAccounts {
  readonly findOrder: (address: Address) => OpenPredictionOrder | null;
  readonly findPosition: (address: Address) => OpenPredictionPosition | null;
  readonly ordersOf: (owner: Address) => readonly OpenPredictionOrder[];
  readonly positionsOf: (owner: Address) => readonly OpenPredictionPosition[];
  readonly openOrders: () => Iterable<OpenPredictionOrder>;
  /** Returns the positions of a market, by its hash. */
  readonly positionsIn: (marketIdHash: string) => readonly OpenPredictionPosition[];
  /** Returns the result of a market; null before it is posted. */
  readonly findResult: (marketIdHash: string) => PostedPredictionResult | null;
  /** Returns the sums over all positions of a market. */
  readonly sumOf: (marketIdHash: string) => PredictionPositionSums;
  /** Calls back after each change. Returns what ends it. */
  readonly onChange: (listener: (changed: ChangedPredictionAccounts) => void) => () => void;
}

/** The events that this instance offers. Everything is answered from memory. */
export interface PredictionEvents {
  readonly findEvent: (eventId: string) => PredictionEvent | null;
  readonly findMarket: (marketId: string) => PredictionMarket | null;
  readonly findMarketByHash: (marketIdHash: string) => PredictionMarket | null;
  readonly listEvents: () => readonly PredictionEvent[];
  /** Calls back when an event is added or one of its markets changes. Returns what ends it. */
  readonly onChange: (listener: (eventId: string) => void) => () => void;
}
