import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import type { Pools } from '../pools.ts';
import { type Flow, splitFlow } from './flow.ts';
import { type Path, promisingPaths } from './paths.ts';
import { planRoute, type Route, type ShareUnit } from './plan.ts';

export { findRoutesExactOut } from './exact-out.ts';
export { type Leg, type PlannedLeg, payout, type Route, runRoute } from './plan.ts';

export interface RouteRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Atoms of the input mint that the route spends. */
  readonly amount: bigint;
  readonly clock: ChainClock;
  /** Which venues may take part, by label. */
  readonly allows: (label: string) => boolean;
  /** Pools that one path may lead through, 1 to 3. */
  readonly maxHops: 1 | 2 | 3;
  /** Paths that the amount may be split over; within a hop it may be split over pools too. 0: not split at all. */
  readonly maxPaths: 0 | 1 | 2 | 3 | 4 | 5;
  /** Lead only through mints that very many others are traded for. */
  readonly onlyHubs: boolean;
  /** Basis points that the shares of a split are multiples of; 1 when absent. */
  readonly shareUnit?: ShareUnit;
}

const PATHS = 8;

/**
 * Routes for an exact input, best output first: the best split, narrower ones, and the best single ways, because the
 * best one may turn out not to fit a transaction. Amounts are exact at the pools' present state; the search itself
 * ranks by estimates. Nothing is read from the network. Circles are not routes: none is found from a mint to itself.
 */
export function findRoutes(pools: Pools, request: RouteRequest): readonly Route[] {
  if (request.inputMint === request.outputMint) return [];
  const amount = Number(request.amount);
  const allows = ({ venue }: { readonly venue: { readonly label: string } }) => request.allows(venue.label);
  const paths = promisingPaths(pools, { ...request, amount, allows }, PATHS);
  const routes: Route[] = [];
  for (const flow of flows(paths, amount, request)) {
    const route = flow.length === 0 ? null : planRoute(flow, request);
    if (route !== null) routes.push(route);
  }
  return routes.sort((one, other) => compare(other.outAmount, one.outAmount));
}

/** From wide to narrow: the fewer pools, the smaller the transaction. */
function* flows(paths: readonly Path[], amount: number, { maxPaths }: RouteRequest): Iterable<Flow> {
  for (const most of [5, 2, 1]) if (most <= maxPaths) yield splitFlow(paths, amount, most);
  for (const path of paths) yield splitFlow([path], amount, 0);
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
