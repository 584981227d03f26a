import { MICRO_PER_CONTRACT, PRICE_STEP } from '../../exchange/exchange.ts';
import { divideUp, maximum } from '../../solana/units.ts';

/** Basis points in one. */
const BPS_IN_ONE = 10_000n;

/** The least that an order may deposit, in micro USD. */
export const MIN_DEPOSIT = 5_000_000n;
/** The prices that an order may name, in micro USD for one contract. */
export const MIN_PRICE = PRICE_STEP;
export const MAX_PRICE = MICRO_PER_CONTRACT - PRICE_STEP;

/** Purchases ask for multiples of a tenth of a contract. */
const PURCHASE_STEP = MICRO_PER_CONTRACT / 10n;
/** The part of a deposit that is spent on contracts. The rest is kept for fees. */
const SPENT_PERCENT = 95n;

/**
 * Computes how many micro-contracts a purchase asks for: what 95 % of its deposit pays for at its highest price, down to a
 * tenth of a contract.
 */
export function computePurchasedContracts(deposit: bigint, maxPrice: bigint): bigint {
  const contracts = (deposit * SPENT_PERCENT * MICRO_PER_CONTRACT) / (100n * maxPrice);
  return contracts - (contracts % PURCHASE_STEP);
}

/** Computes what micro-contracts cost at a price, in micro USD; a fraction is cut off. */
export function computeCost(contracts: bigint, price: bigint): bigint {
  return (contracts * price) / MICRO_PER_CONTRACT;
}

/** Computes the price of one contract from what contracts cost, in micro USD; 0 without contracts. */
export function computeAveragePrice(cost: bigint, contracts: bigint): bigint {
  return contracts === 0n ? 0n : (cost * MICRO_PER_CONTRACT) / contracts;
}

/**
 * Computes the lowest price of a sale: the bid less the slippage, up to a tenth of a cent, so that the slippage never costs
 * more than it says.
 */
export function computeLowestPrice(bid: bigint, slippageBps: bigint): bigint {
  const price = divideUp(bid * (BPS_IN_ONE - slippageBps), BPS_IN_ONE * PRICE_STEP) * PRICE_STEP;
  return maximum(price, MIN_PRICE);
}

/** Computes by how many basis points an average price is below the bid, rounded up. */
export function computeSlippage(bid: bigint, averagePrice: bigint): bigint {
  return averagePrice >= bid ? 0n : divideUp((bid - averagePrice) * BPS_IN_ONE, bid);
}
