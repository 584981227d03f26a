const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 60_000;

/**
 * Returns after how many milliseconds something is tried again.
 *
 * @param attempts - How often it was tried in vain before.
 */
export function computeRetryDelay(attempts: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts, 10));
}
