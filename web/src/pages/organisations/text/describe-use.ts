import { formatWhole } from '../../../base/format-amount.ts';

/** A count against its limit: `3 of 9 000`. */
export function formatUse({
  current,
  limit,
}: {
  readonly current: number | null;
  readonly limit: number;
}): string {
  return `${current === null ? 'unknown' : formatWhole(current)} of ${formatWhole(limit)}`;
}

/** How much is used of what is there, as a whole percentage; null where there is no whole. */
export function formatUsedShare(used: number, whole: number | null): string | null {
  if (whole === null || whole <= 0) return null;
  const share = (used / whole) * 100;
  return share > 0 && share < 1 ? 'below 1%' : `${Math.floor(share)}%`;
}

/** Whether so much is used that little is left. */
export function isNearLimit(used: number | null, whole: number | null): boolean {
  return used !== null && whole !== null && whole > 0 && used >= whole * 0.8;
}

/** A month as `2026-11`. */
export function formatMonth(since: number): string {
  const date = new Date(since);
  return Number.isNaN(date.getTime()) ? 'an unknown month' : date.toISOString().slice(0, 7);
}
