import { formatUnits } from './format-amount.ts';

/** Digits of a price below one dollar, behind the zeros that it begins with. */
const SMALL_DIGITS = 5;

/**
 * Formats a price: with two to four digits behind the point from one unit on, or with its first five digits below.
 *
 * @param price - With that many places behind the point.
 * @param places - How many digits of the price stand behind the point.
 *
 * @example
 * ```ts
 * formatPrice(199_919_980_000_000n, 12); // '199.92'
 * ```
 */
export function formatPrice(price: bigint, places: number): string {
  if (price < 0n) return `\u2212${formatPrice(-price, places)}`;
  const one = 10n ** BigInt(places);
  if (price >= one * 100n) return padCents(roundTo(price, places, 2), places);
  if (price >= one) return padCents(roundTo(price, places, 4), places);
  const excess = price.toString().length - SMALL_DIGITS;
  return formatUnits(excess <= 0 ? price : roundTo(price, places, places - excess), places);
}

function roundTo(value: bigint, places: number, kept: number): bigint {
  const cut = 10n ** BigInt(Math.max(places - kept, 0));
  return ((value + cut / 2n) / cut) * cut;
}

/** Prices are read beside each other, so they have two digits behind the point at least. */
function padCents(value: bigint, places: number): string {
  const text = formatUnits(value, places);
  const [, fraction = ''] = text.split('.');
  return fraction.length >= 2
    ? text
    : `${text}${fraction === '' ? '.' : ''}${'0'.repeat(2 - fraction.length)}`;
}
