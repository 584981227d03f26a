import { formatCounted } from './count-words.ts';
import { formatWhole } from './format-amount.ts';

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;
const STEP = 1_000;

/** Formats a number of bytes: `812 bytes`, `1.2 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes < STEP) return formatCounted(bytes, 'byte');
  let power = 1;
  while (power < UNITS.length && bytes >= STEP ** (power + 1)) power++;
  const tenths = Math.round((bytes / STEP ** power) * 10);
  return `${formatWhole(Math.floor(tenths / 10))}.${tenths % 10} ${UNITS[power - 1]}`;
}
