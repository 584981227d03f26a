import type { Route } from '../../market/router/index.ts';
import type { Address } from '../../solana/address.ts';
import type { TransactionFailure } from '../../transactions/transaction-failure.ts';

/**
 * Returns the route's pools of the innermost venue that failed, or all pools of the route if no venue did. A pool may fail in a program
 * that its own calls, such as that of a token whose issuer has frozen what the pool holds.
 * @param venueLabels - Labels of the venues that routes may use, by program.
 * @param failure - No program has failed if the runtime refused.
 */
export function findFailingPools(
  venueLabels: Readonly<Record<string, string>>,
  { legs }: Pick<Route, 'legs'>,
  { program, callers }: Pick<TransactionFailure, 'program' | 'callers'>,
): readonly Address[] {
  for (const each of program === null ? [] : [program, ...callers]) {
    const failing = legs.filter(({ handle }) => handle.venue.label === venueLabels[each]);
    if (failing.length > 0) return failing.map(({ handle }) => handle.pool.address);
  }
  return legs.map(({ handle }) => handle.pool.address);
}
