import { type Address, address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { PoolHandle, Pools } from '../pools/pools.ts';

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
  markets: readonly PoolHandle[],
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
export function midPrice({ venue, pool }: PoolHandle, mint: Address, quote: Address): number {
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

/** Of a pool that prices money decisions: a trade of so many dollars, either way, must pay nearly that. */
const PROBE_DOLLARS = 1_000;
const MIN_PROBE_SHARE = 0.9;

/** A price by deep pools alone, and the dollars in all of them. */
interface DeepPrice {
  readonly dollarsPerAtom: number;
  readonly depth: number;
}

/**
 * US dollars that so many atoms are worth, for decisions about money: null when no deep pool prices the mint.
 *
 * Only pools count in which a trade of 1,000 dollars in either direction pays at least nine tenths of that, which takes
 * some 9,000 dollars on each side of a pool with a constant product. The price is the median of theirs, weighted by the
 * dollars in them, and the worth is never more than what they could pay out. To move it, somebody has to move pools that
 * hold half of those dollars, or add as many of their own: by a tenth, that is trades of about a twentieth of the
 * dollars in those pools, with their fees and whatever others earn by trading them back.
 */
export function worthInDollars(pools: Pools, mint: Address, atoms: bigint): number | null {
  const price = deepPrice(pools, mint);
  return price === null ? null : Math.min(Number(atoms) * price.dollarsPerAtom, price.depth);
}

function deepPrice(pools: Pools, mint: Address): DeepPrice | null {
  if (DOLLARS.includes(mint)) return { dollarsPerAtom: DOLLARS_PER_ATOM, depth: Number.POSITIVE_INFINITY };
  const opinions: Opinion[] = [];
  for (const dollar of DOLLARS) hearDeep(opinions, pools, mint, dollar, DOLLARS_PER_ATOM);
  if (mint !== WRAPPED_SOL_MINT) {
    const sol = deepPrice(pools, WRAPPED_SOL_MINT);
    if (sol !== null) hearDeep(opinions, pools, mint, WRAPPED_SOL_MINT, sol.dollarsPerAtom);
  }
  const price = weightedMedian(opinions);
  if (price === null) return null;
  return { dollarsPerAtom: price, depth: opinions.reduce((sum, { depth }) => sum + depth, 0) };
}

/** Adds what the deep pools of one pair say. */
function hearDeep(
  opinions: Opinion[],
  pools: Pools,
  mint: Address,
  quote: Address,
  dollarsPerQuoteAtom: number,
): void {
  const markets = pools.between(mint, quote).filter((market) => {
    const price = midPrice(market, mint, quote) * dollarsPerQuoteAtom;
    const { venue, pool } = market;
    const sold = venue.estimate(pool, mint, PROBE_DOLLARS / price) * dollarsPerQuoteAtom;
    const bought = venue.estimate(pool, quote, PROBE_DOLLARS / dollarsPerQuoteAtom) * price;
    return Math.min(sold, bought) >= PROBE_DOLLARS * MIN_PROBE_SHARE;
  });
  hear(opinions, markets, mint, quote, dollarsPerQuoteAtom);
}
