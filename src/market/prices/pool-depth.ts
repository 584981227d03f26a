import type { Address } from '../../solana/address.ts';
import { BEYOND_RESERVES } from '../estimate-received.ts';
import type { PoolHandle } from '../pools/liquidity.ts';
import { type PoolState, SETTLED_CLOCK } from '../../protocol/venue/venue.ts';
import { computeMidPrice } from './pool-prices.ts';

/** The price by one pool, and how much trading it takes to move it. */
export interface PoolDepth {
  /** Atoms of the quote token for one atom of the mint. */
  readonly price: number;
  /**
   * What can be traded, in the direction that takes less, until the average price is worse by `DEPTH_LOSS`. Atoms of the
   * quote token.
   */
  readonly depth: number;
  /** What the pool could pay out: atoms of the mint, and atoms of the quote token. */
  readonly held: readonly [number, number];
}

/** The loss up to which depth is measured. The pool's fee does not count. */
export const DEPTH_LOSS = 0.01;
/** The search goes up to 2^100 atoms. */
const MAX_EXPONENT = 100;
/** Each step halves the range of exponents. After 13 the size is known to about one percent. */
const STEPS = 13;

/** A state is replaced when it changes, so what was computed from it stays true. Keyed by the mint that is priced. */
const known = new WeakMap<PoolState, Map<Address, PoolDepth>>();

/**
 * Measures a pool. A constant-product pool has a depth of about a hundredth of what it holds on one side. Liquidity
 * that is far from the price does not count, so money that is never traded cannot feign depth. Fees that are higher for a while
 * do not count either, so that a state has one depth.
 */
export function measurePoolDepth(handle: PoolHandle, mint: Address, quote: Address): PoolDepth {
  let depths = known.get(handle.pool);
  if (depths === undefined) {
    depths = new Map();
    known.set(handle.pool, depths);
  }
  let depth = depths.get(mint);
  if (depth === undefined) {
    depth = measure(handle, mint, quote);
    depths.set(mint, depth);
  }
  return depth;
}

function measure(handle: PoolHandle, mint: Address, quote: Address): PoolDepth {
  const price = computeMidPrice(handle, mint, quote);
  if (!(price > 0) || !Number.isFinite(price)) return { price: 0, depth: 0, held: [0, 0] };
  const sold = tradable(handle, mint) * price;
  return {
    price,
    depth: Math.min(sold, tradable(handle, quote)),
    held: [estimateHeldAmount(handle, mint, quote), estimateHeldAmount(handle, quote, mint)],
  };
}

/** A venue does not hold the token that it issues for deposits. */
function estimateHeldAmount({ venue, pool }: PoolHandle, mint: Address, other: Address): number {
  return venue.isIssuer === true && mint === pool.mints[1]
    ? 0
    : venue.estimate(pool, other, BEYOND_RESERVES, SETTLED_CLOCK);
}

/**
 * The exponents that were found for earlier states of a pool, by the input. Most trades change the depth little, and then
 * two estimates tell that it is the same.
 */
const earlier = new WeakMap<PoolHandle, Map<Address, number>>();
/** How far an earlier exponent may be off: a hundredth of the size. */
const TOLERANCE = 0.0144;

/** Returns the atoms of the input for which the pool pays on average nearly what it pays for the first atom. */
function tradable(handle: PoolHandle, input: Address): number {
  const { venue, pool } = handle;
  const enough = (1 - DEPTH_LOSS) * venue.estimate(pool, input, 1, SETTLED_CLOCK);
  const isTradable = (exponent: number) =>
    venue.estimate(pool, input, 2 ** exponent, SETTLED_CLOCK) / 2 ** exponent >= enough;
  let found = earlier.get(handle);
  if (found === undefined) {
    found = new Map();
    earlier.set(handle, found);
  }
  const known = found.get(input);
  if (known !== undefined && isTradable(known - TOLERANCE) && !isTradable(known + TOLERANCE))
    return 2 ** known;
  let [low, high] = [0, MAX_EXPONENT];
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (isTradable(middle)) low = middle;
    else high = middle;
  }
  found.set(input, low);
  return low === 0 ? 0 : 2 ** low;
}
