/** Seconds after the expiry at which an invite that is still open is tried again first. */
const FIRST_AGE = 8n;
/** An invite that has been open for longer is tried again after each such period: an hour and some minutes. */
const LONGEST_DELAY = 4_096n;

/**
 * Whether an invite that is still open was to be tried again between two looks at it. It is when the time since its expiry has
 * doubled, and later once an hour. The delays thus grow without a note about any invite, however many cannot be returned.
 *
 * @param before - Seconds from the expiry to the earlier look. Negative for an invite that had not expired yet.
 * @param now - Seconds from the expiry to this look.
 */
export function isDueAgain(before: bigint, now: bigint): boolean {
  return computeNextAge(before) <= now;
}

function computeNextAge(before: bigint): bigint {
  if (before >= LONGEST_DELAY) return (before / LONGEST_DELAY + 1n) * LONGEST_DELAY;
  let age = FIRST_AGE;
  while (age <= before) age *= 2n;
  return age;
}
