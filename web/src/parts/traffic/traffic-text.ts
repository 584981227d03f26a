import { formatWhole } from '../../base/format-amount.ts';

/** Formats a duration of the log: `740 µs`, `1.2 ms`, `3.40 s`. */
export function formatMicroseconds(microseconds: number): string {
  if (microseconds < 1_000) return `${Math.round(microseconds)} µs`;
  if (microseconds < 10_000) return `${(microseconds / 1_000).toFixed(1)} ms`;
  if (microseconds < 999_500) return `${Math.round(microseconds / 1_000)} ms`;
  if (microseconds < 60_000_000) return `${(microseconds / 1_000_000).toFixed(2)} s`;
  return `${formatWhole(Math.round(microseconds / 1_000_000))} s`;
}

/** Formats a number of bytes: `812 bytes`, `1.2 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
