/** The last second of the year 9999, beyond which no text of a time is understood by clients. */
const LAST_SECOND = 253_402_300_799n;

/**
 * Returns a Unix second in the form of ISO 8601. Whoever creates an invite without this service chooses its expiry, and a later
 * one than the year 9999 is shown as the end of that year.
 */
export function formatUnixSecond(second: bigint): string {
  const shown = second > LAST_SECOND ? LAST_SECOND : second;
  return new Date(Number(shown) * 1_000).toISOString();
}
