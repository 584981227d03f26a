import type { adminSessions } from '../tables/account-tables.ts';

/** A session ends if no request uses it for this long. */
export const IDLE_MS = 60 * 60 * 1_000;
/** A session that would begin later than now was made before the clock was set back. It may be ahead by this much. */
export const CLOCK_MS = 5 * 60 * 1_000;

/**
 * Whether a session has not ended by itself.
 *
 * @param now - Unix milliseconds.
 */
export function isSessionAlive(
  {
    createdAt,
    usedAt,
    expiresAt,
  }: Pick<typeof adminSessions.$inferSelect, 'createdAt' | 'usedAt' | 'expiresAt'>,
  now: number,
): boolean {
  return now < expiresAt && now < usedAt + IDLE_MS && now > createdAt - CLOCK_MS;
}
