import { formatUnits } from './format-amount.ts';

/** Digits that a brief amount has at most behind its first one, unless its whole part is longer. */
const SHOWN_DIGITS = 6;

/**
 * Formats an amount in units with some six digits, rounded down, for places where the exact one stands nearby.
 *
 * @param raw - In smallest units.
 * @param decimals - How many of the digits stand behind the point.
 *
 * @example
 * ```ts
 * formatBriefUnits(3_666_673_211_104n, 6); // '3 666 673'
 * ```
 */
export function formatBriefUnits(raw: bigint, decimals: number): string {
  if (raw < 0n) return `\u2212${formatBriefUnits(-raw, decimals)}`;
  const excess = Math.min(raw.toString().length - SHOWN_DIGITS, decimals);
  if (excess <= 0) return formatUnits(raw, decimals);
  const cut = 10n ** BigInt(excess);
  return formatUnits((raw / cut) * cut, decimals);
}

/**
 * Formats how much of one token a unit of another one is worth, with some six digits, rounded down.
 *
 * @returns null if nothing is paid, which has no price
 */
export function formatRate(
  paid: { readonly raw: bigint; readonly decimals: number },
  received: { readonly raw: bigint; readonly decimals: number },
): string | null {
  if (paid.raw <= 0n) return null;
  const extra = 18;
  const scaled = (received.raw * 10n ** BigInt(paid.decimals + extra)) / paid.raw;
  return formatBriefUnits(scaled, received.decimals + extra);
}
