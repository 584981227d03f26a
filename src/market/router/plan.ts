import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { simulateRoute } from '../aggregator/simulate-route.ts';
import type { PoolHandle } from '../pools/liquidity.ts';
import type { PoolState, Quote } from '../../protocol/venue/venue.ts';
import type { SplitFlow, PoolFlow } from './split-optimiser.ts';
import type { RoutePlanStep } from '../aggregator/route-plan.ts';

/** One step of a route, with its quote for the state that was read. */
export interface Leg {
  readonly handle: PoolHandle;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Share of all that its input index received; the shares of one index add up to 10,000. */
  readonly bps: number;
  /** 0 is the route's source; equal indexes stand for one token account. */
  readonly inputIndex: number;
  readonly outputIndex: number;
  readonly quote: Quote;
}

/** Legs in the order in which the aggregator runs them. */
export interface Route {
  readonly legs: readonly Leg[];
  readonly inAmount: bigint;
  readonly outAmount: bigint;
}

export interface PlanRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly amount: bigint;
  readonly clock: ChainClock;
  /** Basis points that every share is a multiple of; 1 when absent. */
  readonly shareUnit?: ShareUnit;
}

/** The unit of shares in basis points: 1, or 100 for the v1 instructions, which write shares in percent. */
export type ShareUnit = 1 | 100;

/** A step of a route that is not quoted yet. */
export type PlannedLeg = Omit<Leg, 'quote'>;

const WHOLE = 10_000;
/** A pool with a smaller share costs more accounts than it is worth. */
const MIN_BPS = 25;

/** A pool that refuses the amount that a route would send it. */
export interface RefusedShare {
  readonly handle: PoolHandle;
  readonly inputMint: Address;
  readonly amount: bigint;
  /** Whether an earlier step pays the amount. */
  readonly amountMayDiffer: boolean;
}

/** A route, or the pool that refuses its share; null if no single pool is the cause. */
export type PlannedRoute =
  | { readonly route: Route; readonly refused?: never }
  | { readonly refused: RefusedShare | null; readonly route?: never };

/**
 * Turns a flow into a route with exact amounts. A pool that would leave part of its share behind counts as refusing it.
 */
export function planRoute(flow: SplitFlow, request: PlanRequest): PlannedRoute {
  const unit = request.shareUnit ?? 1;
  const shares = withShares(dropTrickles(flow, request.outputMint, Math.max(MIN_BPS, unit / 2)), unit);
  const indexes = indexMints(shares, request);
  const steps = shares.map(({ flow: { handle, inputMint, outputMint }, bps }) => ({
    handle,
    inputMint,
    outputMint,
    bps,
    inputIndex: indexes.get(inputMint) ?? 0,
    outputIndex: indexes.get(outputMint) ?? 0,
  }));
  const run = runSteps(steps, request.amount, request.clock);
  if (run.delivered === null) return { refused: run.refused };
  return { route: createRoute(steps, request.amount, run.quotes, run.delivered) };
}

/**
 * Quotes the steps for the amount and the current state.
 *
 * @param amount - Atoms that the first index receives.
 * @returns null if a pool refuses its share
 */
export function runRoute(steps: readonly PlannedLeg[], amount: bigint, clock: ChainClock): Route | null {
  const { quotes, delivered } = runSteps(steps, amount, clock);
  return delivered === null ? null : createRoute(steps, amount, quotes, delivered);
}

function createRoute(
  steps: readonly PlannedLeg[],
  inAmount: bigint,
  quotes: readonly Quote[],
  outAmount: bigint,
): Route {
  return { legs: steps.map((step, index) => createLeg(step, quotes[index] as Quote)), inAmount, outAmount };
}

/** Copies field by field, because a copy by spread takes longer than all the rest. */
function createLeg(
  { handle, inputMint, outputMint, bps, inputIndex, outputIndex }: PlannedLeg,
  quote: Quote,
): Leg {
  return { handle, inputMint, outputMint, bps, inputIndex, outputIndex, quote };
}

/**
 * Quotes the same legs with the same shares for another amount.
 *
 * @param amount - Atoms of the input mint.
 * @returns atoms of the output mint; null if a pool refuses its share
 */
export function quotePayout(legs: readonly Leg[], amount: bigint, clock: ChainClock): bigint | null {
  return runSteps(legs, amount, clock).delivered;
}

interface QuotedSteps {
  /** The quotes of the steps before the first one that is refused. */
  readonly quotes: readonly Quote[];
  /** Null if a step is refused. */
  readonly delivered: bigint | null;
  readonly refused: RefusedShare | null;
}

