import { U64_MAX, U128_MAX } from '../../../solana/units.ts';
import { FeeAlongSwap, totalRate } from './adaptive-fee.ts';
import type { SwapTickArray, WhirlpoolPool } from './pool.ts';
import { TICK_ARRAY_SIZE } from '../program/program.ts';
import { type SwapMathMode, swapStep } from './swap-math.ts';
import {
  MAX_SQRT_PRICE,
  MAX_TICK,
  MIN_SQRT_PRICE,
  MIN_TICK,
  computeSqrtPriceAtTick,
} from '../program/tick-math.ts';

/** The amounts that a swap moves, before transfer fees. `amountIn` includes the fee. */
export interface WhirlpoolSwapResult {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly fee: bigint;
}

/** The end of a step: an initialized tick, or the last tick of the arrays. */
interface SwapStop {
  readonly tick: number;
  readonly liquidityNet: bigint;
}

/** More steps than the program has compute units for, whatever the oracle says. */
const MAX_STEPS = 120;

/**
 * Computes the whole swap, tick by tick, without a price limit. An exact input may be used in part, when the price
 * reaches its bound.
 *
 * @param amount - Atoms of the given side, at least 1.
 * @param now - Unix seconds.
 * @returns null if the program would refuse: the arrays end too early, an exact output cannot be paid in full, a number
 * overflows, or an adaptive fee does not allow a trade at `now`
 */
export function walk(
  pool: WhirlpoolPool,
  amount: bigint,
  mode: SwapMathMode,
  now: bigint,
): WhirlpoolSwapResult | null {
  const { aToB, exactIn } = mode;
  const limit = aToB ? MIN_SQRT_PRICE : MAX_SQRT_PRICE;
  const adaptive = pool.oracle === null ? null : FeeAlongSwap.begin(pool.oracle, pool.tick, aToB, now);
  if (pool.sqrtPrice === limit || (pool.oracle !== null && adaptive === null)) return null;
  let { sqrtPrice, liquidity, feeRate } = pool;
  let remaining = amount;
  let calculated = 0n;
  let fee = 0n;
  let steps = 0;
  for (const stop of iterateStops(aToB ? pool.down : pool.up, pool, aToB)) {
    const target = computeSqrtPriceAtTick(stop.tick);
    do {
      if (adaptive !== null) feeRate = totalRate(pool.feeRate, adaptive.rate());
      const end = adaptive === null ? target : adaptive.bounded(target, liquidity);
      const step = swapStep(remaining, feeRate, liquidity, sqrtPrice, end, mode);
      if (step === null || ++steps > MAX_STEPS) return null;
      remaining -= exactIn ? step.amountIn + step.fee : step.amountOut;
      calculated += exactIn ? step.amountOut : step.amountIn + step.fee;
      fee += step.fee;
      if (calculated > U64_MAX || fee > U64_MAX) return null;
      sqrtPrice = step.nextSqrtPrice;
      adaptive?.advance(sqrtPrice, target, stop.tick);
    } while (remaining > 0n && sqrtPrice !== target);
    if (sqrtPrice === target) {
      liquidity += aToB ? -stop.liquidityNet : stop.liquidityNet;
      if (liquidity < 0n || liquidity > U128_MAX) return null;
    }
    if (remaining === 0n || sqrtPrice === limit) break;
  }
  if (remaining > 0n && (!exactIn || sqrtPrice !== limit)) return null;
  const moved = amount - remaining;
  return exactIn
    ? { amountIn: moved, amountOut: calculated, fee }
    : { amountIn: calculated, amountOut: moved, fee };
}

/** Returns the stops of a swap in order. After the last one, the swap has left the arrays. */
export function* iterateStops(
  arrays: readonly SwapTickArray[],
  pool: WhirlpoolPool,
  aToB: boolean,
): Iterable<SwapStop> {
  for (const { ticks } of arrays) {
    if (aToB) {
      for (let i = ticks.length - 1; i >= 0; i--) {
        const tick = ticks[i];
        if (tick !== undefined && tick.index <= pool.tick) yield stopAt(tick.index, tick.liquidityNet);
      }
    } else {
      for (const { index, liquidityNet } of ticks) {
        if (index > pool.tick) yield stopAt(index, liquidityNet);
      }
    }
  }
  const last = arrays.at(-1);
  if (last !== undefined) yield* iterateArrayEnd(last, pool.tickSpacing, aToB);
}

function stopAt(tick: number, liquidityNet: bigint): SwapStop {
  return { tick, liquidityNet };
}

/** The end of the last array. A swap that crosses its topmost initializable tick is beyond it already. */
function* iterateArrayEnd(
  { start, ticks }: SwapTickArray,
  tickSpacing: number,
  aToB: boolean,
): Iterable<SwapStop> {
  if (aToB) {
    yield stopAt(Math.max(start, MIN_TICK), 0n);
    return;
  }
  const top = start + (TICK_ARRAY_SIZE - 1) * tickSpacing;
  if (ticks.at(-1)?.index !== top) yield stopAt(Math.min(top + tickSpacing - 1, MAX_TICK), 0n);
}
