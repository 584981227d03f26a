import { formatDuration } from '../../base/format-time.ts';

const MINUTE_MS = 60_000;

/** Formats how long something took: in seconds with a fraction below a minute. */
export function formatSeconds(milliseconds: number): string {
  return milliseconds < MINUTE_MS ? `${(milliseconds / 1_000).toFixed(1)} s` : formatDuration(milliseconds);
}
