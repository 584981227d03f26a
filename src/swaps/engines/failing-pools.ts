import type { Route } from '../../market/router/index.ts';
import type { Address } from '../../solana/address.ts';

/**
 * Returns the route's pools of the program that refused, or all pools of the route if the program belongs to none of
 * them.
 * @param venueLabels - Labels of the venues that routes may use, by program.
 * @param program - Null if the runtime refused.
 */
export function findFailingPools(
  venueLabels: Readonly<Record<string, string>>,
  { legs }: Pick<Route, 'legs'>,
  program: Address | null,
): readonly Address[] {
  const label = program === null ? undefined : venueLabels[program];
  const failing = legs.filter(({ handle }) => handle.venue.label === label);
  return (failing.length > 0 ? failing : legs).map(({ handle }) => handle.pool.address);
}