function runSteps(steps: readonly PlannedLeg[], inAmount: bigint, clock: ChainClock): QuotedSteps {
  const quotes: Quote[] = [];
  let refused: RefusedShare | null = null;
  const terms = { inAmount, quotedOutAmount: 0n, slippageBps: 0 };
  const simulated = simulateRoute(steps, terms, (index, amount) => {
    const { handle, inputMint, inputIndex } = steps[index] as PlannedLeg;
    const reached = { venue: handle.venue, pool: getPoolAfter(steps, quotes, handle) };
    const quote = quoteWhole(reached, inputMint, amount, clock, inputIndex !== 0);
    if (quote === null) refused = { handle, inputMint, amount, amountMayDiffer: inputIndex !== 0 };
    else quotes.push(quote);
    return quote;
  });
  return { quotes, delivered: simulated.pays?.delivered ?? null, refused };
}

/** Returns the state of a pool after the steps that are quoted so far, which may be in pools that share accounts with it. */
function getPoolAfter(
  steps: readonly PlannedLeg[],
  quotes: readonly Quote[],
  { venue, pool: before }: PoolHandle,
): PoolState {
  let pool = before;
  for (let at = 0; at < quotes.length; at++) {
    const { handle, inputMint } = steps[at] as PlannedLeg;
    if (handle.venue !== venue) continue;
    pool = venue.afterSwap?.(pool, handle.pool, inputMint, quotes[at] as Quote) ?? pool;
  }
  return pool;
}

/** Returns null if the pool refuses the amount or would leave part of it behind. */
export function quoteWhole(
  { venue, pool }: PoolHandle,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
  amountMayDiffer: boolean,
): Quote | null {
  const quote = venue.quoteExactIn(pool, inputMint, amount, clock, amountMayDiffer);
  return quote === null || (quote.inAmount !== amount && venue.wholeLots !== true) ? null : quote;
}

/** Drops pools with a negligible share, and then whatever feeds a mint that no step spends any more. */
function dropTrickles(flow: SplitFlow, outputMint: Address, leastBps: number): SplitFlow {
  const totals = totalsByInput(flow);
  let kept = flow.filter(
    ({ inputMint, amount }) => amount * WHOLE >= (totals.get(inputMint) ?? 0) * leastBps,
  );
  for (;;) {
    const spent = new Set(kept.map(({ inputMint }) => inputMint));
    const paid = new Set(kept.map(({ outputMint: mint }) => mint));
    const source = kept[0]?.inputMint;
    const next = kept.filter(
      ({ inputMint, outputMint: mint }) =>
        (mint === outputMint || spent.has(mint)) && (inputMint === source || paid.has(inputMint)),
    );
    if (next.length === kept.length) return kept;
    kept = next;
  }
}

interface FlowShare {
  readonly flow: PoolFlow;
  readonly bps: number;
}

/** Rounds shares down to whole units and gives the remainder to the largest pool of each mint. */
function withShares(flow: SplitFlow, unit: ShareUnit): readonly FlowShare[] {
  const totals = totalsByInput(flow);
  const shares = flow.map((each) => ({
    flow: each,
    bps: unit * Math.max(1, Math.floor((each.amount / (totals.get(each.inputMint) ?? 1)) * (WHOLE / unit))),
  }));
  for (const mint of totals.keys()) {
    const siblings = shares.filter((share) => share.flow.inputMint === mint);
    const largest = siblings.reduce((one, other) => (other.bps > one.bps ? other : one));
    largest.bps += WHOLE - siblings.reduce((sum, { bps }) => sum + bps, 0);
  }
  return shares;
}

function totalsByInput(flow: SplitFlow): Map<Address, number> {
  const totals = new Map<Address, number>();
  for (const { inputMint, amount } of flow) totals.set(inputMint, (totals.get(inputMint) ?? 0) + amount);
  return totals;
}

/**
 * Numbers the mints: 0 is the source, the others follow in the order in which they are fed, and the output comes last.
 */
function indexMints(steps: readonly FlowShare[], request: PlanRequest): ReadonlyMap<Address, number> {
  const indexes = new Map<Address, number>([[request.inputMint, 0]]);
  for (const { flow } of steps) {
    if (flow.outputMint !== request.outputMint && !indexes.has(flow.outputMint)) {
      indexes.set(flow.outputMint, indexes.size);
    }
  }
  return indexes.set(request.outputMint, indexes.size);
}

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
 * import { createRouteSteps } from './plan.ts';
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
