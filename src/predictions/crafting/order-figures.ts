import type { Address } from '../../solana/address.ts';
import type { OpenPredictionPosition, PredictionMarket } from '../prediction.ts';
import type { HalfSignedTransaction } from './paying/order-transaction.ts';
import { computeAveragePrice, computeCost } from './order-size.ts';

/** The accounts of an order that is made now. */
export interface NewOrderAccounts {
  readonly externalOrderId: string;
  readonly order: Address;
  readonly orderTokenAccount: Address;
  readonly position: Address;
}

/** An order that waits for its owner's signature, with what the position is before and after it. */
export interface CraftedOrder extends NewOrderAccounts {
  readonly kind: 'order';
  readonly transaction: HalfSignedTransaction;
  readonly owner: Address;
  readonly market: PredictionMarket;
  readonly isYes: boolean;
  readonly isBuy: boolean;
  /** Micro-contracts that are asked for. */
  readonly contracts: bigint;
  /** Micro USD; null for a sale. */
  readonly maxBuyPrice: bigint | null;
  /** Micro USD; null for a purchase. */
  readonly minSellPrice: bigint | null;
  /** What the order's account takes from the owner, in micro USD; 0 for a sale. */
  readonly cost: bigint;
  /** The position if the order is filled completely at its limit. */
  readonly after: PositionFigures;
  /** The documented estimate, in micro USD. */
  readonly venueFee: bigint;
  readonly slippageBps: bigint;
  /** Null for a purchase. */
  readonly maxSlippageBps: bigint | null;
}

/** What a position holds. */
export interface PositionFigures {
  /** Micro-contracts. */
  readonly contracts: bigint;
  /** Micro USD. */
  readonly cost: bigint;
  /** Of one contract. */
  readonly averagePrice: bigint;
}

/** Computes a position after the purchase of contracts at a price. */
export function addPurchase(
  position: Pick<OpenPredictionPosition, 'contracts' | 'totalCost'> | null,
  contracts: bigint,
  price: bigint,
): PositionFigures {
  const all = (position?.contracts ?? 0n) + contracts;
  const cost = (position?.totalCost ?? 0n) + computeCost(contracts, price);
  return { contracts: all, cost, averagePrice: computeAveragePrice(cost, all) };
}

/** Computes a position after a sale: what is left keeps its average price. */
export function subtractSale(
  { contracts, totalCost }: Pick<OpenPredictionPosition, 'contracts' | 'totalCost'>,
  sold: bigint,
): PositionFigures {
  const left = contracts - sold;
  const cost = contracts === 0n ? 0n : (totalCost * left) / contracts;
  return { contracts: left, cost, averagePrice: computeAveragePrice(cost, left) };
}
