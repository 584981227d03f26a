import type { ChainClock } from '../../../chain/chain.ts';
import type { Liquidity } from '../../../market/pools/liquidity.ts';
import { computePriceImpact } from '../../../market/prices/price-impact.ts';
import { findRoutes, type Route } from '../../../market/router/index.ts';
import { type Address, address } from '../../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { U64_MAX } from '../../../solana/units.ts';

/** The sizes, in SOL, that price impacts are stated for. */
export const DEPTHS = [10, 100, 1_000] as const;

export type Depth = (typeof DEPTHS)[number];

/** The cost of buying, or selling, a token at the current state of the pools. */
export interface SideQuote {
  /** US dollars per atom for the worth of one SOL; null if there is no route. */
  readonly dollarsPerAtom: number | null;
  /** The price impact in percent, by size; a size that the pools do not take is absent. */
  readonly impacts: ReadonlyMap<Depth, number>;
}

export interface ReferenceQuotes {
  readonly buy: SideQuote;
  readonly sell: SideQuote;
}

export interface QuotesDependencies {
  readonly pools: Liquidity;
  readonly clock: ChainClock;
  /** Returns the price of a mint in US dollars per atom; null without one. */
  readonly dollarsPerAtom: (mint: Address) => number | null;
}

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const LAMPORTS_PER_SOL = 1e9;
const PERCENT = 100;

/**
 * Quotes a token against SOL, and SOL against USDC, as the router would swap it.
 *
 * Returns null while SOL, the token or USDC has no price.
 */
export function computeReferenceQuotes(
  dependencies: QuotesDependencies,
  mint: Address,
): ReferenceQuotes | null {
  const { dollarsPerAtom } = dependencies;
  const counterpart = mint === WRAPPED_SOL_MINT ? USDC : WRAPPED_SOL_MINT;
  const [own, other, sol] = [mint, counterpart, WRAPPED_SOL_MINT].map(dollarsPerAtom);
  if (!isPrice(own) || !isPrice(other) || !isPrice(sol)) return null;
  const dollarsOf = (size: number) => size * LAMPORTS_PER_SOL * sol;
  /** Quotes both directions by what goes in and comes out, in atoms. */
  const side = (input: Address, output: Address, inputPrice: number, toPrice: (route: Route) => number) => {
    const routeFor = (size: number) =>
      findBestRoute(dependencies, input, output, BigInt(Math.round(dollarsOf(size) / inputPrice)));
    const unit = routeFor(1);
    const impacts = new Map<Depth, number>();
    for (const depth of DEPTHS) {
      const route = routeFor(depth);
      if (route !== null) impacts.set(depth, Number(computePriceImpact(route, dependencies.clock)) * PERCENT);
    }
    return { dollarsPerAtom: unit === null ? null : toPrice(unit), impacts };
  };
  return {
    buy: side(
      counterpart,
      mint,
      other,
      ({ inAmount, outAmount }) => (Number(inAmount) * other) / Number(outAmount),
    ),
    sell: side(
      mint,
      counterpart,
      own,
      ({ inAmount, outAmount }) => (Number(outAmount) * other) / Number(inAmount),
    ),
  };
}

function isPrice(price: number | null | undefined): price is number {
  return price !== null && price !== undefined && price > 0;
}

/** Returns the route that pays most; null if the pools do not take the amount. */
function findBestRoute(
  { pools, clock }: QuotesDependencies,
  inputMint: Address,
  outputMint: Address,
  amount: bigint,
): Route | null {
  if (amount <= 0n || amount > U64_MAX) return null;
  const request = { inputMint, outputMint, amount, clock, onlyHubs: false } as const;
  for (const route of findRoutes(pools, { ...request, maxHops: 2, maxPaths: 0 })) return route;
  return null;
}
