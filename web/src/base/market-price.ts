import { DOLLAR_DECIMALS } from './format-dollars.ts';

/** Digits behind the point of a price. The cheapest tokens cost less than a billionth of a dollar. */
const PRICE_DECIMALS = 24;
const MAX_EXPONENT = 400;

/** What is known of a token. */
export interface TokenMarket {
  /** Null: nobody knows, so amounts are shown in smallest units. */
  readonly decimals: number | null;
  /** Dollars for one unit, with `PRICE_DECIMALS` digits behind the point; null where no pool prices the token. */
  readonly price: bigint | null;
}

/** Looks up what is known of a token. */
export type FindMarket = (mint: string) => TokenMarket;

/**
 * Reads a price as the exact decimal that stood in the answer.
 *
 * @returns null if it is no positive number
 */
export function parsePrice(price: unknown): bigint | null {
  if (typeof price !== 'number' || !(price > 0) || !Number.isFinite(price)) return null;
  const [mantissa = '', exponent = '0'] = price.toString().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = PRICE_DECIMALS + Number(exponent) - fraction.length;
  if (Math.abs(shift) > MAX_EXPONENT) return null;
  const digits = BigInt(whole + fraction);
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
}

/**
 * The value of an amount at the market's price, rounded down.
 *
 * @returns Billionths of a dollar; null where the token has no price.
 */
export function computeNanoDollars(raw: bigint, { decimals, price }: TokenMarket): bigint | null {
  if (decimals === null || price === null) return null;
  return (raw * price) / 10n ** BigInt(decimals + PRICE_DECIMALS - DOLLAR_DECIMALS);
}

/** How the result of a conversion is rounded: against whoever pays it. */
type Rounding = 'down' | 'up';

/**
 * Converts an amount of one token into an amount of another one that is worth the same.
 *
 * @returns Smallest units of the other token; null where one of them has no price.
 */
export function convertAtMarket(
  raw: bigint,
  from: TokenMarket,
  to: TokenMarket,
  rounding: Rounding = 'down',
): bigint | null {
  if (from.decimals === null || to.decimals === null || from.price === null || to.price === null) return null;
  const numerator = raw * from.price * 10n ** BigInt(to.decimals);
  const denominator = to.price * 10n ** BigInt(from.decimals);
  return rounding === 'up' ? (numerator + denominator - 1n) / denominator : numerator / denominator;
}
