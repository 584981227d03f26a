import { measurePoolDepth } from '../../market/prices/pool-depth.ts';
import { computeWeightedMedian, isDearPool, leaveOutDear } from '../../market/prices/pool-prices.ts';
import { DOLLARS, DOLLARS_PER_ATOM } from '../../market/prices/prices.ts';
import type { PoolHandle } from '../../market/pools/liquidity.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { ChainClock } from '../../chain/chain.ts';
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
  readonly distance: number;
}

/**
 * A pool counts from this depth on, in dollars. A constant-product pool needs a thousand dollars on each side for it: one
 * percent of that can be traded for one percent of loss.
 */
export const MIN_DEPTH = 10;
/**
 * From this depth on, in dollars, the pools against stablecoins and SOL price a token alone. Below it, its pools against
 * other tokens count too, so that one small pool does not outweigh all of those.
 */
const SUFFICIENT_DEPTH = 1_000;
/** How many other tokens are looked at. Anybody may open pools of any token. */
const MAX_COUNTERPARTS = 256;
/** How many of those a token is priced by: the deepest ones. */
const MAX_ANCHORS = 16;

const DOLLAR: Mid = {
  dollarsPerAtom: DOLLARS_PER_ATOM,
  depths: new Map(),
  depth: Number.POSITIVE_INFINITY,
  distance: 0,
};

/** The price of a token by which another is priced. */
export interface AnchorPrice {
  readonly dollarsPerAtom: number;
  /** What all pools against this token count for together, at most, in dollars. */
  readonly maxDepth: number;
}

/** A token by which another is priced. */
export interface Anchor extends AnchorPrice {
  readonly mint: Address;
}

/** The price of a token by one of its pools. */
interface DollarPoolPrice {
  readonly pool: Address;
  readonly dollarsPerAtom: number;
  readonly depth: number;
  /** Whether the pool's fee is so high that its price decides nothing where other pools exist. */
  readonly isDear: boolean;
}

/** A mid, and the tokens whose prices it was computed from. */
export interface FoundMid {
  readonly mid: Mid;
  readonly anchors: readonly Anchor[];
  readonly poolPrices: readonly DollarPoolPrice[];
}

/**
 * Computes the price of a token by its pools against stablecoins and SOL; that of SOL by those against stablecoins.
 *
 * @param priceOf - Returns dollars per atom of one of those; null if it has no price.
 * @returns null if no pool that is deep enough prices the token so
 */
export function findDirectMid(
  pools: Pools,
  mint: Address,
  priceOf: (mint: Address) => number | null,
): FoundMid | null {
  if (DOLLARS.includes(mint)) return { mid: DOLLAR, anchors: [], poolPrices: [] };
  const isSol = mint === WRAPPED_SOL_MINT;
  const anchors: Anchor[] = [];
  for (const anchor of isSol ? DOLLARS : [...DOLLARS, WRAPPED_SOL_MINT]) {
    if (pools.between(mint, anchor).length === 0) continue;
    const dollarsPerAtom = priceOf(anchor);
    if (dollarsPerAtom === null) continue;
    anchors.push({ mint: anchor, dollarsPerAtom, maxDepth: Number.POSITIVE_INFINITY });
  }
  return foundMid(poolPricesAgainst(pools, mint, anchors), anchors, isSol ? 1 : 2);
}

/**
 * Computes the price of a token by all its pools, also by those against other tokens, if it has no deep pools against
 * stablecoins and SOL.
 *
 * Anybody can issue a token, give it a price by a small pool, and put any amount of it into other pools. So all pools
 * against one token count for no more than the depth of that token's own pools.
 *
 * @param direct - What `findDirectMid` returned for the token.
 * @param anchorOf - Returns the direct price of another token, so that prices do not depend on each other; null if it has
 *   none.
 * @returns null if no pool that is deep enough prices the token
 */
export function findFurtherMid(
  pools: Pools,
  mint: Address,
  direct: FoundMid | null,
  anchorOf: (mint: Address) => AnchorPrice | null,
): FoundMid | null {
  // Most tokens are priced by SOL, so SOL cannot be priced by them.
  if (mint === WRAPPED_SOL_MINT || isSufficient(direct)) return direct;
  const anchors = deepestAnchors(pools, mint, anchorOf);
  const further = poolPricesAgainst(pools, mint, anchors);
  const distance = sumPoolDepth(further) > (direct?.mid.depth ?? 0) ? 3 : 2;
  const poolPrices = [...(direct?.poolPrices ?? []), ...further];
  return foundMid(poolPrices, [...(direct?.anchors ?? []), ...anchors], distance);
}

function isSufficient(direct: FoundMid | null): boolean {
  if (direct === null || direct.mid.depth < SUFFICIENT_DEPTH) return false;
  return direct.poolPrices.length === 0 || direct.poolPrices.some(({ isDear }) => !isDear);
}

function deepestAnchors(
  pools: Pools,
  mint: Address,
  anchorOf: (mint: Address) => AnchorPrice | null,
): readonly Anchor[] {
  const anchors: Anchor[] = [];
  let left = MAX_COUNTERPARTS;
  for (const counterpart of pools.counterparts(mint).keys()) {
    if (left-- === 0) break;
    // Pools against these are those of the direct price.
    if (counterpart === WRAPPED_SOL_MINT || DOLLARS.includes(counterpart)) continue;
    const price = anchorOf(counterpart);
    if (price !== null) anchors.push({ mint: counterpart, ...price });
  }
  return anchors.sort((one, other) => other.maxDepth - one.maxDepth).slice(0, MAX_ANCHORS);
}

/** Returns the prices of the pools that count. */
function poolPricesAgainst(
  pools: Pools,
  mint: Address,
  anchors: readonly Anchor[],
): readonly DollarPoolPrice[] {
  return anchors.flatMap((anchor) => {
    const counting = pools
      .between(mint, anchor.mint)
      .map((handle) => toDollarPoolPrice(handle, mint, anchor, pools.clock))
      .filter(({ depth }) => depth >= MIN_DEPTH);
    const share = Math.min(1, anchor.maxDepth / sumPoolDepth(counting));
    return share === 1 ? counting : counting.map((each) => ({ ...each, depth: each.depth * share }));
  });
}

function foundMid(
  all: readonly DollarPoolPrice[],
  anchors: readonly Anchor[],
  distance: number,
): FoundMid | null {
  const poolPrices = leaveOutDear(all);
  const dollarsPerAtom = computeWeightedMedian(poolPrices);
  if (dollarsPerAtom === null) return null;
  const depths = new Map(poolPrices.map(({ pool, depth }) => [pool, depth]));
  return { mid: { dollarsPerAtom, depths, depth: sumPoolDepth(poolPrices), distance }, anchors, poolPrices };
}

function sumPoolDepth(poolPrices: readonly DollarPoolPrice[]): number {
  return poolPrices.reduce((sum, { depth }) => sum + depth, 0);
}

function toDollarPoolPrice(
  handle: PoolHandle,
  mint: Address,
  anchor: Anchor,
  clock: ChainClock,
): DollarPoolPrice {
  const { price, depth } = measurePoolDepth(handle, mint, anchor.mint);
  return {
    pool: handle.pool.address,
    dollarsPerAtom: price * anchor.dollarsPerAtom,
    depth: depth * anchor.dollarsPerAtom,
    isDear: isDearPool(handle, mint, anchor.mint, clock),
  };
}
