/**
 * Formats a share of a count, such as a fill rate.
 *
 * @returns null if there is nothing to have a share of
 *
 * @example
 * ```ts
 * formatCountShare(2, 3); // '66.7%'
 * ```
 */
export function formatCountShare(part: number, whole: number): string | null {
  if (whole <= 0) return null;
  const tenths = Math.round((part / whole) * 1_000);
  // A share that is not the whole is not rounded to it.
  const shown = part < whole && tenths === 1_000 ? 999 : part > 0 && tenths === 0 ? 1 : tenths;
  return `${(shown / 10).toFixed(shown % 10 === 0 ? 0 : 1)}%`;
}
