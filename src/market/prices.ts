import { type Address, address } from '../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../solana/programs.ts';
import type { Market, Pools } from './pools.ts';

/** Stablecoins that count as a dollar; both have six decimals. */
const DOLLARS: readonly Address[] = [
  address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
  address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
];
const DOLLARS_PER_ATOM = 1e-6;
/** More than any pool can pay out: shows what is in it. */
const EVERYTHING = 1e30;

/** What one pool says of a price, and how many dollars stand behind it. */
interface Opinion {
  readonly dollarsPerAtom: number;
  readonly depth: number;
}

/**
 * US dollars per atom of the mint, for display only: the median of what its pools against dollars and against SOL say,
 * weighted by the dollars in them, so that small pools at odd prices do not count. Null when no such pool exists.
 */
export function dollarsPerAtom(pools: Pools, mint: Address): number | null {
  if (DOLLARS.includes(mint)) return DOLLARS_PER_ATOM;
  let kept = keptPrices.get(pools);
  if (kept?.changes !== pools.changes) {
    kept = { changes: pools.changes, prices: new Map() };
    keptPrices.set(pools, kept);
  }
  let price: number | null | undefined = kept.prices.get(mint);
  if (price === undefined) {
    price = findPrice(pools, mint);
    // Mints without a price may be any that a request names: kept, they would know no bound.
    if (price !== null) kept.prices.set(mint, price);
  }
  return price;
}

/** Prices follow from pools alone: they hold until one of those changes. */
const keptPrices = new WeakMap<Pools, { readonly changes: number; readonly prices: Map<Address, number> }>();

function findPrice(pools: Pools, mint: Address): number | null {
  const opinions: Opinion[] = [];
  for (const dollar of DOLLARS) hear(opinions, pools.between(mint, dollar), mint, dollar, DOLLARS_PER_ATOM);
  if (mint !== WRAPPED_SOL_MINT) {
    const sol = dollarsPerAtom(pools, WRAPPED_SOL_MINT);
    if (sol !== null) hear(opinions, pools.between(mint, WRAPPED_SOL_MINT), mint, WRAPPED_SOL_MINT, sol);
  }
  return weightedMedian(opinions);
}

/** Adds what the pools of one pair say. */
function hear(
  opinions: Opinion[],
  markets: readonly Market[],
  mint: Address,
  quote: Address,
  dollarsPerQuoteAtom: number,
): void {
  for (const market of markets) {
    const price = midPrice(market, mint, quote);
    const depth = market.venue.estimate(market.pool, mint, EVERYTHING) * dollarsPerQuoteAtom;
    if (price > 0 && Number.isFinite(price) && depth > 0) {
      opinions.push({ dollarsPerAtom: price * dollarsPerQuoteAtom, depth });
    }
  }
}

/** Atoms of `quote` for one of `mint`, between selling and buying: fees push those two apart by the same factor. */
export function midPrice({ venue, pool }: Market, mint: Address, quote: Address): number {
  return Math.sqrt(venue.estimate(pool, mint, 1) / venue.estimate(pool, quote, 1));
}

function weightedMedian(opinions: readonly Opinion[]): number | null {
  const sorted = [...opinions].sort((one, other) => one.dollarsPerAtom - other.dollarsPerAtom);
  const half = sorted.reduce((sum, { depth }) => sum + depth, 0) / 2;
  let below = 0;
  for (const { dollarsPerAtom: price, depth } of sorted) {
    below += depth;
    if (below >= half) return price;
  }
  return null;
}
