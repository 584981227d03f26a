import { keptOnTransfer } from '../kept-on-transfer.ts';
import type { Address } from '../../../solana/address.ts';
import { adaptiveRate, totalRate } from './adaptive-fee.ts';
import type { SwapTickArray, WhirlpoolPool } from './pool.ts';
import { MAX_TICK, MIN_TICK, sqrtPriceAtTick } from './tick-math.ts';
import { stops } from './walk.ts';

/** A stretch of constant liquidity in floating point: the input, without fees, and output up to where it begins. */
interface Stretch {
  readonly inBefore: number;
  readonly outBefore: number;
  readonly liquidity: number;
  /** Square root of the price of what comes in, in what goes out. */
  readonly sqrtPrice: number;
  /** The input that leads through it. */
  readonly inWithin: number;
}

interface EstimatedSide {
  readonly stretches: readonly Stretch[];
  readonly keptIn: number;
  readonly keptOut: number;
}

const ONE_Q64 = 2 ** 64;
/** Of every tick, once it was asked for; zero before. */
const sqrtPrices = new Float64Array(MAX_TICK - MIN_TICK + 1);

/**
 * The program's own, so that a pool that stands at a tick is at no distance from it: in a power of 1.0001, the last bit
 * times a large liquidity would be an amount that nobody gets, and another on each engine.
 */
function sqrtPriceOf(tick: number): number {
  const known = sqrtPrices[tick - MIN_TICK] ?? 0;
  if (known !== 0) return known;
  const price = Number(sqrtPriceAtTick(tick)) / ONE_Q64;
  sqrtPrices[tick - MIN_TICK] = price;
  return price;
}

/** By pool state and direction: worked out at the first estimate, used for every further one. */
const sidesOfPools = new WeakMap<WhirlpoolPool, [EstimatedSide | null, EstimatedSide | null]>();

/** The stretches between initialized ticks as a curve; flat beyond the last array. */
export function estimate(pool: WhirlpoolPool, inputMint: Address, amount: number): number {
  const { stretches, keptIn, keptOut } = sideOf(pool, inputMint === pool.mints[0] ? 0 : 1);
  const traded = amount * keptIn;
  const stretch = stretches[stretchAt(stretches, traded)];
  if (stretch === undefined || stretch.liquidity === 0) return (stretch?.outBefore ?? 0) * keptOut;
  const within = Math.min(traded - stretch.inBefore, stretch.inWithin);
  // In the price of the input, liquidity L pays L·s·x·s / (L + x·s) for x.
  const scaled = within * stretch.sqrtPrice;
  const paid = (stretch.liquidity * stretch.sqrtPrice * scaled) / (stretch.liquidity + scaled);
  return (stretch.outBefore + paid) * keptOut;
}

/** The last stretch that begins below the amount. */
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

function sideOf(pool: WhirlpoolPool, input: 0 | 1): EstimatedSide {
  let sides = sidesOfPools.get(pool);
  if (sides === undefined) {
    sides = [null, null];
    sidesOfPools.set(pool, sides);
  }
  sides[input] ??= {
    stretches: stretchesOf(pool, input === 0 ? pool.down : pool.up, input === 0),
    keptIn: (1 - Number(presentRate(pool)) / 1e6) * keptOnTransfer(pool.transferFees[input]),
    keptOut: keptOnTransfer(pool.transferFees[input === 0 ? 1 : 0]),
  };
  return sides[input];
}

/** The fee as the last swap left it: what has decayed since, and what this one adds, are reckoned with the quote. */
function presentRate({ feeRate, oracle }: WhirlpoolPool): bigint {
  return oracle === null
    ? feeRate
    : totalRate(feeRate, adaptiveRate(oracle.constants, oracle.variables.volatility));
}

function stretchesOf(pool: WhirlpoolPool, arrays: readonly SwapTickArray[], aToB: boolean): Stretch[] {
  const found: Stretch[] = [];
  let liquidity = Number(pool.liquidity);
  let sqrtPrice = Number(pool.sqrtPrice) / ONE_Q64;
  let [inBefore, outBefore] = [0, 0];
  for (const stop of stops(arrays, pool, aToB)) {
    const target = sqrtPriceOf(Math.min(Math.max(stop.tick, MIN_TICK), MAX_TICK));
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
