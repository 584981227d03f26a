import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { compareAmounts } from '../../solana/units.ts';
import type { Liquidity, PoolHandle } from '../pools/pools.ts';
import { planWithinLimits } from './plan-within-limits.ts';
import { type Flow, optimiseSplit } from './split-optimiser.ts';
import {
  fewerHops,
  PART,
  MAX_CANDIDATE_PATHS,
  type CandidatePath,
  candidatePaths,
  type RankedPath,
} from './candidate-paths.ts';
import { type PlannedLeg, type Route, runRoute, type ShareUnit } from './plan.ts';
import { candidateGraph } from './candidate-graph.ts';

export { findRoutesExactOut } from './exact-out.ts';
export { type Leg, type PlannedLeg, payout, type Route, runRoute } from './plan.ts';

export interface RouteRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Atoms of the input mint that the route spends. */
  readonly amount: bigint;
  readonly clock: ChainClock;
  /** Which venues may take part, by label; every one when absent. */
  readonly allows?: ((label: string) => boolean) | undefined;
  /** Pools that take no part; none when absent. */
  readonly avoid?: ReadonlySet<Address> | undefined;
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
 * Routes for an exact input, the best output first: the best split with the single paths that come near it, and, where
 * those do not do, narrower splits and the other single paths, because the best may turn out not to fit a transaction;
 * last the best paths over fewer pools, however little they pay, and each pool of the pair by itself.
 * What is not asked for is not worked out. Amounts are exact at the pools' present state, which must not change while
 * the routes are gone through; the search itself ranks by estimates. Nothing is read from the network. Circles are not
 * routes: none is found from a mint to itself.
 */
export function* findRoutes(pools: Liquidity, request: RouteRequest): Iterable<Route> {
  if (request.inputMint === request.outputMint) return;
  const amount = Number(request.amount);
  const ranked = candidatePaths(pools, request, amount, MAX_CANDIDATE_PATHS);
  const search = { request, amount, paths: ranked.map(({ path }) => path) };
  const widest = worthSplitting(request, ranked) ? split(search, search.paths, request.maxPaths) : null;
  const near = NEAR * Math.max(Number(widest?.outAmount ?? 0), mostPaid(ranked)) - NEAR_ATOMS;
  const best = [widest];
  for (const { path, pays } of ranked) if (pays >= near) best.push(singleWay(search, path, widest));
  yield* bestFirst(best);
  const others = [...narrowerSplits(search, widest)];
  for (const { path, pays } of ranked) if (pays < near) others.push(singleWay(search, path, widest));
  yield* bestFirst(others);
  for (const maxHops of fewerHops(request)) {
    const shorter = candidatePaths(pools, { ...request, maxHops }, amount, MAX_CANDIDATE_PATHS);
    yield* bestFirst(shorter.map(({ path }) => singleWay(search, path, widest)));
  }
  yield* bestFirst(singlePools(pools, request));
}

function singlePools(pools: Liquidity, request: RouteRequest): readonly (Route | null)[] {
  const { inputMint, outputMint, amount, clock } = request;
  const { direct } = candidateGraph(pools, { ...request, maxHops: 1 });
  const place = { inputMint, outputMint, bps: WHOLE, inputIndex: 0, outputIndex: 1 };
  return (direct?.markets ?? []).map((market) => runRoute([{ market, ...place }], amount, clock));
}

function mostPaid(ranked: readonly RankedPath[]): number {
  return ranked.reduce((most, { pays }) => Math.max(most, pays), 0);
}

/** A split that pays less than this share more is not worth a further pool: a tenth of a basis point. */
const WORTHWHILE = 1e-5;

/** No split pays more than the best price of a small part, which is the price of the whole before it moves it. */
function worthSplitting({ maxPaths }: RouteRequest, ranked: readonly RankedPath[]): boolean {
  const mostForPart = ranked.reduce((most, { paysForPart }) => Math.max(most, paysForPart), 0);
  return maxPaths > 0 && mostPaid(ranked) < (mostForPart / PART) * (1 - WORTHWHILE);
}

/** A single way that is estimated to pay this share of the best, less some atoms, might in fact pay more. */
const NEAR = 0.9999;
const NEAR_ATOMS = 10;

/** Pools of the narrower splits: a wide one may not fit a transaction. */
const WIDTHS = [9, 8, 7, 6, 5, 4, 3, 2];

interface Search {
  readonly request: RouteRequest;
  readonly amount: number;
  readonly paths: readonly CandidatePath[];
}

function narrowerSplits(search: Search, widest: Route | null): readonly (Route | null)[] {
  const { paths, request } = search;
  const width = widest?.legs.length ?? 0;
  const narrower = WIDTHS.filter((pools) => width > pools);
  return [
    ...narrower.map((pools) => split(search, paths, request.maxPaths, pools)),
    request.maxPaths > 1 ? split(search, paths, 1) : null,
  ];
}

function split(
  { request, amount }: Search,
  among: readonly CandidatePath[],
  most: number,
  pools?: number,
): Route | null {
  return firstPlanned(among, (usable) => optimiseSplit(usable, amount, most, pools), request);
}

/** Through the best pool of each hop; where one of them refuses, through others. Null too where `widest` is the same. */
function singleWay(search: Search, path: CandidatePath, widest: Route | null): Route | null {
  const { amount, request } = search;
  const legs: PlannedLeg[] = [];
  let stream = amount;
  for (const [hop, { markets, inputMint, outputMint }] of path.entries()) {
    let [best, most]: [PoolHandle | null, number] = [null, 0];
    for (const market of markets) {
      const paid = market.venue.estimate(market.pool, inputMint, stream);
      if (paid > most) [best, most] = [market, paid];
    }
    if (best === null) return null;
    legs.push({ market: best, inputMint, outputMint, bps: WHOLE, inputIndex: hop, outputIndex: hop + 1 });
    stream = most;
  }
  if (widest !== null && leadsAlong(widest, legs)) return null;
  return runRoute(legs, request.amount, request.clock) ?? split(search, [path], 0);
}

function leadsAlong({ legs }: Route, way: readonly PlannedLeg[]): boolean {
  return (
    legs.length === way.length &&
    legs.every(({ market, bps }, index) => bps === WHOLE && market === way[index]?.market)
  );
}

const WHOLE = 10_000;

function bestFirst(routes: readonly (Route | null)[]): readonly Route[] {
  return routes
    .filter((route) => route !== null)
    .sort((one, other) => compareAmounts(other.outAmount, one.outAmount));
}

type Split = (paths: readonly CandidatePath[]) => Flow;

/** An estimate knows no bounds, but a pool may: it is left out then and the amount split anew, so many times. */
const ATTEMPTS = 4;

function firstPlanned(all: readonly CandidatePath[], split: Split, request: RouteRequest): Route | null {
  let paths = all;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const flow = split(paths);
    if (flow.length === 0) return null;
    const { route, refused } = planWithinLimits(flow, request);
    if (route !== undefined) return route;
    if (refused === null) return null;
    paths = without(paths, refused.market);
  }
  return null;
}

function without(paths: readonly CandidatePath[], left: PoolHandle): readonly CandidatePath[] {
  return paths
    .map((path) => path.map((edge) => ({ ...edge, markets: edge.markets.filter((each) => each !== left) })))
    .filter((path) => path.every(({ markets }) => markets.length > 0));
}
