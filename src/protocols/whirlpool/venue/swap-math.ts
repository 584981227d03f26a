import { U64_MAX, U128_MAX, minimum } from '../../../solana/units.ts';
import { FEE_RATE_DENOMINATOR } from '../program/program.ts';
import { MAX_SQRT_PRICE, MIN_SQRT_PRICE } from '../program/tick-math.ts';

/** The direction of a swap, and which of its amounts is given. */
export interface SwapMathMode {
  /** True: token A comes in and the price falls. False: token B comes in and the price rises. */
  readonly aToB: boolean;
  readonly exactIn: boolean;
}

/**
 * The amounts that a swap moves between two prices with no initialized tick between them. `amountIn` excludes the fee.
 */
export interface SwapStep {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly fee: bigint;
  readonly nextSqrtPrice: bigint;
}

/** An amount that does not fit a u64. No swap can move it, so it is only an error if it has to be moved. */
const TOO_MUCH = null;

const U192_MAX = (1n << 192n) - 1n;
const Q64_MASK = (1n << 64n) - 1n;

/**
 * One step of a swap at constant liquidity, towards `target` and no further (`compute_swap` of the public program).
 * Prices are Q64.64 square roots, the fee rate millionths. Null where the program fails on an overflow.
 */
export function swapStep(
  remaining: bigint,
  feeRate: bigint,
  liquidity: bigint,
  sqrtPrice: bigint,
  target: bigint,
  { aToB, exactIn }: SwapMathMode,
): SwapStep | null {
  if (aToB === exactIn && numeratorOverflows(liquidity, sqrtPrice, target)) return null;
  const given = aToB === exactIn ? computeAmountA : computeAmountB;
  const other = aToB === exactIn ? computeAmountB : computeAmountA;
  const usable = exactIn ? (remaining * (FEE_RATE_DENOMINATOR - feeRate)) / FEE_RATE_DENOMINATOR : remaining;
  const toTarget = given(sqrtPrice, target, liquidity, exactIn);
  const reaches = toTarget !== TOO_MUCH && toTarget <= usable;
  const next = reaches ? target : priceAfter(sqrtPrice, liquidity, usable, exactIn, aToB === exactIn);
  if (next === null) return null;
  if (aToB !== exactIn && numeratorOverflows(liquidity, sqrtPrice, next)) return null;
  const otherDelta = other(sqrtPrice, next, liquidity, !exactIn);
  const givenDelta = reaches ? toTarget : given(sqrtPrice, next, liquidity, exactIn);
  if (otherDelta === TOO_MUCH || givenDelta === TOO_MUCH) return null;
  const amountIn = exactIn ? givenDelta : otherDelta;
  const amountOut = exactIn ? otherDelta : minimum(givenDelta, remaining);
  // An exact input that ends within the step is used up: what rounding leaves is part of the fee.
  const fee = exactIn && next !== target ? remaining - amountIn : feeOn(amountIn, feeRate);
  return fee > U64_MAX ? null : { amountIn, amountOut, fee, nextSqrtPrice: next };
}

/** Token A between two prices: liquidity × (upper − lower) / (upper × lower). */
export function computeAmountA(from: bigint, to: bigint, liquidity: bigint, roundUp: boolean): bigint | null {
  const [lower, upper] = from < to ? [from, to] : [to, from];
  const amount = divide((liquidity * (upper - lower)) << 64n, upper * lower, roundUp);
  return amount > U64_MAX ? TOO_MUCH : amount;
}

/** Token B between two prices: liquidity × (upper − lower). */
export function computeAmountB(from: bigint, to: bigint, liquidity: bigint, roundUp: boolean): bigint | null {
  const product = liquidity * (from < to ? to - from : from - to);
  if (product > U128_MAX) return TOO_MUCH;
  const amount = product >> 64n;
  if (!roundUp || (product & Q64_MASK) === 0n) return amount;
  return amount === U64_MAX ? TOO_MUCH : amount + 1n;
}

/** The program has 256 bits for the numerator of `computeAmountA`, 64 of them for the fraction, and fails beyond that. */
function numeratorOverflows(liquidity: bigint, from: bigint, to: bigint): boolean {
  return liquidity * (from < to ? to - from : from - to) > U192_MAX;
}

/**
 * Returns the price after `amount` of the given token is added (or, for an exact output, taken), rounded in the pool's
 * favour.
 */
function priceAfter(
  sqrtPrice: bigint,
  liquidity: bigint,
  amount: bigint,
  adds: boolean,
  isTokenA: boolean,
): bigint | null {
  if (!isTokenA) {
    const change = divide(amount << 64n, liquidity, !adds);
    const price = adds ? sqrtPrice + change : sqrtPrice - change;
    return price < 0n || price > U128_MAX ? null : price;
  }
  if (amount === 0n) return sqrtPrice;
  if (liquidity * sqrtPrice > U192_MAX) return null;
  const product = sqrtPrice * amount;
  const denominator = adds ? (liquidity << 64n) + product : (liquidity << 64n) - product;
  if (denominator <= 0n) return null;
  const price = divide((liquidity * sqrtPrice) << 64n, denominator, true);
  return price < MIN_SQRT_PRICE || price > MAX_SQRT_PRICE ? null : price;
}

/** Returns the fee on top of an input that does not include it. */
function feeOn(amountIn: bigint, feeRate: bigint): bigint {
  return divide(amountIn * feeRate, FEE_RATE_DENOMINATOR - feeRate, true);
}

function divide(numerator: bigint, denominator: bigint, roundUp: boolean): bigint {
  const quotient = numerator / denominator;
  return roundUp && quotient * denominator !== numerator ? quotient + 1n : quotient;
}
