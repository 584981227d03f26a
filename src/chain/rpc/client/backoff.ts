const FIRST_MS = 250;
const MAX_MS = 10_000;

/**
 * Computes how long to wait before the next attempt. The time doubles with each failure, and a random part of up to half
 * of it is subtracted, so that many instances do not retry at the same moment.
 *
 * @param failures - The number of earlier failures in a row; 0 after the first.
 * @param random - Returns a number from 0 to 1.
 * @returns Milliseconds.
 */
export function computeBackoffMs(failures: number, random: () => number): number {
  const full = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(failures, 16));
  return full / 2 + (full / 2) * random();
}

/** Varies a time randomly by up to ten percent. */
export function varyRandomly(ms: number, random: () => number): number {
  return ms * (0.9 + 0.2 * random());
}
