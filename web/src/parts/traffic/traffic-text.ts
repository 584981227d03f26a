import { formatWhole } from '../../base/format-amount.ts';

/** Formats a duration of the log: `740 µs`, `1.2 ms`, `3.40 s`. */
export function formatMicroseconds(microseconds: number): string {
  if (microseconds < 1_000) return `${Math.round(microseconds)} µs`;
  if (microseconds < 10_000) return `${(microseconds / 1_000).toFixed(1)} ms`;
  if (microseconds < 999_500) return `${Math.round(microseconds / 1_000)} ms`;
  if (microseconds < 60_000_000) return `${(microseconds / 1_000_000).toFixed(2)} s`;
  return `${formatWhole(Math.round(microseconds / 1_000_000))} s`;
}

/** Formats a share: `1.25%`, or `none`. */
export function formatPercentage(share: number | null): string {
  if (share === null) return 'none';
  return `${(share * 100).toFixed(share !== 0 && share < 0.1 ? 2 : 1)}%`;
}
