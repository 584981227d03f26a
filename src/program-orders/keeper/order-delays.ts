import type { OrderWait } from './plan/order-put-off.ts';

const FIRST_DELAY_MS = 1_000;
/** A price or a route may come at any time; what a program refuses does not change by itself. */
const LONGEST_DELAY_MS: Readonly<Record<OrderWait, number>> = {
  gas: 60_000,
  price: 60_000,
  route: 60_000,
  unpriced: 60_000,
  account: 60_000,
  unavailable: 5_000,
  refused: 600_000,
  dust: 600_000,
};
/**
 * What fails on chain costs gas. Whoever moves one pool at the right time lets any number of fills over it fail, so that each order
 * may cost no more than some dozens of them a day.
 */
const LONGEST_FAILED_DELAY_MS = 3_600_000;

/**
 * Computes for how many milliseconds an order is put off.
 *
 * @param times - How often it was put off before, in a row.
 */
export function computeOrderDelay(reason: OrderWait, times: number): number {
  return computeDelay(times, LONGEST_DELAY_MS[reason]);
}

/**
 * Computes for how many milliseconds an order is put off whose transaction has failed on chain.
 *
 * @param failures - How many failed before, in a row.
 */
export function computeFailedDelay(failures: number): number {
  return computeDelay(failures, LONGEST_FAILED_DELAY_MS);
}

function computeDelay(times: number, longest: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(times, 20), longest);
}
