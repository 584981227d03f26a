import type { Address } from '../../solana/address.ts';
import { compareAmounts } from '../../solana/units.ts';
import type { Liquidity, PoolHandle } from '../pools/liquidity.ts';
import type { RouteRequest } from './index.ts';
import {
  listFewerHops,
  MAX_CANDIDATE_PATHS,
  type CandidatePath,
  findCandidatePaths,
} from './candidate-paths.ts';
import { type PlannedLeg, type Route, runRoute } from './plan.ts';
import { getCandidateGraph } from './candidate-graph.ts';

/** `amount` is the output in atoms of the output mint. */
export type ExactOutRequest = Omit<RouteRequest, 'maxPaths' | 'shareUnit'>;

/** `forExactOut`: only pools over which the aggregator delivers an exact output. */
export type ExactOutCandidates = ExactOutRequest & { readonly forExactOut?: boolean };

const WHOLE = 10_000;

/**
 * Finds single paths that pay at least `amount`, the cheapest first; nothing is split. The input of each path is
 * computed backwards from the output. Only paths that pay that much when they are run forwards are returned, because
 * rounding of transfer fees may leave a path an atom short. A route's `outAmount` may exceed the amount by what one
 * atom of input buys.
 *
 * The cheapest path may turn out not to fit a transaction, so the cheapest shorter paths follow, and last each pool of
 * the pair by itself. What the caller does not ask for is not computed.
 *
 * Returns an iterable that finds the next route when it is asked for one.
 */
export function* findRoutesExactOut(pools: Liquidity, request: ExactOutRequest): Iterable<Route> {
  if (request.inputMint === request.outputMint) return;
  yield* cheapestFirst(rankExactOutCandidates(pools, request), request);
  for (const maxHops of listFewerHops(request)) {
    yield* cheapestFirst(rankExactOutCandidates(pools, { ...request, maxHops }), request);
  }
  const { direct } = getCandidateGraph(pools, { ...request, maxHops: 1 }, estimateInput(pools, request));
  if (direct === null) return;
  const singles = direct.handles.map((handle): CandidatePath => [{ ...direct, handles: [handle] }]);
  yield* cheapestFirst(singles, request);
}

function cheapestFirst(paths: readonly CandidatePath[], request: ExactOutRequest): readonly Route[] {
  const routes = paths.map((path) => backwards(path, request)).filter((route) => route !== null);
  return routes.sort((one, other) => compareAmounts(one.inAmount, other.inAmount));
}

/** Below this share of the requested output, an estimated input is too small to rank paths by. */
const NEAR_ENOUGH = 0.9;
/** How many times a larger input is tried, and how much larger it is where no path pays anything. */
const LARGER_INPUTS = 3;
const FAR_LARGER = 16;

/**
 * Ranks paths by their output for an estimated input, because the exact input is not known yet. The estimate is what
 * the output would buy of the input. That is too little where fees take much in both directions, such as a fixed amount
 * from each transfer of a mint, so that the estimate rises until the best path pays about what is requested.
 */
export function rankExactOutCandidates(
  pools: Liquidity,
  request: ExactOutCandidates,
): readonly CandidatePath[] {
  const amount = Number(request.amount);
  let input = estimateInput(pools, request);
  let ranked = findCandidatePaths(pools, request, input, MAX_CANDIDATE_PATHS);
  for (let larger = 0; larger < LARGER_INPUTS; larger++) {
    const most = Math.max(0, ...ranked.map(({ pays }) => pays));
    if (most >= amount * NEAR_ENOUGH) break;
    input *= Math.min(FAR_LARGER, amount / most);
    ranked = findCandidatePaths(pools, request, input, MAX_CANDIDATE_PATHS);
  }
  return ranked.map(({ path }) => path);
}

/** Estimates the input by what the output would buy of it. */
function estimateInput(pools: Liquidity, request: ExactOutCandidates): number {
  const { inputMint, outputMint } = request;
  const amount = Number(request.amount);
  const back = findCandidatePaths(
    pools,
    { ...request, inputMint: outputMint, outputMint: inputMint },
    amount,
    1,
  );
  const worth = Math.max(0, ...back.map(({ pays }) => pays));
  return worth > 0 ? worth : amount;
}

/** Chooses the cheapest pool of each hop, from the last hop to the first. */
function backwards(path: CandidatePath, { amount, clock }: ExactOutRequest): Route | null {
  const legs: PlannedLeg[] = [];
  let wanted = amount;
  for (let hop = path.length - 1; hop >= 0; hop--) {
    const { inputMint, outputMint, handles } = path[hop] as CandidatePath[number];
    let [best, least]: [PoolHandle | null, bigint] = [null, 0n];
    for (const handle of handles) {
      const takes = takesFor(handle, inputMint, wanted, clock);
      if (takes !== null && (best === null || takes < least)) [best, least] = [handle, takes];
    }
    if (best === null) return null;
    legs.unshift({
      handle: best,
      inputMint,
      outputMint,
      bps: WHOLE,
      inputIndex: hop,
      outputIndex: hop + 1,
    });
    wanted = least;
  }
  const route = runRoute(legs, wanted, clock);
  return route !== null && route.outAmount >= amount ? route : null;
}

/** Returns null if the pool does not pay that much. */
function takesFor(
  { venue, pool }: PoolHandle,
  inputMint: Address,
  amount: bigint,
  clock: ExactOutRequest['clock'],
): bigint | null {
  const quote = venue.quoteExactOut(pool, inputMint, amount, clock);
  return quote === null || quote.outAmount < amount || quote.inAmount <= 0n ? null : quote.inAmount;
}
