import type { Route } from '../../market/router/index.ts';
import type { Address } from '../../solana/address.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/programs/message-fee.ts';

/** Compute units with the margin of an order: around the route, and for each of its steps. */
const UNITS_AROUND = 40_000;
const UNITS_PER_STEP = 60_000;
/** For opening and closing an account between two steps. */
const UNITS_PER_PASSED = 40_000;

/** Returns the mints that a route leads through, each once: those that its steps spend, without the input of the swap. */
export function collectPassedMints({ legs }: Pick<Route, 'legs'>): ReadonlySet<Address> {
  const [source] = legs;
  const mints = new Set(legs.map(({ inputMint }) => inputMint));
  if (source !== undefined) mints.delete(source.inputMint);
  return mints;
}

/** Computes the priority fee of so many compute units, in lamports. */
export type Priority = (units: number) => bigint;

/** Estimates the compute units of a swap before it is simulated. */
export function estimateUnits(route: Pick<Route, 'legs'>): number {
  const passed = collectPassedMints(route).size;
  return UNITS_AROUND + route.legs.length * UNITS_PER_STEP + passed * UNITS_PER_PASSED;
}

/** The units of a route over one pool, which is the cheapest there is. */
const LEAST_UNITS = UNITS_AROUND + UNITS_PER_STEP;

/**
 * Estimates the network's fees that a route costs more than one over a single pool: priority for more steps, and the
 * signature of a maker.
 *
 * @param priorityNow - Returns what computes a priority fee by the recent ones. Called at most once, and not for one pool.
 * @returns lamports
 */
export function estimateExtraFees(route: Pick<Route, 'legs'>, priorityNow: () => Priority): bigint {
  const signatures = route.legs.some(({ handle: { venue } }) => venue.wholeLots === true)
    ? LAMPORTS_PER_SIGNATURE
    : 0n;
  if (route.legs.length === 1) return signatures;
  const priority = priorityNow();
  const more = priority(estimateUnits(route)) - priority(LEAST_UNITS);
  return signatures + (more > 0n ? more : 0n);
}
