import { computeIntegerSquareRoot } from '../../../common/integer-square-root.ts';
import { divideUp, U64_MAX } from '../../../solana/units.ts';

// What the forecast program pays and takes for the tokens of one side of a round. The price of the next token rises with what
// holders have more of this side than of the other, and the sum over many tokens is the area below that line.

/** The house neither sells for less nor buys for more than these, in micro USD for a token. */
export const LEAST_PRICE = 10_000n;
export const GREATEST_PRICE = 990_000n;
/** The slope is for 1,000 tokens: 10^9 of their millionths. */
const SLOPE_TOKENS = 1_000_000_000n;
/** Twice the slope's tokens, times the millionths of a token for which a price is. */
const AREA = 2_000_000_000_000_000n;

/** What decides the price of one side. */
export interface SideTerms {
  /** Micro USD for a token. */
  readonly fair: bigint;
  /** What the house adds to the fair price when it sells, and subtracts when it buys: micro USD for a token. */
  readonly halfSpread: bigint;
  /** By how much the price rises with each 1,000 tokens: micro USD for a token. */
  readonly slope: bigint;
  /** The millionths of a token that holders have more of this side than of the other. Negative if they have less. */
  readonly imbalance: bigint;
}

/** Returns the price of the first millionth of a token that somebody buys, in micro USD for a token. */
export function computeAskPrice({ fair, halfSpread, slope, imbalance }: SideTerms): bigint {
  const price = fair + halfSpread + divideUpward(slope * imbalance, SLOPE_TOKENS);
  return price > LEAST_PRICE ? price : LEAST_PRICE;
}

/** Returns the price of the first millionth of a token that somebody sells, in micro USD for a token. May be negative. */
export function computeBidPrice({ fair, halfSpread, slope, imbalance }: SideTerms): bigint {
  const price = fair - halfSpread - divideUpward(-slope * imbalance, SLOPE_TOKENS);
  return price < GREATEST_PRICE ? price : GREATEST_PRICE;
}

/**
 * Computes the millionths of a token that an amount buys.
 *
 * @param amount - Micro USD, all of which the house takes.
 * @returns null if it buys nothing, or would pay more than 99 cents for the last token
 */
export function computeBoughtTokens(terms: SideTerms, amount: bigint): bigint | null {
  const price = computeAskPrice(terms);
  if (price > GREATEST_PRICE) return null;
  const tokens = solveBuy(price, terms.slope, amount);
  return tokens > 0n && isSold(price, terms.slope, tokens) ? tokens : null;
}

/**
 * Computes the least amount that buys at least so many millionths of a token.
 *
 * Returns micro USD; null if the last token would cost more than 99 cents.
 */
export function computeCost(terms: SideTerms, tokens: bigint): bigint | null {
  const price = computeAskPrice(terms);
  if (tokens <= 0n || !isSold(price, terms.slope, tokens)) return null;
  return divideUp(price * tokens * 2n * SLOPE_TOKENS + terms.slope * tokens * tokens, AREA);
}

/**
 * Computes what the house pays for some millionths of a token.
 *
 * Returns micro USD; null if it pays nothing, or would pay less than a cent for the last token.
 */
export function computeProceeds(terms: SideTerms, tokens: bigint): bigint | null {
  const price = computeBidPrice(terms);
  if (tokens <= 0n || !isBought(price, terms.slope, tokens)) return null;
  const amount = (price * tokens * 2n * SLOPE_TOKENS - terms.slope * tokens * tokens) / AREA;
  return amount > 0n ? amount : null;
}

/**
 * Computes the least millionths of a token for which the house pays at least an amount.
 *
 * @param amount - Micro USD.
 * @returns null if no sale brings as much
 */
export function computeSoldTokens(terms: SideTerms, amount: bigint): bigint | null {
  const price = computeBidPrice(terms);
  if (amount <= 0n || price < LEAST_PRICE) return null;
  const tokens = solveSale(price, terms.slope, amount);
  return tokens !== null && isBought(price, terms.slope, tokens) ? tokens : null;
}

/** Whether the price is at most 99 cents after the sale of so many tokens. */
function isSold(price: bigint, slope: bigint, tokens: bigint): boolean {
  return tokens <= U64_MAX && price + divideUp(slope * tokens, SLOPE_TOKENS) <= GREATEST_PRICE;
}

/** Whether the price is at least a cent after the purchase of so many tokens. */
function isBought(price: bigint, slope: bigint, tokens: bigint): boolean {
  return tokens <= U64_MAX && price - divideUp(slope * tokens, SLOPE_TOKENS) >= LEAST_PRICE;
}

/** Returns the greatest number whose cost is not above the amount: the root of a quadratic equation, rounded down. */
function solveBuy(price: bigint, slope: bigint, amount: bigint): bigint {
  if (slope === 0n) return (amount * AREA) / (price * 2n * SLOPE_TOKENS);
  const linear = price * SLOPE_TOKENS;
  return (computeIntegerSquareRoot(linear * linear + slope * amount * AREA) - linear) / slope;
}

/** Returns the least number that brings at least the amount: the root of a quadratic equation, rounded up. */
function solveSale(price: bigint, slope: bigint, amount: bigint): bigint | null {
  const linear = price * SLOPE_TOKENS;
  if (slope === 0n) return divideUp(amount * AREA, 2n * linear);
  const square = linear * linear - slope * amount * AREA;
  return square < 0n ? null : divideUp(linear - computeIntegerSquareRoot(square), slope);
}

/** Rounds towards the greater number, unlike `divideUp` for negative numbers too. */
function divideUpward(value: bigint, divisor: bigint): bigint {
  return value > 0n ? divideUp(value, divisor) : value / divisor;
}
