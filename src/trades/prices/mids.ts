import { poolDepth } from '../../market/prices/pool-depth.ts';
import { DOLLARS, DOLLARS_PER_ATOM, weightedMedian } from '../../market/prices/prices.ts';
import type { PoolHandle } from '../../market/pools/liquidity.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';

/** The price of a token by its pools. */
export interface Mid {
  /** The median of the pools' prices, weighted by their depths. */
  readonly dollarsPerAtom: number;
  /** The depth of each pool that counts, in dollars. */
  readonly depths: ReadonlyMap<Address, number>;
  /** The sum of `depths`. */
  readonly depth: number;
  /** How far the token is from the stablecoins: 0 for those, 1 for SOL, 2 and 3 for others. */
  readonly rank: number;
}

/**
 * A pool counts from this depth on, in dollars. A constant-product pool needs a thousand dollars on each side for it: one
 * percent of that can be traded for one percent of loss.
 */
export const MIN_DEPTH = 10;
/** How many other tokens are tried for a token that has no pool against a dollar or SOL. */
const MAX_COUNTERPARTS = 16;

const DOLLAR: Mid = {
  dollarsPerAtom: DOLLARS_PER_ATOM,
  depths: new Map(),
  depth: Number.POSITIVE_INFINITY,
  rank: 0,
};

/** A token by which another is priced, with its price. */
export interface Anchor {
  readonly mint: Address;
  readonly dollarsPerAtom: number;
}

interface Opinion {
  readonly pool: Address;
  readonly dollarsPerAtom: number;
  readonly depth: number;
}

/** A mid, and the tokens whose prices it was computed from. */
export interface FoundMid {
  readonly mid: Mid;
  readonly anchors: readonly Anchor[];
}

/** Returns the dollars per atom of a token; null if it has no price. */
export type AnchorPrice = (mint: Address) => number | null;

/**
 * Computes the price of a token by its pools against stablecoins and SOL; that of SOL by those against stablecoins.
 *
 * @returns null if no pool that is deep enough prices the token so
 */
export function directMid(pools: Pools, mint: Address, priceOf: AnchorPrice): FoundMid | null {
  if (DOLLARS.includes(mint)) return { mid: DOLLAR, anchors: [] };
  if (mint === WRAPPED_SOL_MINT) return midAgainst(pools, mint, DOLLARS, priceOf, 1);
  return midAgainst(pools, mint, [...DOLLARS, WRAPPED_SOL_MINT], priceOf, 2);
}

/**
 * Computes the price of a token by its pools against other tokens.
 *
 * @param priceOf - Returns null for tokens that have no direct price, so that prices do not depend on each other.
 */
export function furtherMid(pools: Pools, mint: Address, priceOf: AnchorPrice): FoundMid | null {
  const candidates: Address[] = [];
  for (const counterpart of pools.counterparts(mint).keys()) {
    if (candidates.length === MAX_COUNTERPARTS) break;
    candidates.push(counterpart);
  }
  return midAgainst(pools, mint, candidates, priceOf, 3);
}

function midAgainst(
  pools: Pools,
  mint: Address,
  candidates: readonly Address[],
  priceOf: AnchorPrice,
  rank: number,
): FoundMid | null {
  const opinions: Opinion[] = [];
  const anchors: Anchor[] = [];
  for (const candidate of candidates) {
    const between = pools.between(mint, candidate);
    if (between.length === 0) continue;
    const dollarsPerAtom = priceOf(candidate);
    if (dollarsPerAtom === null) continue;
    anchors.push({ mint: candidate, dollarsPerAtom });
    for (const handle of between) opinions.push(opinionOf(handle, mint, candidate, dollarsPerAtom));
  }
  const heard = opinions.filter(({ depth }) => depth >= MIN_DEPTH);
  const dollarsPerAtom = weightedMedian(heard);
  if (dollarsPerAtom === null) return null;
  const depths = new Map(heard.map(({ pool, depth }) => [pool, depth]));
  const depth = heard.reduce((sum, each) => sum + each.depth, 0);
  return { mid: { dollarsPerAtom, depths, depth, rank }, anchors };
}

function opinionOf(handle: PoolHandle, mint: Address, quote: Address, dollarsPerQuoteAtom: number): Opinion {
  const { price, depth } = poolDepth(handle, mint, quote);
  return {
    pool: handle.pool.address,
    dollarsPerAtom: price * dollarsPerQuoteAtom,
    depth: depth * dollarsPerQuoteAtom,
  };
}
