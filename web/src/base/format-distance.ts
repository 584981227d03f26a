import { formatDuration } from './format-time.ts';

/** Nearer times are said to be now. */
const NOW_MS = 2_000;
/** The same ahead: the clock of a page is read every 15 seconds, and that of a server may go before it. */
const NOW_AHEAD_MS = 20_000;

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
  if (distance < (at < now ? NOW_MS : NOW_AHEAD_MS)) return 'now';
  const [amount = '', unit = ''] = formatDuration(distance).split(' ');
  return at < now ? `${amount} ${unit} ago` : `in ${amount} ${unit}`;
}
