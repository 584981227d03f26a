import type { PositionFigures } from '../../predictions/crafting/order-figures.ts';
import type { HalfSignedTransaction } from '../../predictions/crafting/paying/order-transaction.ts';
import type { Address } from '../../solana/address.ts';
import type { ForecastMarket } from '../forecast-market.ts';

/** The swap of an order on a forecast, which waits for its owner's signature. Amounts are micro USD and millionths of a token. */
export interface CraftedForecastOrder {
  readonly kind: 'forecast';
  readonly transaction: HalfSignedTransaction;
  /** Who pays, if that is not the owner. */
  readonly sponsor: Address | null;
  readonly owner: Address;
  readonly market: ForecastMarket;
  /** The owner's account of the outcome token. */
  readonly position: Address;
  readonly requestId: string;
  readonly isBuy: boolean;
  /** What is bought at the state that the order was made on, or what is sold. */
  readonly contracts: bigint;
  /** What the order takes from the owner; 0 for a sale. */
  readonly cost: bigint;
  /** The most that a token of a purchase costs; null for a sale. */
  readonly maxBuyPrice: bigint | null;
  /** The least that a token of a sale brings; null for a purchase. */
  readonly minSellPrice: bigint | null;
  /** The position after the swap. */
  readonly after: PositionFigures;
  readonly slippageBps: number;
}
