/** Micro-contracts of one contract, which pays 1,000,000 micro USD when it wins. */
export const MICRO_PER_CONTRACT = 1_000_000n;

/** Contracts are traded in steps of 0.01, in micro-contracts. */
export const CONTRACT_STEP = 10_000n;

/** Prices have steps of a tenth of a cent, in micro USD, so that the cost of each step of contracts is a whole number. */
export const PRICE_STEP = 1_000n;

/** A bid for contracts of one side at a price. All rows of an order book are bids: an ask for yes is a bid for no. */
export interface PredictionBid {
  /** Micro USD for one contract. */
  readonly price: bigint;
  /** Micro-contracts. */
  readonly contracts: bigint;
}

/** The order book of a market, each side from the lowest price to the highest. */
export interface PredictionBook {
  readonly yes: readonly PredictionBid[];
  readonly no: readonly PredictionBid[];
}

/** What a market order would pay or get now. */
export interface PredictionFillEstimate {
  /** Micro-contracts that would be filled, a multiple of `CONTRACT_STEP`. */
  readonly contracts: bigint;
  /** What a buyer pays, or a seller gets before fees, in micro USD. */
  readonly amount: bigint;
  readonly fee: bigint;
  /** The worst price that would be paid or got, in micro USD; null if nothing would be filled. */
  readonly worstPrice: bigint | null;
}

/** What the house offers on a market. */
export interface HouseTerms {
  /** The price of a yes contract at which the house begins, in cents: 1 to 99. */
  readonly startCents: number;
  /** How much the house offers at each cent, in micro-contracts, a multiple of `CONTRACT_STEP`. 0: the house offers nothing. */
  readonly levelContracts: bigint;
}
