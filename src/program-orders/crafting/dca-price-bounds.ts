import { divideUp, U64_MAX } from '../../solana/units.ts';
import { createImpossibleOrder, type ImpossibleOrder } from './impossible-order.ts';

/** A number of a request. Whole numbers that a double cannot hold are bigints. */
export type RequestNumber = number | bigint;

/** Between which prices cycles are filled. Null for no bound. */
export interface DcaPriceRange {
  /** What one whole token of the output costs, in whole tokens of the input. */
  readonly minPrice: RequestNumber | null;
  readonly maxPrice: RequestNumber | null;
}

/** A whole cycle of an order. */
export interface DcaCycleTokens {
  /** Atoms of the input. */
  readonly amount: bigint;
  readonly inputDecimals: number;
  readonly outputDecimals: number;
}

/** What a whole cycle may bring, in atoms of the output. Absent without a bound. */
export interface DcaOutputBounds {
  readonly minOutAmount?: bigint;
  readonly maxOutAmount?: bigint;
}

/**
 * Computes what a cycle may bring from the prices between which it may be filled. A maximum price is a minimum output, and
 * a minimum price a maximum output. The arithmetic is exact, and both bounds are rounded so that no fill is at a price
 * outside the range. The program compares what the user gets, so the fee of a fill counts towards its price.
 *
 * Returns the bounds, or why there are none.
 */
export function computeDcaOutputBounds(
  { minPrice, maxPrice }: DcaPriceRange,
  cycle: DcaCycleTokens,
): DcaOutputBounds | ImpossibleOrder {
  const lowest = minPrice === null || Number(minPrice) === 0 ? null : parsePrice('minPrice', minPrice);
  const highest = maxPrice === null ? null : parsePrice('maxPrice', maxPrice);
  if (lowest !== null && 'kind' in lowest) return lowest;
  if (highest !== null && 'kind' in highest) return highest;
  const most = lowest === null ? null : divideByPrice(lowest, cycle, (one, other) => one / other);
  const least = highest === null ? null : divideByPrice(highest, cycle, divideUp);
  if (most === 0n) {
    return createImpossibleOrder(
      `minPrice is too high: at ${minPrice}, an order brings less than one base unit`,
    );
  }
  if (least !== null && least > U64_MAX) {
    return createImpossibleOrder(
      `maxPrice is too low: at ${maxPrice}, an order brings more than ${U64_MAX} base units`,
    );
  }
  if (most !== null && least !== null && least > most) {
    return createImpossibleOrder(`minPrice must be below maxPrice, got ${minPrice} and ${maxPrice}`);
  }
  return {
    ...(least === null ? {} : { minOutAmount: least }),
    // An output above the largest u64 is not possible, so a larger maximum bounds nothing.
    ...(most === null || most > U64_MAX ? {} : { maxOutAmount: most }),
  };
}

/** A positive number as a fraction. */
interface DecimalFraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Reads the digits with which the number is written, so that 0.1 is a tenth, and not the double next to it. */
function parsePrice(name: string, price: RequestNumber): DecimalFraction | ImpossibleOrder {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(price));
  const [, whole = '', fraction = '', exponent = '0'] = match ?? [];
  const digits = BigInt(whole + fraction);
  if (digits === 0n) return createImpossibleOrder(`${name} must be a number above 0 or null, got ${price}`);
  const power = Number(exponent) - fraction.length;
  const scale = 10n ** BigInt(Math.abs(power));
  return power < 0
    ? { numerator: digits, denominator: scale }
    : { numerator: digits * scale, denominator: 1n };
}

/** Computes the atoms of the output that the cycle buys at a price. */
function divideByPrice(
  { numerator, denominator }: DecimalFraction,
  { amount, inputDecimals, outputDecimals }: DcaCycleTokens,
  divide: (dividend: bigint, divisor: bigint) => bigint,
): bigint {
  return divide(
    amount * denominator * 10n ** BigInt(outputDecimals),
    numerator * 10n ** BigInt(inputDecimals),
  );
}
