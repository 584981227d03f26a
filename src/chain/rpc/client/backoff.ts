const FIRST_MS = 250;
const MAX_MS = 10_000;

/**
 * Milliseconds to wait after so many failures in a row, counted from 0: twice as long each time, and between half of
 * that and all of it by chance, so that many instances do not come back at the same moment.
 */
export function backoffMs(failures: number, random: () => number): number {
  const full = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(failures, 16));
  return full / 2 + (full / 2) * random();
}

/** Ten percent longer or shorter by chance. */
export function jittered(ms: number, random: () => number): number {
  return ms * (0.9 + 0.2 * random());
}
