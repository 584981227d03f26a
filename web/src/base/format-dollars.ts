import { formatUnits } from './format-amount.ts';

/** Digits behind the point of the amounts of dollars that are computed with. */
export const DOLLAR_DECIMALS = 9;

/** From this amount on, cents are enough. */
const ONE_DOLLAR = 10n ** 9n;
const CENT = 10n ** 7n;
/** How many digits of a smaller amount are shown behind the zeros that it begins with. */
const SHOWN_DIGITS = 4;

/**
 * Formats an amount of US dollars: with cents, or where it is below one dollar with its first four digits.
 *
 * @param nanoDollars - Billionths of a dollar.
 *
 * @example
 * ```ts
 * formatDollars(20_005_000_000n); // '$20.01'
 * ```
 */
export function formatDollars(nanoDollars: bigint): string {
  if (nanoDollars < 0n) return `\u2212${formatDollars(-nanoDollars)}`;
  if (nanoDollars === 0n) return '$0.00';
  if (nanoDollars >= ONE_DOLLAR - CENT / 2n) {
    const cents = (nanoDollars + CENT / 2n) / CENT;
    const text = formatUnits(cents / 100n, 0);
    return `$${text}.${(cents % 100n).toString().padStart(2, '0')}`;
  }
  const cut = 10n ** BigInt(Math.max(nanoDollars.toString().length - SHOWN_DIGITS, 0));
  return `$${formatUnits(((nanoDollars + cut / 2n) / cut) * cut, DOLLAR_DECIMALS)}`;
}

/**
 * Formats a share as a percentage with as many digits as say something: two, or four below a tenth of a percent.
 *
 * @param millionths - The share in millionths of the whole.
 *
 * @example
 * ```ts
 * formatShare(258_675n); // '25.87%'
 * ```
 */
export function formatShare(millionths: bigint): string {
  const isSmall = millionths > -1_000n && millionths < 1_000n;
  if (isSmall) return `${formatUnits(millionths, 4)}%`;
  const half = millionths < 0n ? -50n : 50n;
  return `${formatUnits((millionths + half) / 100n, 2)}%`;
}
