const SECOND = 1_000;
/** The latest time that a `Date` can have. */
export const MAX_TIME_MS = 8_640_000_000_000_000;
/** From the longest to the shortest, with the milliseconds of each. */
const UNITS = [
  ['d', 86_400 * SECOND],
  ['h', 3_600 * SECOND],
  ['min', 60 * SECOND],
  ['s', SECOND],
] as const;

/**
 * Formats a time as date and clock in UTC. The clock of the network may be far ahead of this machine, so nothing is said of how
 * long ago it was.
 */
export function formatUtcTime(milliseconds: number): string {
  // A server may say anything, and a date of it would throw.
  if (!(Math.abs(milliseconds) <= MAX_TIME_MS)) return 'an unknown time';
  return `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Formats a time for machines, as the `dateTime` of a `<time>`; undefined where no date can have it. */
export function toMachineTime(milliseconds: number): string | undefined {
  return Math.abs(milliseconds) <= MAX_TIME_MS ? new Date(milliseconds).toISOString() : undefined;
}

/**
 * Formats a duration by its two largest units.
 *
 * @example
 * ```ts
 * formatDuration(3_725_000); // '1 h 2 min'
 * ```
 */
export function formatDuration(milliseconds: number): string {
  const first = UNITS.findIndex(([, size]) => milliseconds >= size);
  if (first === -1) return '0 s';
  let left = milliseconds;
  return UNITS.slice(first, first + 2)
    .map(([unit, size]) => {
      const count = Math.floor(left / size);
      left -= count * size;
      return count === 0 ? '' : `${count} ${unit}`;
    })
    .filter((part) => part !== '')
    .join(' ');
}

/**
 * Formats a duration that may be short: as `formatDuration`, but in milliseconds below a second and with a tenth below ten.
 *
 * @param milliseconds - Below zero counts as zero.
 *
 * @example
 * ```ts
 * formatBriefDuration(1_999); // '1.9 s'
 * ```
 */
export function formatBriefDuration(milliseconds: number): string {
  const whole = Math.max(0, Math.round(milliseconds));
  if (whole < SECOND) return `${whole} ms`;
  if (whole < 10 * SECOND) return `${(Math.floor(whole / 100) / 10).toFixed(1)} s`;
  return formatDuration(whole);
}
