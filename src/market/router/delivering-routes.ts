import { compareAmounts } from '../../solana/units.ts';
import type { Address } from '../../solana/address.ts';
import type { Liquidity, PoolHandle } from '../pools/liquidity.ts';
import { type CandidatePath, listFewerHops } from './candidate-paths.ts';
import { quoteDelivery, isChargedNow, runDelivery, findExactOutPool } from './deliver.ts';
import { rankExactOutCandidates, type ExactOutRequest } from './exact-out.ts';
import type { PlannedLeg, Route } from './plan.ts';

/** `amount` is the output in atoms of the output mint. */
export type DeliveryRequest = ExactOutRequest & { readonly splits: boolean };

/** Shares are whole percents, because the v1 instructions write them so. */
const UNIT = 100;
const WHOLE = 10_000;
/** The most pools that one hop is split over. */
const MOST_POOLS = 4;
/** The parts in which an amount is first handed out to pools, in basis points. */
const PART = 500;
/** How many single paths are combined in pairs. */
const COMBINED = 3;

/**
 * Finds routes that the aggregator's instructions for an exact output carry out, the cheapest first. They deliver exactly
 * `amount`, and take exactly what the route says while no pool changes.
 *
 * Each hop may be split over its pools, and the output over two paths without a pool or a mint in common. Because the
 * cheapest route may turn out not to fit a transaction, the single paths follow, then the shorter ones.
 */
export function* findDeliveringRoutes(pools: Liquidity, request: DeliveryRequest): Iterable<Route> {
  if (request.inputMint === request.outputMint) return;
  const seen = { ...request, forExactOut: true };
  const paths = rankExactOutCandidates(pools, seen);
  const singles = found(paths.map((path) => planned(path, request, 1)));
  yield* cheapest([...singles, ...(request.splits ? splits(paths, singles, request) : [])]);
  for (const maxHops of listFewerHops(request)) {
    const shorter = rankExactOutCandidates(pools, { ...seen, maxHops });
    yield* cheapest(found(shorter.map((path) => planned(path, request, 1))));
  }
}

function splits(
  paths: readonly CandidatePath[],
  singles: readonly Route[],
  request: DeliveryRequest,
): readonly Route[] {
  const overPools = found(paths.map((path) => planned(path, request, MOST_POOLS)));
  const best = cheapest(singles).slice(0, COMBINED);
  const pairs = best.flatMap((one, at) => best.slice(at + 1).map((other) => combined(one, other, request)));
  return [...overPools, ...found(pairs)];
}

function found(routes: readonly (Route | null)[]): readonly Route[] {
  return routes.filter((route) => route !== null);
}

function cheapest(routes: readonly Route[]): readonly Route[] {
  return routes.toSorted((one, other) => compareAmounts(one.inAmount, other.inAmount));
}

/** Plans a path backwards, each hop over at most `most` of its pools. */
function planned(path: CandidatePath, request: DeliveryRequest, most: number): Route | null {
  const { clock } = request;
  const legs: PlannedLeg[] = [];
  let wanted = request.amount;
  for (let hop = path.length - 1; hop >= 0; hop--) {
    const { inputMint, outputMint, handles } = path[hop] as CandidatePath[number];
    const usable = handles.filter((handle) => hop === 0 || !isChargedNow(handle.pool, clock));
    const shares = divide(usable, inputMint, wanted, request, most);
    if (shares === null) return null;
    const place = { inputMint, outputMint, inputIndex: hop, outputIndex: hop + 1 };
    legs.unshift(...shares.of.map(({ handle, bps }) => ({ handle, bps, ...place })));
    wanted = shares.takes;
  }
  return runDelivery(legs, request.amount, clock);
}

interface HandleShare {
  readonly handle: PoolHandle;
  readonly bps: number;
}

interface Division {
  readonly of: readonly HandleShare[];
  /** About what the pools take together. */
  readonly takes: bigint;
}

/**
 * Hands the amount out in parts, each to the pool that takes the least more for it, and then moves single units between
 * pools as long as that saves input.
 */
