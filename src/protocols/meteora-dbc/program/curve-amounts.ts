import { divideUp } from '../../../solana/units.ts';

/** Returns the base tokens that liquidity holds between two prices: L · (upper − lower) / (upper · lower). */
export function computeBaseBetween(lower: bigint, upper: bigint, liquidity: bigint, up: boolean): bigint {
  const product = liquidity * (upper - lower);
  return up ? divideUp(product, lower * upper) : product / (lower * upper);
}

/** Returns the quote tokens that liquidity takes between two prices: L · (upper − lower). */
export function computeQuoteBetween(lower: bigint, upper: bigint, liquidity: bigint, up: boolean): bigint {
  const product = liquidity * (upper - lower);
  return (up ? product + BELOW_128 : product) >> 128n;
}

const BELOW_128 = (1n << 128n) - 1n;

/** Returns the liquidity that base tokens make between two prices, rounded down. */
export function computeLiquidityOfBase(amount: bigint, lower: bigint, upper: bigint): bigint {
  return (amount * lower * upper) / (upper - lower);
}

/** Returns the liquidity that quote tokens make between two prices, rounded down. */
export function computeLiquidityOfQuote(amount: bigint, lower: bigint, upper: bigint): bigint {
  return (amount << 128n) / (upper - lower);
}
