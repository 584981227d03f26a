import { divideUp, minimum, U64_MAX } from '../../solana/units.ts';
import type { DbcCurvePoint } from './program/config-terms.ts';

/** The prices and liquidity of all pools under one configuration. */
export interface DbcCurve {
  /** The lowest price, at which each pool starts: the Q64.64 square root of the base token's price in atoms of the quote token. */
  readonly sqrtStartPrice: bigint;
  /** The price at which the curve is complete. */
  readonly migrationSqrtPrice: bigint;
  /** Rising. There is at least one point, and each has liquidity. */
  readonly points: readonly DbcCurvePoint[];
}

/**
 * Walks down from a price. Each step rounds the base tokens that it takes up, and the quote tokens that it pays down.
 *
 * @returns the quote tokens for exactly this many base tokens; null if the curve cannot take all of them
 */
export function computeQuoteForBase(curve: DbcCurve, sqrtPrice: bigint, amount: bigint): bigint | null {
  const { points } = curve;
  let [price, left, paid] = [sqrtPrice, amount, 0n];
  for (let at = points.length - 2; at >= 0; at--) {
    const lower = (points[at] as DbcCurvePoint).sqrtPrice;
    if (lower >= price) continue;
    const { liquidity } = points[at + 1] as DbcCurvePoint;
    const whole = baseBetween(lower, price, liquidity, true);
    if (left < whole) {
      const next = lowerPriceForBase(price, liquidity, left);
      return fitting(paid + quoteBetween(next, price, liquidity, false));
    }
    paid += quoteBetween(lower, price, liquidity, false);
    left -= whole;
    price = lower;
  }
  if (left === 0n) return fitting(paid);
  const { liquidity } = points[0] as DbcCurvePoint;
  let next = lowerPriceForBase(price, liquidity, left);
  if (next < curve.sqrtStartPrice) {
    next = curve.sqrtStartPrice;
    if (left !== baseBetween(next, price, liquidity, true)) return null;
  }
  return fitting(paid + quoteBetween(next, price, liquidity, false));
}

/**
 * Walks up from a price to the price of migration at most.
 *
 * @returns the base tokens for exactly this many quote tokens; null if the curve cannot take all of them
 */
export function computeBaseForQuote(curve: DbcCurve, sqrtPrice: bigint, amount: bigint): bigint | null {
  let [price, left, paid] = [sqrtPrice, amount, 0n];
  for (const { sqrtPrice: end, liquidity } of curve.points) {
    const upper = minimum(end, curve.migrationSqrtPrice);
    if (upper <= price) continue;
    const whole = quoteBetween(price, upper, liquidity, true);
    if (left < whole) {
      const next = price + (left << 128n) / liquidity;
      return fitting(paid + baseBetween(price, next, liquidity, false));
    }
    paid += baseBetween(price, upper, liquidity, false);
    left -= whole;
    price = upper;
    if (price === curve.migrationSqrtPrice) break;
  }
  return left === 0n ? fitting(paid) : null;
}

/** Returns the base tokens that exactly this many quote tokens take; null if the curve does not pay that much. */
export function computeBaseForExactQuote(curve: DbcCurve, sqrtPrice: bigint, amount: bigint): bigint | null {
  const { points } = curve;
  let [price, left, taken] = [sqrtPrice, amount, 0n];
  for (let at = points.length - 2; at >= 0; at--) {
    const lower = (points[at] as DbcCurvePoint).sqrtPrice;
    if (lower >= price) continue;
    const { liquidity } = points[at + 1] as DbcCurvePoint;
    // A stretch that pays nothing is walked even if nothing is left to pay, and takes an atom.
    const whole = quoteBetween(lower, price, liquidity, false);
    if (left < whole) {
      const next = price - divideUp(left << 128n, liquidity);
      return fitting(taken + baseBetween(next, price, liquidity, true));
    }
    taken += baseBetween(lower, price, liquidity, true);
    left -= whole;
    price = lower;
  }
  if (left === 0n) return fitting(taken);
  const { liquidity } = points[0] as DbcCurvePoint;
  if (left > quoteBetween(curve.sqrtStartPrice, price, liquidity, false)) return null;
  const next = price - divideUp(left << 128n, liquidity);
  if (next < curve.sqrtStartPrice) return null;
  return fitting(taken + baseBetween(next, price, liquidity, true));
}

/** Returns the quote tokens that exactly this many base tokens take; null if the curve does not pay that much. */
export function computeQuoteForExactBase(curve: DbcCurve, sqrtPrice: bigint, amount: bigint): bigint | null {
  let [price, left, taken] = [sqrtPrice, amount, 0n];
  for (const { sqrtPrice: upper, liquidity } of curve.points) {
    if (upper <= price) continue;
    const whole = baseBetween(price, upper, liquidity, false);
    const isLast = left < whole;
    const next = isLast ? higherPriceForBase(price, liquidity, left) : upper;
    if (next === null) return null;
    taken += quoteBetween(price, next, liquidity, true);
    price = next;
    if (isLast) {
      left = 0n;
      break;
    }
    left -= whole;
  }
  return left === 0n && price <= curve.migrationSqrtPrice ? fitting(taken) : null;
}

/** L · (upper − lower) / (upper · lower). */
function baseBetween(lower: bigint, upper: bigint, liquidity: bigint, up: boolean): bigint {
  const product = liquidity * (upper - lower);
  return up ? divideUp(product, lower * upper) : product / (lower * upper);
}

const BELOW_128 = (1n << 128n) - 1n;

/** L · (upper − lower). */
function quoteBetween(lower: bigint, upper: bigint, liquidity: bigint, up: boolean): bigint {
  const product = liquidity * (upper - lower);
  return (up ? product + BELOW_128 : product) >> 128n;
}

/** The price after the base tokens came in, rounded up. */
function lowerPriceForBase(price: bigint, liquidity: bigint, amount: bigint): bigint {
  return amount === 0n ? price : divideUp(liquidity * price, liquidity + amount * price);
}

/** The price after the base tokens went out, rounded up; null if the liquidity does not hold that much. */
function higherPriceForBase(price: bigint, liquidity: bigint, amount: bigint): bigint | null {
  if (amount === 0n) return price;
  const rest = liquidity - amount * price;
  return rest <= 0n ? null : divideUp(liquidity * price, rest);
}

function fitting(amount: bigint): bigint | null {
  return amount > U64_MAX ? null : amount;
}
