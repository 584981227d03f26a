import { randomInt } from 'node:crypto';

const STEPS = 2 ** 32;

/** Returns a number from 0 up to 1 that nobody can foresee. */
export function chooseFraction(): number {
  return randomInt(STEPS) / STEPS;
}
