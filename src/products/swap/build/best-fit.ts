import type { Liquidity, Pools } from '../../../market/pools/pools.ts';
import { bestOf } from '../../../market/router/best-of.ts';
import { findRoutes, type Route, type RouteRequest } from '../../../market/router/index.ts';
import type { Bps } from '../../../solana/units.ts';
import { type Assembly, assemble } from './assembly.ts';
import type { BuildParts } from './build-parts.ts';
import { SwapRefused } from '../errors.ts';
import {
  type LimitViolation,
  findLimitViolation,
  NO_HEADROOM,
  closestViolation,
  type Headroom,
} from './fit.ts';
import { HANDING_ON, runnable } from './instruction-count.ts';
import type { PlatformFee } from '../fees.ts';
import type { SwapTerms } from './swap-terms.ts';
import { type InstructionVersion, OWN_ACCOUNTS } from './forms.ts';
import { allowsVenue } from './venue-choice.ts';

/** Where to look for routes, and in which form they are carried out. */
export interface Search {
  /** Each is searched; all pools when absent. */
  readonly liquidities?: readonly Liquidity[];
  /** `V2` when absent. */
  readonly version?: InstructionVersion;
}

export interface BestFit {
  readonly route: Route;
  readonly assembly: Assembly;
}

const NO_ROUTE = 'COULD_NOT_FIND_ANY_ROUTE';
const NOT_TRADABLE = 'TOKEN_NOT_TRADABLE';

/**
 * The route that pays most of those that fit one transaction; `slippageOf` decides what each may lose on the way.
 * @throws SwapRefused when there is no route, or none that fits.
 */
export function bestFit(
  parts: BuildParts,
  terms: SwapTerms,
  fee: PlatformFee | null,
  slippageOf: (route: Route) => Bps,
  { liquidities = [parts.pools], version = 'V2' }: Search = {},
): BestFit {
  const form = OWN_ACCOUNTS[version];
  const spent = fee?.side === 'input' ? terms.amount - fee.amountOf(terms.amount) : terms.amount;
  const request: RouteRequest = {
    inputMint: terms.inputMint,
    outputMint: terms.outputMint,
    amount: spent,
    clock: parts.chain.clock(),
    allows: terms.venues === undefined ? undefined : (label) => allowsVenue(terms.venues, label),
    avoid: terms.avoid,
    maxHops: 3,
    maxPaths: terms.fast ? 0 : 5,
    onlyHubs: false,
    shareUnit: form.shareUnit,
  };
  const searches = liquidities.map((liquidity) => findRoutes(liquidity, request));
  const routes = searches.length === 1 ? (searches[0] as Iterable<Route>) : bestOf(searches);
  const isElsewhere = terms.destination.kind === 'token-account' || terms.destination.kind === 'wallet';
  const others = isElsewhere && fee?.side === 'output' ? HANDING_ON : 0;
  return firstFit(parts, terms, runnable(routes, version, others), (route) =>
    assemble(parts, terms, { fee, route, form, slippageBps: slippageOf(route) }),
  );
}

/**
 * The first of the routes that fits one transaction: with `spare` besides where that costs next to nothing.
 * @throws SwapRefused when there is none.
 */
export function firstFit(
  parts: BuildParts,
  terms: SwapTerms,
  routes: Iterable<Route>,
  assembled: (route: Route) => Assembly,
  spare: Headroom = NO_HEADROOM,
): BestFit {
  let nearest: LimitViolation | null = null;
  let tight: BestFit | null = null;
  for (const route of routes) {
    if (tight !== null && isWorse(route, tight.route)) break;
    const assembly = assembled(route);
    const found = findLimitViolation(assembly, terms, spare);
    if (found === null) return { route, assembly };
    nearest = closestViolation(nearest, found);
    if (tight === null && spare !== NO_HEADROOM && findLimitViolation(assembly, terms) === null) {
      tight = { route, assembly };
    }
  }
  if (tight !== null) return tight;
  throw nearest === null ? noRoute(parts.pools, terms) : new SwapRefused(nearest.reason, NO_ROUTE);
}

/** By more than a basis point. */
function isWorse(route: Route, than: Route): boolean {
  return (
    route.outAmount * 10_000n < than.outAmount * 9_999n || route.inAmount * 9_999n > than.inAmount * 10_000n
  );
}

function noRoute(pools: Pools, { inputMint, outputMint, amount }: SwapTerms): SwapRefused {
  if (!pools.knows(inputMint)) return new SwapRefused(`no pool trades inputMint ${inputMint}`, NOT_TRADABLE);
  if (!pools.knows(outputMint))
    return new SwapRefused(`no pool trades outputMint ${outputMint}`, NOT_TRADABLE);
  const pair = `inputMint ${inputMint} to outputMint ${outputMint}`;
  return new SwapRefused(`no route from ${pair} for the amount ${amount}`, NO_ROUTE);
}
