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

/** A range of constant liquidity, with what swaps through the whole of it take and pay. */
export interface DbcRange {
  readonly lower: bigint;
  readonly upper: bigint;
  readonly liquidity: bigint;
  /** From the one end to the other. What is taken is rounded up, and what is paid is rounded down. */
  readonly purchase: DbcStretchAmounts;
  readonly sale: DbcStretchAmounts;
}

/** What the curve takes between two prices, and what it pays. */
export interface DbcStretchAmounts {
  readonly takes: bigint;
  readonly pays: bigint;
}

/** Where a walk begins: within a range, from the price of a pool to the end of that range. */
export interface DbcWalkStart extends DbcStretchAmounts {
  readonly index: number;
}

/** Divides the curve into its ranges up to the price of migration. */
export function listRanges({ sqrtStartPrice, migrationSqrtPrice, points }: DbcCurve): readonly DbcRange[] {
  const ranges: DbcRange[] = [];
  let lower = sqrtStartPrice;
  for (const { sqrtPrice, liquidity } of points) {
    const upper = minimum(sqrtPrice, migrationSqrtPrice);
    if (upper <= lower) continue;
    const purchase = toPurchase(lower, upper, liquidity);
    ranges.push({ lower, upper, liquidity, purchase, sale: toSale(lower, upper, liquidity) });
    lower = upper;
  }
  return ranges;
}

function toPurchase(from: bigint, upper: bigint, liquidity: bigint): DbcStretchAmounts {
  return {
    takes: quoteBetween(from, upper, liquidity, true),
    pays: baseBetween(from, upper, liquidity, false),
  };
}

function toSale(lower: bigint, from: bigint, liquidity: bigint): DbcStretchAmounts {
  return {
    takes: baseBetween(lower, from, liquidity, true),
    pays: quoteBetween(lower, from, liquidity, false),
  };
}

/** Returns where purchases begin; an index beyond the last range if the price is at the end of the curve. */
export function startPurchase(ranges: readonly DbcRange[], sqrtPrice: bigint): DbcWalkStart {
  const index = ranges.findIndex(({ upper }) => upper > sqrtPrice);
  const range = ranges[index];
  if (range === undefined) return { index: ranges.length, takes: 0n, pays: 0n };
  return { index, ...toPurchase(sqrtPrice, range.upper, range.liquidity) };
}

/** Returns where sales begin. */
export function startSale(ranges: readonly DbcRange[], sqrtPrice: bigint): DbcWalkStart {
  const index = Math.max(
    0,
    ranges.findLastIndex(({ lower }) => lower < sqrtPrice),
  );
  const { lower, liquidity } = ranges[index] as DbcRange;
  return { index, ...toSale(lower, sqrtPrice, liquidity) };
}

/**
 * Walks down from the price at which sales begin. Returns the quote tokens for exactly this many base tokens; null if the curve
 * cannot take all of them.
 */
export function computeQuoteForBase(
  ranges: readonly DbcRange[],
  sqrtPrice: bigint,
  start: DbcWalkStart,
  amount: bigint,
): bigint | null {
  let { index, takes, pays } = start;
  let price = sqrtPrice;
  let left = amount;
  let paid = 0n;
  while (index > 0 && left >= takes) {
    left -= takes;
    paid += pays;
    index--;
    const range = ranges[index] as DbcRange;
    price = range.upper;
    ({ takes, pays } = range.sale);
  }
  const { lower, liquidity } = ranges[index] as DbcRange;
  if (left >= takes) {
    // Rounding up, the price may stay at the end of the curve for a little more than it takes.
    const next = divideUp(liquidity * price, liquidity + left * price);
    return left > takes && next < lower ? null : fitting(paid + pays);
  }
  // The price falls to L·P / (L + x·P), rounded up, and so by x·P² / (L + x·P), rounded down.
  const scaled = left * price;
  return fitting(paid + ((liquidity * ((scaled * price) / (liquidity + scaled))) >> 128n));
}

/**
 * Walks up from the price at which purchases begin, to the price of migration at most. Returns the base tokens for exactly this
 * many quote tokens; null if the curve cannot take all of them.
 */
export function computeBaseForQuote(
  ranges: readonly DbcRange[],
  sqrtPrice: bigint,
  start: DbcWalkStart,
  amount: bigint,
): bigint | null {
  let { index, takes, pays } = start;
  let price = sqrtPrice;
  let left = amount;
  let paid = 0n;
  while (left >= takes) {
    left -= takes;
    paid += pays;
    index++;
    const range = ranges[index];
    if (range === undefined) return left === 0n ? fitting(paid) : null;
    price = range.lower;
    ({ takes, pays } = range.purchase);
  }
  const { liquidity } = ranges[index] as DbcRange;
  const rise = (left << 128n) / liquidity;
  return fitting(paid + (liquidity * rise) / (price * (price + rise)));
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

/** The price after the base tokens went out, rounded up; null if the liquidity does not hold that much. */
function higherPriceForBase(price: bigint, liquidity: bigint, amount: bigint): bigint | null {
  if (amount === 0n) return price;
  const rest = liquidity - amount * price;
  return rest <= 0n ? null : divideUp(liquidity * price, rest);
}

function fitting(amount: bigint): bigint | null {
  return amount > U64_MAX ? null : amount;
}
