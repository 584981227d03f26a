import { FEE_DENOMINATOR, MAX_FEES } from '../../meteora-damm-v2/program/program.ts';
import { divideUp, U64_MAX } from '../../../solana/units.ts';

/**
 * A fee on purchases that rises with their size: each further `referenceAmount` of a purchase is charged `increment` more than
 * the one before, up to the maximum. Rates in billionths.
 */
export interface DbcRateLimiter {
  readonly cliff: bigint;
  readonly increment: bigint;
  readonly referenceAmount: bigint;
  /** Points after the activation during which it is at work. */
  readonly duration: bigint;
  /** How many times the fee can rise before it reaches the maximum. */
  readonly increments: bigint;
}

export function createRateLimiter(terms: Omit<DbcRateLimiter, 'increments'>): DbcRateLimiter {
  const { cliff, increment } = terms;
  return { ...terms, increments: increment === 0n ? 0n : (MAX_FEE - cliff) / increment };
}

/** The most that a fee may be. */
const MAX_FEE = MAX_FEES[1];
const BELOW_DENOMINATOR = FEE_DENOMINATOR - 1n;

/** Returns the rate of a purchase for `amount` with the fee in it; null if the program refuses. */
export function computeLimitedRate(limiter: DbcRateLimiter, amount: bigint): bigint | null {
  const { cliff, increment, referenceAmount, increments } = limiter;
  if (amount <= referenceAmount) return cliff;
  if (referenceAmount === 0n) return null;
  const beyond = amount - referenceAmount;
  const steps = beyond / referenceAmount;
  const isBelowMost = steps < increments;
  const whole = isBelowMost ? steps : increments;
  const next = whole + 1n;
  const risen = increment * next;
  // The first amount at the lowest fee, then `whole` amounts at rising fees, then the rest at the next one.
  const atSteps = referenceAmount * (cliff * next + ((risen * whole) >> 1n));
  const rest = beyond - whole * referenceAmount;
  const fee =
    (atSteps + rest * (isBelowMost ? cliff + risen : MAX_FEE) + BELOW_DENOMINATOR) / FEE_DENOMINATOR;
  return fee > U64_MAX ? null : (fee * FEE_DENOMINATOR + amount - 1n) / amount;
}

/**
 * Returns the rate of a purchase of which `amount` is left without the fee; null if the program refuses. The program solves a
 * quadratic equation for the purchase and rounds, so that it can be charged a little more than by `computeLimitedRate`.
 */
export function computeLimitedRateWithoutFee(limiter: DbcRateLimiter, amount: bigint): bigint | null {
  const { cliff, referenceAmount } = limiter;
  const reference = withoutLimitedFee(limiter, referenceAmount);
  if (reference === null) return null;
  if (amount <= reference) return cliff;
  const whole = (limiter.increments + 1n) * referenceAmount;
  const most = whole <= U64_MAX ? whole : U64_MAX;
  const mostWithout = withoutLimitedFee(limiter, most);
  if (mostWithout === null) return null;
  if (amount === mostWithout) return computeLimitedRate(limiter, most);
  let total: bigint | null;
  if (amount < mostWithout) total = solvePurchase(limiter, amount);
  else total = whole > U64_MAX ? null : addBeyond(most, amount - mostWithout, MAX_FEE);
  if (total === null || total < amount || total === 0n) return null;
  const rate = divideUp((total - amount) * FEE_DENOMINATOR, total);
  return rate < cliff || rate > U64_MAX ? null : rate;
}

/**
 * Solves i·t² − y·t + z = 0 for the purchase t of which `amount` is left, where every reference amount is a whole one, and then
 * adds what that leaves missing at the next rate.
 */
function solvePurchase(limiter: DbcRateLimiter, amount: bigint): bigint | null {
  const { cliff, increment, referenceAmount } = limiter;
  if (increment === 0n || referenceAmount === 0n) return null;
  const y =
    2n * FEE_DENOMINATOR * referenceAmount + increment * referenceAmount - 2n * cliff * referenceAmount;
  const z = 2n * amount * FEE_DENOMINATOR * referenceAmount;
  const root = computeSquareRoot(y * y - 4n * increment * z);
  if (root === null || root > y) return null;
  const purchase = (y - root) / (2n * increment);
  const left = purchase > U64_MAX ? null : withoutLimitedFee(limiter, purchase);
  if (left === null || left > amount) return null;
  return addBeyond(purchase, amount - left, cliff + increment * (purchase / referenceAmount));
}

/** Returns the purchase and what has to be added at the rate so that `missing` more is left; null if it is out of range. */
function addBeyond(purchase: bigint, missing: bigint, rate: bigint): bigint | null {
  if (rate >= FEE_DENOMINATOR) return null;
  const added = divideUp(missing * FEE_DENOMINATOR, FEE_DENOMINATOR - rate);
  return purchase + added > U64_MAX ? null : purchase + added;
}

function withoutLimitedFee(limiter: DbcRateLimiter, amount: bigint): bigint | null {
  const rate = computeLimitedRate(limiter, amount);
  if (rate === null) return null;
  const left = amount - divideUp(amount * rate, FEE_DENOMINATOR);
  return left < 0n ? null : left;
}

/** Returns the square root, rounded down; null of a negative number. */
function computeSquareRoot(square: bigint): bigint | null {
  if (square < 0n) return null;
  if (square < 2n) return square;
  let root = 1n << BigInt((square.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
