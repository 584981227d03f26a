import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { compareAmounts, maximum } from '../../solana/units.ts';
import { estimateReceived } from '../estimate-received.ts';
import type { Liquidity, PoolHandle } from '../pools/liquidity.ts';
import { planWithinLimits } from './plan-within-limits.ts';
import { type SplitFlow, optimiseSplit } from './split-optimiser.ts';
import {
  listFewerHops,
  PART,
  MAX_CANDIDATE_PATHS,
  type CandidatePath,
  findCandidatePaths,
  type RankedPath,
} from './candidate-paths.ts';
import { type PlannedLeg, type Route, runRoute, type ShareUnit } from './plan.ts';
import { getCandidateGraph } from './candidate-graph.ts';

export { type Leg, type PlannedLeg, quotePayout, type Route, runRoute } from './plan.ts';

export interface RouteRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Atoms of the input mint that the route spends. */
  readonly amount: bigint;
  readonly clock: ChainClock;
  /** Whether the venue with this label may take part. Default: all may. */
  readonly allows?: ((label: string) => boolean) | undefined;
  /** Pools that may not take part. */
  readonly avoid?: ReadonlySet<Address> | undefined;
  /** Whether a pool may not take the mint in its present state. Default: all may. */
  readonly excludes?: ((handle: PoolHandle, inputMint: Address) => boolean) | undefined;
  /** The most pools that one path may lead through. */
  readonly maxHops: 1 | 2 | 3;
  /** The most paths over which the amount is split. Each hop may be split over pools too. 0: nothing is split. */
  readonly maxPaths: 0 | 1 | 2 | 3 | 4 | 5;
  /** Whether only hubs may stand between the two mints. */
  readonly onlyHubs: boolean;
  /** Basis points of which every share is a multiple. Default: 1. */
  readonly shareUnit?: ShareUnit;
}

/**
 * Finds routes for an exact input, the best output first, lazily: what the caller does not ask for is not computed.
 *
 * The best route may turn out not to fit a transaction, so more follow: first the best split and the single paths that
 * come near it, then narrower splits and the other single paths, then the best shorter paths, and last each pool of the
 * pair by itself. No route is found from a mint to itself.
 *
 * Amounts are exact for the current state of the pools, which must not change while routes are taken from the iterable.
 * The search itself ranks by estimates. Nothing is read from the network.
 *
 * Returns an iterable that finds the next route when it is asked for one.
 *
 * @example
 * ```ts
 * import { address } from '../../solana/address.ts';
 * import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
 * import type { Pools } from '../pools/pools.ts';
 * import { findRoutes, type Route } from './index.ts';
 *
 * // Finds the best route for 0.1 SOL to USDC.
 * function bestRoute(pools: Pools): Route | null {
 *   const routes = findRoutes(pools, {
 *     inputMint: WRAPPED_SOL_MINT,
 *     outputMint: address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
 *     amount: 100_000_000n,
 *     clock: { slot: 1n, epoch: 0n, unixTimestamp: 1_800_000_000n },
 *     maxHops: 3,
 *     maxPaths: 5,
 *     onlyHubs: false,
 *   });
 *   for (const route of routes) return route;
 *   return null;
 * }
 * ```
 */
export function* findRoutes(pools: Liquidity, request: RouteRequest): Iterable<Route> {
  if (request.inputMint === request.outputMint) return;
  const amount = Number(request.amount);
  const ranked = findCandidatePaths(pools, request, amount, MAX_CANDIDATE_PATHS);
  const search = { request, amount, paths: ranked.map(({ path }) => path) };
  const widest = worthSplitting(request, ranked) ? split(search, search.paths, request.maxPaths) : null;
  const near = NEAR * Math.max(Number(widest?.outAmount ?? 0), mostPaid(ranked)) - NEAR_ATOMS;
  const best = [widest];
  for (const { path, pays } of ranked) if (pays >= near) best.push(singlePath(search, path, widest));
  yield* bestFirst([...best, ...findBetterPools(search, best)]);
  const others = [...narrowerSplits(search, widest)];
  for (const { path, pays } of ranked) if (pays < near) others.push(singlePath(search, path, widest));
  yield* bestFirst(others);
  for (const maxHops of listFewerHops(request)) {
    const shorter = findCandidatePaths(pools, { ...request, maxHops }, amount, MAX_CANDIDATE_PATHS);
    yield* bestFirst(shorter.map(({ path }) => singlePath(search, path, widest)));
  }
  yield* bestFirst(singlePools(pools, request));
}

function singlePools(pools: Liquidity, request: RouteRequest): readonly (Route | null)[] {
  const { amount, clock } = request;
  const { direct } = getCandidateGraph(pools, { ...request, maxHops: 1 }, Number(amount));
  return (direct?.handles ?? []).map((handle) => runRoute(throughPool(handle, request), amount, clock));
}

function throughPool(handle: PoolHandle, { inputMint, outputMint }: RouteRequest): readonly PlannedLeg[] {
  return [{ handle, inputMint, outputMint, bps: WHOLE, inputIndex: 0, outputIndex: 1 }];
}

/**
 * Finds the pools of the pair that pay more than each of the routes. Estimates decide which paths become routes at all, so if some
 * are wrong, the routes pay less than a pool of the pair does.
 */
function findBetterPools(
  { request, amount, paths }: PathSearch,
  routes: readonly (Route | null)[],
): readonly (Route | null)[] {
  const most = routes.reduce((paid, route) => maximum(paid, route?.outAmount ?? 0n), 0n);
  const direct = paths.find(({ length }) => length === 1)?.[0];
  const promising = direct?.handles.filter(
    (handle) => estimateReceived(handle, request.inputMint, amount, request.clock) > Number(most) * ABOVE,
  );
  const better = (promising ?? []).map((handle) =>
    runRoute(throughPool(handle, request), request.amount, request.clock),
  );
  return better.filter((route) => route !== null && route.outAmount > most);
}

