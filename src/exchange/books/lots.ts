import { CONTRACT_STEP, PRICE_STEP } from '../exchange.ts';

/**
 * Inside the exchange, contracts are counted in lots of `CONTRACT_STEP` and prices in steps of `PRICE_STEP`, as safe integers:
 * a lot costs ten micro USD for each step of its price, and every amount is a whole number.
 */
export const MICRO_PER_LOT_STEP = 10;

/** The price of what pays for certain. Prices of yes and no add up to it. */
export const FULL_PRICE = 1_000;

/** An order has no more lots than this, so that its cost is a safe integer. */
const MAX_LOTS = 500_000_000_000;

/** Fees are whole multiples of ten micro USD, which a factor has so many times too much. */
const FEE_DIVISOR = 10_000_000;
const FEE_DIVISOR_BIG = 10_000_000n;
const FEE_STEP = 10;

/** Returns the whole lots in `contracts`, up to the most that an order can have. */
export function countLots(contracts: bigint): number {
  return Math.min(Number(contracts / CONTRACT_STEP), MAX_LOTS);
}

/** Returns `lots` in micro-contracts. */
export function toContracts(lots: number): bigint {
  return BigInt(lots) * CONTRACT_STEP;
}

/** Returns `price` in micro USD. */
export function toMicroPrice(price: number): bigint {
  return BigInt(price) * PRICE_STEP;
}

/** Returns an amount of micro USD as a safe integer; a larger one as the largest. */
export function toSafeAmount(amount: bigint): number {
  return amount > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(amount);
}

/**
 * Returns the best price in steps that keeps the limit of an order, for a contract of its side; null if there is none between
 * nothing and the full price.
 */
export function computeLimitSteps(limitPrice: bigint, isBuy: boolean): number | null {
  if (isBuy) {
    const steps = Number(limitPrice / PRICE_STEP);
    return steps < 1 ? null : Math.min(steps, FULL_PRICE - 1);
  }
  const steps = Number((limitPrice + PRICE_STEP - 1n) / PRICE_STEP);
  return steps > FULL_PRICE - 1 ? null : Math.max(steps, 1);
}

/** Returns what the fee of a lot at `price` is proportional to. The fee of a price is that of its opposite. */
export function computeFeeFactor(feeBps: number, price: number): number {
  return feeBps * price * (FULL_PRICE - price);
}

/** Returns the fee of a fill in micro USD, as `computeVenueFee` does. */
export function computeLotsFee(lots: number, factor: number): number {
  const product = lots * factor;
  if (product > Number.MAX_SAFE_INTEGER) {
    const exact = BigInt(lots) * BigInt(factor);
    return FEE_STEP * Number((exact + FEE_DIVISOR_BIG - 1n) / FEE_DIVISOR_BIG);
  }
  const rest = product % FEE_DIVISOR;
  return FEE_STEP * ((product - rest) / FEE_DIVISOR + (rest > 0 ? 1 : 0));
}

/** Returns what `lots` cost at `price` with their fee, in micro USD. */
export function computeTotalCost(lots: number, price: number, factor: number): number {
  return MICRO_PER_LOT_STEP * lots * price + computeLotsFee(lots, factor);
}

/** Returns how many lots `budget` pays for at `price` with their fee, in one fill. */
export function countAffordableLots(budget: number, price: number, factor: number): number {
  const perLot = MICRO_PER_LOT_STEP * (price + factor / FEE_DIVISOR);
  let lots = Math.min(Math.floor(budget / perLot), MAX_LOTS);
  // The division is that of floating-point numbers; the exact cost decides.
  while (lots > 0 && computeTotalCost(lots, price, factor) > budget) lots--;
  while (lots < MAX_LOTS && computeTotalCost(lots + 1, price, factor) <= budget) lots++;
  return lots;
}
