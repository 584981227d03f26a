import { estimateUnits, estimateExtraFees } from '../../src/swaps/build/route-costs.ts';
import { findFirstFit } from '../../src/swaps/build/best-fit.ts';
import type { Assembly } from '../../src/swaps/build/assembly.ts';
import type { SwapTerms } from '../../src/swaps/build/swap-terms.ts';
import type { Pools } from '../../src/market/pools/pools.ts';
import { findRoutes, type Route, type RouteRequest } from '../../src/market/router/index.ts';
import { PLACEHOLDER_TAKER } from '../../src/transactions/placeholder-taker.ts';
import { memo } from '../../src/solana/programs/memo.ts';
import { bps } from '../../src/solana/units.ts';

/** What a swap pays after the network's fees, in atoms of the output. */
export interface NetOutput {
  /** Of the route that is taken. */
  readonly taken: number;
  /** Of the route that pays most before the fees. */
  readonly dearest: number;
  /** More than any route can leave. */
  readonly bound: number;
}

/**
 * Takes a route as orders do, at a price of compute units in atoms of the output. A route has one step, and then it pays
 * no more than the best pool of the pair; or it has more, and then it costs at least what two steps cost and pays no more
 * than `most`.
 *
 * @param most - More than any route can pay before the fees.
 * @returns null without a route
 */
export function netOutput(
  pools: Pools,
  request: RouteRequest,
  most: number,
  atomsPerUnit: number,
): NetOutput | null {
  const priority = (units: number) => BigInt(Math.ceil(units * atomsPerUnit));
  const feesOf = (route: Route) => estimateExtraFees(route, () => priority);
  const netOf = (route: Route) => Number(route.outAmount - feesOf(route));
  const [dearest] = findRoutes(pools, request);
  if (dearest === undefined) return null;
  const extraCost = ({ route }: { readonly route: Route }) => feesOf(route);
  const assembled = () => SMALL;
  const { route } = findFirstFit({ pools }, termsOf(request), findRoutes(pools, request), assembled, {
    extraCost,
  });
  const [step] = dearest.legs;
  const second = step === undefined ? 0n : priority(estimateUnits({ legs: [step, step] }));
  const first = step === undefined ? 0n : priority(estimateUnits({ legs: [step] }));
  const bound = Math.max(bestPool(pools, request), most - Number(second - first));
  return { taken: netOf(route), dearest: netOf(dearest), bound };
}

function bestPool(pools: Pools, { inputMint, outputMint, amount, clock }: RouteRequest): number {
  const paid = pools
    .between(inputMint, outputMint)
    .map(({ venue, pool }) => Number(venue.quoteExactIn(pool, inputMint, amount, clock)?.outAmount ?? 0n));
  return Math.max(0, ...paid);
}

/** Every route fits a transaction, because the bound knows of no transactions. */
const SMALL: Assembly = {
  setup: [],
  swap: memo('swap'),
  innerAccounts: 0,
  cleanup: null,
  sourceClosing: [],
  tip: null,
  source: PLACEHOLDER_TAKER,
  destination: PLACEHOLDER_TAKER,
  creations: [],
  closings: [],
  guards: new Map(),
  rentReturns: new Map(),
  tables: null,
  quotedOut: 0n,
  threshold: 0n,
  slippageBps: bps(0),
};

function termsOf({ inputMint, outputMint, amount }: RouteRequest): SwapTerms {
  return {
    inputMint,
    outputMint,
    amount,
    taker: PLACEHOLDER_TAKER,
    payer: PLACEHOLDER_TAKER,
    fast: false,
    venues: undefined,
    maxAccounts: 64,
    platformFee: undefined,
    wrapAndUnwrapSol: true,
    destination: { kind: 'taker' },
    tipAmount: 0n,
    chargesRent: false,
  };
}