/** An estimate that is above an exact amount by less than this may be the estimate of that amount. */
const ABOVE = 1 + 1e-9;

function mostPaid(ranked: readonly RankedPath[]): number {
  return ranked.reduce((most, { pays }) => Math.max(most, pays), 0);
}

/** The least share by which a split must pay more to be worth another pool: a tenth of a basis point. */
const WORTHWHILE = 1e-5;

/**
 * No split pays a better price than the best price for a small part, which is the price before the swap moves it. That
 * price tells nothing where a small part pays less per atom than a large one.
 */
function worthSplitting({ maxPaths }: RouteRequest, ranked: readonly RankedPath[]): boolean {
  if (maxPaths > 0 && ranked.some(({ path }) => path.some(({ dearInParts }) => dearInParts))) return true;
  const mostForPart = ranked.reduce((most, { paysForPart }) => Math.max(most, paysForPart), 0);
  return maxPaths > 0 && mostPaid(ranked) < (mostForPart / PART) * (1 - WORTHWHILE);
}

/** A single path whose estimate reaches this share of the best, less some atoms, may in fact pay more. */
const NEAR = 0.9999;
const NEAR_ATOMS = 10;

/** Numbers of pools for narrower splits, because a wide one may not fit a transaction. */
const WIDTHS = [9, 8, 7, 6, 5, 4, 3, 2];

interface PathSearch {
  readonly request: RouteRequest;
  readonly amount: number;
  readonly paths: readonly CandidatePath[];
}

function narrowerSplits(search: PathSearch, widest: Route | null): readonly (Route | null)[] {
  const { paths, request } = search;
  const width = widest?.legs.length ?? 0;
  const narrower = WIDTHS.filter((pools) => width > pools);
  return [
    ...narrower.map((pools) => split(search, paths, request.maxPaths, pools)),
    request.maxPaths > 1 ? split(search, paths, 1) : null,
  ];
}

function split(
  { request, amount }: PathSearch,
  among: readonly CandidatePath[],
  most: number,
  pools?: number,
): Route | null {
  return firstPlanned(
    among,
    (usable) => optimiseSplit(usable, { amount, clock: request.clock }, most, pools),
    request,
  );
}

/**
 * Builds a route through the best pool of each hop, or through others where one of them refuses. Null also if it equals
 * `widest`.
 */
function singlePath(search: PathSearch, path: CandidatePath, widest: Route | null): Route | null {
  const { amount, request } = search;
  const legs: PlannedLeg[] = [];
  let stream = amount;
  for (const [hop, { handles, inputMint, outputMint }] of path.entries()) {
    let [best, most]: [PoolHandle | null, number] = [null, 0];
    for (const handle of handles) {
      const paid = estimateReceived(handle, inputMint, stream, request.clock);
      if (paid > most) [best, most] = [handle, paid];
    }
    if (best === null) return null;
    legs.push({ handle: best, inputMint, outputMint, bps: WHOLE, inputIndex: hop, outputIndex: hop + 1 });
    stream = most;
  }
  if (widest !== null && followsPath(widest, legs)) return null;
  return runRoute(legs, request.amount, request.clock) ?? split(search, [path], 0);
}

function followsPath({ legs }: Route, path: readonly PlannedLeg[]): boolean {
  return (
    legs.length === path.length &&
    legs.every(({ handle, bps }, index) => bps === WHOLE && handle === path[index]?.handle)
  );
}

const WHOLE = 10_000;

function bestFirst(routes: readonly (Route | null)[]): readonly Route[] {
  return routes
    .filter((route) => route !== null)
    .sort((one, other) => compareAmounts(other.outAmount, one.outAmount));
}

type Split = (paths: readonly CandidatePath[]) => SplitFlow;

/**
 * Estimates have no limits, but a pool may. Such a pool is left out and the amount is split again, up to this many
 * times.
 */
const ATTEMPTS = 4;

function firstPlanned(all: readonly CandidatePath[], split: Split, request: RouteRequest): Route | null {
  let paths = all;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const flow = split(paths);
    if (flow.length === 0) return null;
    const { route, refused } = planWithinLimits(flow, request);
    if (route !== undefined) return route;
    if (refused === null) return null;
    paths = without(paths, refused.handle);
  }
  return null;
}

function without(paths: readonly CandidatePath[], left: PoolHandle): readonly CandidatePath[] {
  return paths
    .map((path) =>
      path.map(({ inputMint, outputMint, isCharged, dearInParts, handles }) => ({
        inputMint,
        outputMint,
        isCharged,
        dearInParts,
        handles: handles.filter((each) => each !== left),
      })),
    )
    .filter((path) => path.every(({ handles }) => handles.length > 0));
}

/**
 * Merges several searches, each of which yields its best route first: every step yields the best of their next routes.
 */
export function* mergeBestRoutes(searches: readonly Iterable<Route>[]): Iterable<Route> {
  const next = searches.map((routes) => {
    const iterator = routes[Symbol.iterator]();
    return { iterator, head: iterator.next() };
  });
  for (;;) {
    let best: { readonly from: (typeof next)[number]; readonly route: Route } | null = null;
    for (const from of next) {
      if (from.head.done === true) continue;
      const route = from.head.value;
      if (best === null || route.outAmount > best.route.outAmount) best = { from, route };
    }
    if (best === null) return;
    // Advances only when another route is asked for, because further routes take more work than the first.
    yield best.route;
    best.from.head = best.from.iterator.next();
  }
}
