/** The creation date of tokens that are older than what is known of them. The public interface uses the same date. */
const OLDER_THAN_KNOWN = '2024-06-05T08:55:25.527Z';

/**
 * Formats when a token, or its first pool, was created. Clients require the time, so one that is not known has a date by
 * which they know it.
 *
 * @param milliseconds - Unix time; null if it is not known.
 * @returns ISO 8601
 */
export function formatCreationTime(milliseconds: number | null): string {
  return milliseconds === null ? OLDER_THAN_KNOWN : new Date(milliseconds).toISOString();
}
