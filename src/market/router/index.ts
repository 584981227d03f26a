import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { compareAmounts } from '../../solana/units.ts';
import type { Market, Pools } from '../pools.ts';
import { type Flow, splitFlow } from './flow.ts';
import { PATHS, type Path, promisingPaths } from './paths.ts';
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
  return [...plannedRoutes(paths, amount, request)].sort((one, other) =>
    compareAmounts(other.outAmount, one.outAmount),
  );
}

/** Pools of the narrower splits: a wide one may not fit a transaction. */
const WIDTHS = [9, 6, 4, 3];

/** From wide to narrow: the fewer pools, the smaller the transaction. */
function* plannedRoutes(paths: readonly Path[], amount: number, request: RouteRequest): Iterable<Route> {
  const { maxPaths } = request;
  const plan = (among: readonly Path[], most: number, pools?: number): Route | null =>
    firstPlanned(among, (usable) => splitFlow(usable, amount, most, pools), request);
  if (maxPaths > 0) {
    const widest = plan(paths, maxPaths);
    yield* found(widest);
    const width = widest?.legs.length ?? 0;
    for (const pools of WIDTHS) if (width > pools) yield* found(plan(paths, maxPaths, pools));
    if (maxPaths > 1) yield* found(plan(paths, 1));
  }
  for (const path of paths) yield* found(plan([path], 0));
}

function found(route: Route | null): readonly Route[] {
  return route === null ? [] : [route];
}

type Split = (paths: readonly Path[]) => Flow;

/** An estimate knows no bounds, but a pool may: it is left out then and the amount split anew, so many times. */
const ATTEMPTS = 4;

function firstPlanned(all: readonly Path[], split: Split, request: RouteRequest): Route | null {
  let paths = all;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const flow = split(paths);
    if (flow.length === 0) return null;
    const { route, refused } = planRoute(flow, request);
    if (route !== undefined) return route;
    if (refused === null) return null;
    paths = without(paths, refused);
  }
  return null;
}

function without(paths: readonly Path[], left: Market): readonly Path[] {
  return paths
    .map((path) => path.map((edge) => ({ ...edge, markets: edge.markets.filter((each) => each !== left) })))
    .filter((path) => path.every(({ markets }) => markets.length > 0));
}
