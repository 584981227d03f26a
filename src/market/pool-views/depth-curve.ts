import type { ChainClock } from '../../chain/chain.ts';
import type { Quote } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import { U64_MAX } from '../../solana/units.ts';
import { BEYOND_RESERVES, estimateReceived } from '../estimate-received.ts';
import type { PoolHandle } from '../pools/liquidity.ts';

/** What the pool takes and pays in one swap, as its venue quotes it: exact, in atoms. */
export interface DepthPoint {
  readonly inAmount: bigint;
  readonly outAmount: bigint;
}

/**
 * Why a curve ends: the average price is half of that for the first atom, the pool pays no more, or the pool has no end that
 * anybody could reach. It refuses every swap in this direction if the curve has no points.
 */
export type DepthEnd = 'half-price' | 'exhausted' | 'open' | 'refused';

/** What a pool pays for growing amounts of one of its tokens. */
export interface DepthCurve {
  readonly inputMint: Address;
  /** Atoms of the output for one of the input, for the smallest amount: the pool's price with its fee. 0 if it pays nothing. */
  readonly marginalPrice: number;
  /** In ascending order of both amounts. */
  readonly points: readonly DepthPoint[];
  readonly end: DepthEnd;
}

/** How many amounts a curve is quoted for. Refused ones leave no point. */
export const DEPTH_POINTS = 40;
/** A curve ends where the average price is this share of that for the first atom. */
const LEAST_PRICE_SHARE = 0.5;
/** The largest amount of a curve is so many times the smallest. */
const RANGE = 10_000;
/** Each step halves the range of exponents of the search, which begins with the 64 bits of an amount. */
const SEARCH_STEPS = 30;
const MAX_EXPONENT = 63;
/** How often the range is halved in which the pool pays out for the last time. Four steps more than the gap between two points needs. */
const END_STEPS = 20;
/** What an amount that has no bound is drawn up to if the pool holds nothing that it could be measured by. */
const OPEN_ATOMS = 1e12;

/**
 * Quotes a pool for geometrically growing amounts of one of its tokens, up to where it pays no more, or half of its price. Each
 * point is what the venue quotes for one swap of that amount.
 *
 * @param clock - The network's time, on which fees may depend.
 *
 * @example
 * ```ts
 * import type { ChainClock } from '../../chain/chain.ts';
 * import type { PoolHandle } from '../pools/liquidity.ts';
 * import { computeDepthCurve } from './depth-curve.ts';
 *
 * // Returns the most that the pool pays for its first token, before its price is halved.
 * function findMostPaid(handle: PoolHandle, clock: ChainClock): bigint {
 *   return computeDepthCurve(handle, handle.pool.mints[0], clock).points.at(-1)?.outAmount ?? 0n;
 * }
 * ```
 */
export function computeDepthCurve(handle: PoolHandle, inputMint: Address, clock: ChainClock): DepthCurve {
  const marginalPrice = estimateReceived(handle, inputMint, 1, clock);
  const quote = (amount: bigint) => quoteAlone(handle, inputMint, amount, clock);
  const range = findRange(handle, inputMint, clock);
  const amounts = range === null ? [] : listAmounts(range.most);
  const points: DepthPoint[] = [];
  let refused: bigint | null = null;
  for (const amount of amounts) {
    const point = quote(amount);
    if (point !== null) addPoint(points, point);
    else if (points.length > 0) {
      refused = amount;
      break;
    }
  }
  if (points.length === 0) return { inputMint, marginalPrice, points, end: 'refused' };
  if (refused === null) return { inputMint, marginalPrice, points, end: range?.end ?? 'refused' };
  addLast(points, refused, quote);
  return { inputMint, marginalPrice, points, end: 'exhausted' };
}

/**
 * Quotes one swap through the pool alone, as the venue's program would run it now.
 *
 * Returns null if the program would refuse it, or it would pay nothing.
 */
export function quoteAlone(
  { venue, pool }: PoolHandle,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  const quote = venue.quoteExactIn(pool, inputMint, amount, clock);
  return quote === null || quote.inAmount <= 0n || quote.outAmount <= 0n ? null : quote;
}

/** A venue of whole lots takes the same for several amounts. */
function addPoint(points: DepthPoint[], { inAmount, outAmount }: DepthPoint): void {
  const last = points.at(-1);
  if (last === undefined || inAmount > last.inAmount) points.push({ inAmount, outAmount });
}

/** Adds the largest amount that the pool takes, below one that it refuses. */
function addLast(points: DepthPoint[], refused: bigint, quote: (amount: bigint) => DepthPoint | null): void {
  let [low, high] = [points.at(-1)?.inAmount ?? 0n, refused];
  let found: DepthPoint | null = null;
  for (let step = 0; step < END_STEPS && high - low > 1n; step++) {
    const middle = (low + high) / 2n;
    const point = quote(middle);
    if (point === null) high = middle;
    else [low, found] = [middle, point];
  }
  if (found !== null) addPoint(points, found);
}

interface DepthRange {
  readonly most: bigint;
  readonly end: 'half-price' | 'open';
}

/** Finds by estimates how far the curve goes; null if nothing is paid. */
function findRange(handle: PoolHandle, inputMint: Address, clock: ChainClock): DepthRange | null {
  const [first, second] = handle.pool.mints;
  const averagePrice = (amount: number) => estimateReceived(handle, inputMint, amount, clock) / amount;
  const lowest = findLowestPaid(averagePrice);
  if (lowest === null) return null;
  const enough = averagePrice(2 ** lowest) * LEAST_PRICE_SHARE;
  let [low, high] = [lowest, MAX_EXPONENT];
  if (averagePrice(2 ** high) >= enough) {
    const other = inputMint === first ? second : first;
    const held = handle.venue.estimate(handle.pool, other, BEYOND_RESERVES, clock);
    const most = held > 0 && held < 2 ** MAX_EXPONENT ? held : OPEN_ATOMS;
    return { most: BigInt(Math.ceil(most)), end: 'open' };
  }
  for (let step = 0; step < SEARCH_STEPS; step++) {
    const middle = (low + high) / 2;
    if (averagePrice(2 ** middle) >= enough) low = middle;
    else high = middle;
  }
  return { most: BigInt(Math.ceil(2 ** low)), end: 'half-price' };
}

/** Finds the exponent of an amount for which something is paid. A fixed fee of a transfer may take the first atoms whole. */
function findLowestPaid(averagePrice: (amount: number) => number): number | null {
  for (let exponent = 0; exponent < MAX_EXPONENT; exponent += 4) {
    const price = averagePrice(2 ** exponent);
    if (price > 0 && Number.isFinite(price)) return exponent;
  }
  return null;
}

/** Lists amounts in a geometric series up to `most`, without repetitions. */
function listAmounts(most: bigint): readonly bigint[] {
  const largest = most > U64_MAX ? U64_MAX : most;
  const amounts = new Set<bigint>();
  for (let index = 0; index < DEPTH_POINTS; index++) {
    const share = RANGE ** (index / (DEPTH_POINTS - 1) - 1);
    const amount = index === DEPTH_POINTS - 1 ? largest : BigInt(Math.floor(Number(largest) * share));
    if (amount > 0n) amounts.add(amount);
  }
  return [...amounts];
}
