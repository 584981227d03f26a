import { formatDuration } from './format-time.ts';

/** Nearer times are said to be now: clocks of a browser and a server differ. */
const NOW_MS = 2_000;

/**
 * Says how far a time is from now.
 *
 * @param at - Unix milliseconds.
 * @param now - Unix milliseconds.
 *
 * @example
 * ```ts
 * formatDistance(0, 90_000); // '1 min ago'
 * ```
 */
export function formatDistance(at: number, now: number): string {
  const distance = Math.abs(at - now);
  if (!Number.isFinite(distance)) return 'at an unknown time';
  if (distance < NOW_MS) return 'now';
  const [amount = '', unit = ''] = formatDuration(distance).split(' ');
  return at < now ? `${amount} ${unit} ago` : `in ${amount} ${unit}`;
}
