import type { ChainClock } from '../chain/chain.ts';
import type { Address } from '../solana/address.ts';
import type { Market, Pools } from './pools.ts';
import type { Quote } from './venue.ts';

export interface RouteRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Atoms of the input mint that the first leg spends. */
  readonly amount: bigint;
  readonly clock: ChainClock;
  /** Which venues may take part, by label. */
  readonly allows: (label: string) => boolean;
}

/** One swap of a route, with what it takes and pays at the state that was read. */
export interface Leg {
  readonly market: Market;
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly quote: Quote;
}

/** Legs in order: what one pays is what the next takes. */
export interface Route {
  readonly legs: readonly Leg[];
  readonly inAmount: bigint;
  readonly outAmount: bigint;
}

/** How many routes a search returns at most: the best one may turn out not to fit a transaction. */
const KEPT = 8;

/**
 * The best routes of one or two legs for an exact input, best output first.
 * Every pool is quoted at the same state, and nothing is read from the network.
 */
export function findRoutes(pools: Pools, request: RouteRequest): readonly Route[] {
  const { inputMint, outputMint, amount } = request;
  const routes: Route[] = [];
  for (const market of pools.trading(inputMint)) {
    const first = legOf(market, inputMint, amount, request);
    if (first === null) continue;
    if (first.outputMint === outputMint) {
      keep(routes, [first]);
      continue;
    }
    for (const next of pools.trading(first.outputMint)) {
      if (!trades(next, outputMint)) continue;
      const second = legOf(next, first.outputMint, first.quote.outAmount, request);
      if (second !== null) keep(routes, [first, second]);
    }
  }
  return routes;
}

/** Null when the venue is not allowed, the pool refuses, or it would leave part of the input behind. */
function legOf(market: Market, inputMint: Address, amount: bigint, request: RouteRequest): Leg | null {
  const { venue, pool } = market;
  if (!request.allows(venue.label)) return null;
  const quote = venue.quoteExactIn(pool, inputMint, amount, request.clock);
  if (quote === null || quote.inAmount !== amount) return null;
  const outputMint = pool.mints[0] === inputMint ? pool.mints[1] : pool.mints[0];
  return { market, inputMint, outputMint, quote };
}

function trades({ pool }: Market, mint: Address): boolean {
  return pool.mints[0] === mint || pool.mints[1] === mint;
}

/** Inserts the route in order of output and forgets what falls off the end. */
function keep(routes: Route[], legs: readonly Leg[]): void {
  const first = legs[0];
  const last = legs[legs.length - 1];
  if (first === undefined || last === undefined) return;
  const outAmount = last.quote.outAmount;
  let place = routes.length;
  while (place > 0 && (routes[place - 1] as Route).outAmount < outAmount) place--;
  if (place === KEPT) return;
  routes.splice(place, 0, { legs, inAmount: first.quote.inAmount, outAmount });
  if (routes.length > KEPT) routes.pop();
}
