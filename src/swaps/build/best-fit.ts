import type { Liquidity, PoolHandle } from '../../market/pools/liquidity.ts';
import type { Pools } from '../../market/pools/pools.ts';
import {
  mergeBestRoutes,
  findRoutes,
  type PlannedLeg,
  type Route,
  type RouteRequest,
  runRoute,
} from '../../market/router/index.ts';
import type { Address } from '../../solana/address.ts';
import type { Bps } from '../../solana/units.ts';
import type { Chain, ChainClock } from '../../chain/chain.ts';
import { type Assembly, type AssemblyDependencies, assemble, paysUserOnly } from './assembly.ts';
import { NO_ROUTE, SwapRefused } from '../refusals.ts';
import {
  type LimitViolation,
  findLimitViolation,
  NO_HEADROOM,
  getClosestViolation,
  type Headroom,
  INTERMEDIATE_ACCOUNT_INSTRUCTIONS,
  filterRunnable,
} from './fit.ts';
import type { PlatformFee } from '../fees/platform-fee.ts';
import { type SwapTerms, allowsVenue } from './swap-terms.ts';
import { EXACT_IN_FORMS } from './forms.ts';
import type { InstructionVersion } from '../../market/aggregator/route-plan.ts';

export interface RoutingDependencies extends AssemblyDependencies {
  readonly pools: Pools;
  readonly chain: Pick<Chain, 'clock'>;
}

/** Where to look for routes, and which instructions execute them. */
export interface RouteSearch {
  /** All of these are searched; when absent, all pools are. */
  readonly liquidities?: readonly Liquidity[];
  /** When absent, `V2`. */
  readonly version?: InstructionVersion;
  /** Default: routes are compared by what they pay alone. */
  readonly extraCost?: ExtraCost | undefined;
  /** Whether a route may be taken. Default: all may. */
  readonly admits?: ((route: Route) => boolean) | undefined;
}

/**
 * Computes how much more a route costs than the cheapest possible one, its amounts left aside: network fees, and rent that is
 * not given back. In atoms of the output.
 */
export type ExtraCost = (fit: BestFit) => bigint;

export interface BestFit {
  readonly route: Route;
  readonly assembly: Assembly;
}

const NOT_TRADABLE = 'TOKEN_NOT_TRADABLE';

/**
 * Finds the route that pays most, after what it costs, among those that fit one transaction.
 * @param slippageOf - Computes the slippage of a route.
 * @throws SwapRefused when there is no route, or none that fits
 */
export function findBestFit(
  dependencies: RoutingDependencies,
  terms: SwapTerms,
  fee: PlatformFee | null,
  slippageOf: (route: Route) => Bps,
  { liquidities = [dependencies.pools], version = 'V2', extraCost = FREE, admits }: RouteSearch = {},
): BestFit {
  const form = EXACT_IN_FORMS[version];
  const clock = dependencies.chain.clock();
  const request: RouteRequest = {
    inputMint: terms.inputMint,
    outputMint: terms.outputMint,
    amount: spentOnRoute(terms, fee),
    clock,
    allows: terms.venues === undefined ? undefined : (label) => allowsVenue(terms.venues, label),
    avoid: terms.avoid,
    excludes: terms.vault === undefined ? undefined : refusesNestedCalls(clock),
    maxHops: 3,
    maxPaths: terms.fast ? 0 : 5,
    onlyHubs: false,
    shareUnit: form.shareUnit,
  };
  const searches = liquidities.map((liquidity) => findRoutes(liquidity, request));
  const routes = searches.length === 1 ? (searches[0] as Iterable<Route>) : mergeBestRoutes(searches);
  const isElsewhere = terms.destination.kind === 'token-account' || terms.destination.kind === 'wallet';
  const isHandedOn = (route: Route) => fee?.side === 'output' || paysUserOnly(route, terms.outputMint);
  // The program of a multisig calls the instructions that its vault signs.
  const wrapping = terms.vault === undefined ? 0 : 1;
  const unwrapping = terms.destination.kind === 'unwrapped' ? 1 : 0;
  const { instructions = [], calls = 0 } = terms.alongside ?? {};
  const alongside = instructions.length + calls;
  const others = (route: Route) =>
    wrapping +
    unwrapping +
    alongside +
    (isElsewhere && isHandedOn(route) ? INTERMEDIATE_ACCOUNT_INSTRUCTIONS : 0);
  const admitted = admits === undefined ? routes : filterRoutes(routes, admits);
  return findFirstFit(
    dependencies,
    terms,
    filterRunnable(admitted, version, others),
    (route) => assemble(dependencies, terms, { fee, route, form, slippageBps: slippageOf(route) }),
    { extraCost },
  );
}

/** The program of a multisig calls the aggregator for a vault, and pools that are traded once in a transaction refuse that. */
function refusesNestedCalls(clock: ChainClock): (handle: PoolHandle, inputMint: Address) => boolean {
  return ({ venue, pool }, inputMint) => venue.isOncePerTransaction?.(pool, inputMint, clock) === true;
}

