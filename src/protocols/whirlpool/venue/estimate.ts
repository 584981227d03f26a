import type { ChainClock } from '../../../chain/chain.ts';
import type { Address } from '../../../solana/address.ts';
import { computeAdaptiveRate, totalRate } from './adaptive-fee.ts';
import type { SwapTickArray, WhirlpoolPool } from './pool.ts';
import { MAX_TICK, MIN_TICK, computeSqrtPriceAtTick } from '../program/tick-math.ts';
import { iterateStops } from './walk.ts';

/**
 * A range of constant liquidity in floating point, with the input (without fees) and the output up to where it begins.
 */
interface Stretch {
  readonly inBefore: number;
  readonly outBefore: number;
  readonly liquidity: number;
  /** The square root of the price: output for input. */
  readonly sqrtPrice: number;
  /** The input that moves the price through the whole range. */
  readonly inWithin: number;
}

interface WhirlpoolEstimatedSide {
  readonly stretches: readonly Stretch[];
  readonly keptIn: number;
}

const ONE_Q64 = 2 ** 64;
/** The price of each tick that was asked for; 0 for others. */
const sqrtPrices = new Float64Array(MAX_TICK - MIN_TICK + 1);

/**
 * Uses the program's own square roots, so that a pool whose price is at a tick is at distance 0 from it. A power of
 * 1.0001 in floating point would differ in the last bit, which a large liquidity turns into an amount that nobody
 * receives, and differently on each engine.
 */
function getFloatSqrtPrice(tick: number): number {
  const known = sqrtPrices[tick - MIN_TICK] ?? 0;
  if (known !== 0) return known;
  const price = Number(computeSqrtPriceAtTick(tick)) / ONE_Q64;
  sqrtPrices[tick - MIN_TICK] = price;
  return price;
}

/** Cached by pool state and direction at the first estimate. */
const sidesOfPools = new WeakMap<
  WhirlpoolPool,
  [WhirlpoolEstimatedSide | null, WhirlpoolEstimatedSide | null]
>();

/** Estimates by the ranges between initialized ticks. Beyond the last array the estimate stays constant. */
export function estimate(pool: WhirlpoolPool, inputMint: Address, amount: number, clock: ChainClock): number {
  if (pool.oracle !== null && clock.unixTimestamp < pool.oracle.tradeEnabledAt) return 0;
  const { stretches, keptIn } = getWhirlpoolEstimatedSide(pool, inputMint === pool.mints[0] ? 0 : 1);
  const traded = amount * keptIn;
  const stretch = stretches[stretchAt(stretches, traded)];
  if (stretch === undefined || stretch.liquidity === 0) return stretch?.outBefore ?? 0;
  const within = Math.min(traded - stretch.inBefore, stretch.inWithin);
  // Liquidity L at the square root s pays L·s·x·s / (L + x·s) for an input x.
  const scaled = within * stretch.sqrtPrice;
  const paid = (stretch.liquidity * stretch.sqrtPrice * scaled) / (stretch.liquidity + scaled);
  return stretch.outBefore + paid;
}

/** Returns the index of the last range that begins below the amount. */
function stretchAt(stretches: readonly Stretch[], traded: number): number {
  let low = 0;
  let high = stretches.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((stretches[middle]?.inBefore ?? 0) < traded) low = middle;
    else high = middle - 1;
  }
  return low;
}

function getWhirlpoolEstimatedSide(pool: WhirlpoolPool, input: 0 | 1): WhirlpoolEstimatedSide {
  let sides = sidesOfPools.get(pool);
  if (sides === undefined) {
    sides = [null, null];
    sidesOfPools.set(pool, sides);
  }
  sides[input] ??= {
    stretches: listStretches(pool, input === 0 ? pool.down : pool.up, input === 0),
    keptIn: 1 - Number(presentRate(pool)) / 1e6,
  };
  return sides[input];
}

/** The fee after the last swap. What has decayed since, and what this swap adds, is computed by the quote. */
function presentRate({ feeRate, oracle }: WhirlpoolPool): bigint {
  return oracle === null
    ? feeRate
    : totalRate(feeRate, computeAdaptiveRate(oracle.constants, oracle.variables.volatility));
}

function listStretches(pool: WhirlpoolPool, arrays: readonly SwapTickArray[], aToB: boolean): Stretch[] {
  const found: Stretch[] = [];
  let liquidity = Number(pool.liquidity);
  let sqrtPrice = Number(pool.sqrtPrice) / ONE_Q64;
  let [inBefore, outBefore] = [0, 0];
  for (const stop of iterateStops(arrays, pool, aToB)) {
    const target = getFloatSqrtPrice(Math.min(Math.max(stop.tick, MIN_TICK), MAX_TICK));
    const ofA = liquidity * Math.abs(1 / target - 1 / sqrtPrice);
    const ofB = liquidity * Math.abs(target - sqrtPrice);
    const inWithin = aToB ? ofA : ofB;
    if (liquidity > 0) {
      found.push({ inBefore, outBefore, liquidity, sqrtPrice: aToB ? sqrtPrice : 1 / sqrtPrice, inWithin });
    }
    inBefore += inWithin;
    outBefore += aToB ? ofB : ofA;
    sqrtPrice = target;
    liquidity = Math.max(0, liquidity + Number(aToB ? -stop.liquidityNet : stop.liquidityNet));
  }
  return found;
}