function divide(
  handles: readonly PoolHandle[],
  inputMint: Address,
  amount: bigint,
  { clock }: DeliveryRequest,
  most: number,
): Division | null {
  const costs = handles.flatMap((handle) => {
    const seen = findExactOutPool(handle, inputMint);
    return seen === null
      ? []
      : [
          createShareCost(
            handle,
            (part) => quoteDelivery(seen, inputMint, part, clock)?.inAmount ?? null,
            amount,
          ),
        ];
  });
  costs.sort((one, other) => compareCosts(one.of(WHOLE), other.of(WHOLE)));
  const [alone] = costs;
  if (most === 1) {
    const takes = alone?.of(WHOLE) ?? null;
    return alone === undefined || takes === null
      ? null
      : { of: [{ handle: alone.handle, bps: WHOLE }], takes };
  }
  const shares = costs.slice(0, most).map((cost) => ({ cost, bps: 0 }));
  for (let left = WHOLE; left > 0; left -= PART) if (!give(shares, PART)) return null;
  for (let moved = 0; moved < WHOLE / UNIT && improve(shares); moved++);
  const used = shares.filter(({ bps }) => bps > 0);
  const takes = used.reduce((sum, { cost, bps }) => sum + (cost.of(bps) ?? 0n), 0n);
  return { of: used.map(({ cost: { handle }, bps }) => ({ handle, bps })), takes };
}

interface ShareCost {
  readonly handle: PoolHandle;
  /** What the pool takes for this share of the amount; null if it does not deliver that much. */
  of(bps: number): bigint | null;
}

function createShareCost(
  handle: PoolHandle,
  takes: (part: bigint) => bigint | null,
  amount: bigint,
): ShareCost {
  const known = new Map<number, bigint | null>([[0, 0n]]);
  return {
    handle,
    of: (bps) => {
      const before = known.get(bps);
      if (before !== undefined) return before;
      const cost = takes((amount * BigInt(bps)) / BigInt(WHOLE));
      known.set(bps, cost);
      return cost;
    },
  };
}

function compareCosts(one: bigint | null, other: bigint | null): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  return compareAmounts(one, other);
}

interface AssignedShare {
  readonly cost: ShareCost;
  bps: number;
}

/** Returns how much more a pool takes when its share changes; null if it does not deliver that share. */
function more({ cost, bps }: AssignedShare, change: number): bigint | null {
  const [now, then] = [cost.of(bps), bps + change < 0 ? null : cost.of(bps + change)];
  return now === null || then === null ? null : then - now;
}

function give(shares: readonly AssignedShare[], part: number): boolean {
  const [first] = shares.toSorted((one, other) => compareCosts(more(one, part), more(other, part)));
  if (first === undefined || more(first, part) === null) return false;
  first.bps += part;
  return true;
}

/** Moves one unit from one pool to another if that saves input. */
function improve(shares: readonly AssignedShare[]): boolean {
  for (const from of shares) {
    const saved = more(from, -UNIT);
    if (saved === null) continue;
    for (const to of shares) {
      const cost = to === from ? null : more(to, UNIT);
      if (cost === null || cost + saved >= 0n) continue;
      from.bps -= UNIT;
      to.bps += UNIT;
      return true;
    }
  }
  return false;
}

/** The cheapest division of the output between two paths of one pool per hop; null if they cannot be combined. */
function combined(one: Route, other: Route, request: DeliveryRequest): Route | null {
  if (overlap(one, other, request)) return null;
  let best: Route | null = null;
  let at = WHOLE / 2;
  for (const step of [1600, 800, 400, 200, 100]) {
    for (const bps of [at - step, at, at + step]) {
      const route =
        bps <= 0 || bps >= WHOLE ? null : runDelivery(both(one, other, bps), request.amount, request.clock);
      if (route !== null && (best === null || route.inAmount < best.inAmount)) [best, at] = [route, bps];
    }
  }
  return best;
}

function overlap({ legs }: Route, other: Route, { inputMint, outputMint }: DeliveryRequest): boolean {
  const between = new Set(legs.map((leg) => leg.outputMint));
  const pools = new Set(legs.map(({ handle }) => handle.pool.address));
  return other.legs.some(
    (leg) =>
      pools.has(leg.handle.pool.address) ||
      (leg.outputMint !== outputMint && leg.outputMint !== inputMint && between.has(leg.outputMint)),
  );
}

/** The legs of both paths, of which the first delivers this share of the output. The output has the highest index. */
function both(one: Route, other: Route, bps: number): readonly PlannedLeg[] {
  const output = one.legs.length + other.legs.length - 1;
  const placed = ({ legs }: Route, offset: number, share: number) =>
    legs.map(({ handle, inputMint, outputMint }, hop): PlannedLeg => {
      const isLast = hop === legs.length - 1;
      return {
        handle,
        inputMint,
        outputMint,
        bps: isLast ? share : WHOLE,
        inputIndex: hop === 0 ? 0 : offset + hop,
        outputIndex: isLast ? output : offset + hop + 1,
      };
    });
  return [...placed(one, 0, bps), ...placed(other, one.legs.length - 1, WHOLE - bps)];
}
