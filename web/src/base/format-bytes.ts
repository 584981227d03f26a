const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
const STEP = 1_000;

/** Formats a number of bytes with three digits, such as `12.3 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 0), UNITS.length - 1);
  return `${formatThreeDigits(bytes / STEP ** power)} ${UNITS[power]}`;
}

/** Formats microseconds as milliseconds, such as `0.42 ms`. */
export function formatMicros(micros: number): string {
  return `${formatThreeDigits(micros / STEP)} ms`;
}

function formatThreeDigits(value: number): string {
  if (value >= 100 || Number.isInteger(value)) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}
