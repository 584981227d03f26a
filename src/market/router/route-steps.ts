import type { Address } from '../../solana/address.ts';
import type { RoutePlanStep } from '../aggregator/route-plan.ts';
import type { Route } from './plan.ts';

/**
 * Creates the steps by which the aggregator executes a route.
 *
 * @param authority - Owns the token accounts and signs for them.
 * @param accounts - The authority's token accounts by mint; the last steps may pay into an account of somebody else.
 *
 * @example
 * ```ts
 * import type { Address } from '../../solana/address.ts';
 * import type { Route } from './index.ts';
 * import { createRouteSteps } from './route-steps.ts';
 *
 * // The number of accounts that the pools of a route need.
 * function accountsOf(route: Route, wallet: Address, accounts: ReadonlyMap<Address, Address>): number {
 *   return createRouteSteps(route, wallet, accounts).reduce((sum, { step }) => sum + step.accounts.length, 0);
 * }
 * ```
 */
export function createRouteSteps(
  route: Pick<Route, 'legs'>,
  authority: Address,
  accounts: ReadonlyMap<Address, Address>,
): RoutePlanStep[] {
  return route.legs.map(({ handle, inputMint, outputMint, bps, inputIndex, outputIndex, quote }) => ({
    step: handle.venue.routeStep(
      handle.pool,
      inputMint,
      {
        authority,
        source: accounts.get(inputMint) as Address,
        destination: accounts.get(outputMint) as Address,
      },
      quote,
    ),
    bps,
    inputIndex,
    outputIndex,
  }));
}
