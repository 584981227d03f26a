const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Formats how long something takes or took, in its two largest units.
 *
 * @param ms - Milliseconds; below zero counts as zero.
 *
 * @example
 * ```ts
 * formatBriefDuration(3_661_000); // '1 h 1 min'
 * ```
 */
export function formatBriefDuration(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole < SECOND) return `${whole} ms`;
  if (whole < 10 * SECOND) return `${(Math.floor(whole / 100) / 10).toFixed(1)} s`;
  if (whole < MINUTE) return `${Math.floor(whole / SECOND)} s`;
  if (whole < HOUR) return join(whole, MINUTE, 'min', SECOND, 's');
  return whole < DAY ? join(whole, HOUR, 'h', MINUTE, 'min') : join(whole, DAY, 'd', HOUR, 'h');
}

function join(ms: number, major: number, majorUnit: string, minor: number, minorUnit: string): string {
  const rest = Math.floor((ms % major) / minor);
  return `${Math.floor(ms / major)} ${majorUnit}${rest === 0 ? '' : ` ${rest} ${minorUnit}`}`;
}