/**
 * Quotes the same route for other terms, over the current state of the pools. No routes are searched.
 * @param route - Found by `findBestFit` for the same mints and nearly the same amount.
 * @returns null if a pool now refuses the amount, or the transaction no longer fits
 */
export function refit(
  dependencies: RoutingDependencies,
  terms: SwapTerms,
  fee: PlatformFee | null,
  slippageOf: (route: Route) => Bps,
  { legs }: { readonly legs: readonly PlannedLeg[] },
): BestFit | null {
  const steps: PlannedLeg[] = [];
  for (const { handle: before, inputMint, outputMint, bps, inputIndex, outputIndex } of legs) {
    const handle = dependencies.pools.find(before.pool.address);
    if (handle === null) return null;
    steps.push({ handle, inputMint, outputMint, bps, inputIndex, outputIndex });
  }
  const route = runRoute(steps, spentOnRoute(terms, fee), dependencies.chain.clock());
  if (route === null) return null;
  const assembly = assemble(dependencies, terms, { route, fee, slippageBps: slippageOf(route) });
  return findLimitViolation(assembly, terms) === null ? { route, assembly } : null;
}

/** Returns how much of the amount goes into the pools. */
function spentOnRoute({ amount }: SwapTerms, fee: PlatformFee | null): bigint {
  return fee?.side === 'input' ? amount - fee.amountOf(amount) : amount;
}

export function* filterRoutes(routes: Iterable<Route>, holds: (route: Route) => boolean): Iterable<Route> {
  for (const route of routes) if (holds(route)) yield route;
}

const FREE: ExtraCost = () => 0n;
/** A tenth of a basis point of the output is not worth a longer search. */
const WORTHWHILE = 100_000n;
/** The most routes that are compared with the first one that fits. */
const MAX_COMPARED = 16;

/** What decides between routes. */
export interface Preference {
  readonly spare?: Headroom;
  readonly extraCost?: ExtraCost;
  /** Whether the routes deliver an exact output, which those of most venues do not. */
  readonly deliversExactly?: boolean;
}

/**
 * Finds the route that pays most after its extra cost among those that fit one transaction, with `spare` left free if that
 * costs next to nothing.
 * @param routes - Of routes without extra cost, the first is taken, so the best comes first.
 * @throws SwapRefused when no route fits
 */
export function findFirstFit(
  { pools }: Pick<RoutingDependencies, 'pools'>,
  terms: SwapTerms,
  routes: Iterable<Route>,
  assembled: (route: Route) => Assembly,
  { spare = NO_HEADROOM, extraCost = FREE, deliversExactly = false }: Preference = {},
): BestFit {
  let nearest: LimitViolation | null = null;
  let tight: BestFit | null = null;
  let best: { readonly fit: BestFit; readonly net: bigint } | null = null;
  let compared = 0;
  for (const route of routes) {
    if (tight !== null && isWorse(route, tight.route)) break;
    if (best !== null && (route.outAmount <= best.net || compared++ === MAX_COMPARED)) break;
    const assembly = assembled(route);
    const found = findLimitViolation(assembly, terms, spare);
    if (found === null) {
      const fit = { route, assembly };
      const cost = extraCost(fit);
      const net = route.outAmount - cost;
      if (best === null || net > best.net) best = { fit, net };
      if (best.fit === fit && cost * WORTHWHILE <= route.outAmount) return fit;
      continue;
    }
    nearest = getClosestViolation(nearest, found);
    if (tight === null && spare !== NO_HEADROOM && findLimitViolation(assembly, terms) === null) {
      tight = { route, assembly };
    }
  }
  if (best !== null) return best.fit;
  if (tight !== null) return tight;
  throw nearest === null
    ? createNoRouteRefusal(pools, terms, deliversExactly)
    : new SwapRefused(nearest.reason, NO_ROUTE);
}

/** Whether a route pays more than a basis point less than another. */
function isWorse(route: Route, than: Route): boolean {
  return (
    route.outAmount * 10_000n < than.outAmount * 9_999n || route.inAmount * 9_999n > than.inAmount * 10_000n
  );
}

function createNoRouteRefusal(
  pools: Pools,
  { inputMint, outputMint, amount }: SwapTerms,
  deliversExactly: boolean,
): SwapRefused {
  if (!pools.knows(inputMint)) {
    return new SwapRefused({ kind: 'input-without-pool', inputMint }, NOT_TRADABLE);
  }
  if (!pools.knows(outputMint)) {
    return new SwapRefused({ kind: 'output-without-pool', outputMint }, NOT_TRADABLE);
  }
  const kind = deliversExactly ? 'no-exact-out-route' : 'no-route';
  return new SwapRefused({ kind, inputMint, outputMint, amount }, NO_ROUTE);
}
