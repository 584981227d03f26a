import { type Bps, bps, divideUp } from '../../solana/units.ts';
import type { OrderSale } from '../order-sale.ts';

/** The slippage of a stop-loss, and of a purchase above the price, that names none: such orders are to be filled. */
const PROTECTIVE_BPS = bps(2_000);
const ALL_BPS = 10_000;

/** The settings `trigger-floor-bps` and `trigger-max-floor-bps`. */
export interface FloorLimits {
  /** How far under the reference an order may be filled that names no larger slippage. */
  readonly floorBps: number;
  /** How far under the reference an order may be filled, whatever slippage it names. */
  readonly maxFloorBps: number;
}

/**
 * Returns the slippage that an order is filled with, against its quote; null leaves it to the estimator. That is for orders
 * that take a profit and for purchases below the price. A slippage of 0 takes what is quoted, or nothing.
 */
export function getFillSlippage({
  slippageBps,
  isProtective,
}: Pick<OrderSale, 'slippageBps' | 'isProtective'>): Bps | null {
  return slippageBps ?? (isProtective ? PROTECTIVE_BPS : null);
}

/** A token with the US dollars that one whole token is worth. */
export interface ReferenceToken {
  readonly dollars: number;
  readonly decimals: number;
}

/**
 * Computes the least atoms of the output that an order may be filled for: the worth of the input at the reference prices, less
 * `floorBps` or a larger slippage of the order, but never more than `maxFloorBps`. The prices are taken as the exact fractions that they
 * are, so that only the result is rounded, up.
 * @param amount - Atoms of the input.
 * @throws RangeError when a price is not a positive number
 */
export function computeFillFloor(
  amount: bigint,
  { input, output }: { readonly input: ReferenceToken; readonly output: ReferenceToken },
  slippage: Bps | null,
  { floorBps, maxFloorBps }: FloorLimits,
): bigint {
  const [paid, received] = [toFraction(input.dollars), toFraction(output.dollars)];
  // Pools take fees, so a floor as narrow as some slippages would never be reached. The quote bounds those.
  const under = Math.min(Math.max(slippage ?? 0, floorBps), maxFloorBps);
  const worth = amount * paid.numerator * received.denominator * 10n ** BigInt(output.decimals);
  const unit = paid.denominator * received.numerator * 10n ** BigInt(input.decimals);
  return divideUp(worth * BigInt(ALL_BPS - under), unit * BigInt(ALL_BPS));
}

/** A number as it is stored: no digit is added or lost. */
interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** @throws RangeError when the number is not positive, or not finite */
function toFraction(value: number): Fraction {
  if (!(value > 0) || !Number.isFinite(value)) {
    throw new RangeError(`a price must be a positive number, got ${value}`);
  }
  let [whole, denominator] = [value, 1n];
  // Doubling is exact. The smallest number needs 1,074 of them.
  while (!Number.isInteger(whole)) {
    whole *= 2;
    denominator *= 2n;
  }
  return { numerator: BigInt(whole), denominator };
}

/** Whether a price can be computed with. */
export function isUsablePrice(dollars: number | null | undefined): dollars is number {
  return typeof dollars === 'number' && dollars > 0 && Number.isFinite(dollars);
}
