import { U64_MAX } from '../../../solana/units.ts';
import type { SwapTickArray, WhirlpoolPool } from './pool.ts';
import { TICK_ARRAY_SIZE } from './program.ts';
import { type SwapMode, swapStep } from './swap-math.ts';
import { MAX_SQRT_PRICE, MAX_TICK, MIN_SQRT_PRICE, MIN_TICK, sqrtPriceAtTick } from './tick-math.ts';

/** What a swap moves, before any transfer fee. `amountIn` includes the fee. */
export interface SwapResult {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly fee: bigint;
}

/** Where a step must end: an initialized tick, or the last tick that the arrays reach to. */
interface Stop {
  readonly tick: number;
  readonly liquidityNet: bigint;
}

/**
 * The whole swap, tick by tick, without a price limit; `amount` is at least 1. An exact input may be used in part,
 * when the price reaches its bound. Null where the program refuses: the arrays end too early, an exact output cannot
 * be had in full, or a number overflows.
 */
export function walk(pool: WhirlpoolPool, amount: bigint, mode: SwapMode): SwapResult | null {
  const { aToB, exactIn } = mode;
  const limit = aToB ? MIN_SQRT_PRICE : MAX_SQRT_PRICE;
  if (pool.sqrtPrice === limit) return null;
  let { sqrtPrice, liquidity } = pool;
  let remaining = amount;
  let calculated = 0n;
  let fee = 0n;
  for (const stop of stops(aToB ? pool.down : pool.up, pool, aToB)) {
    const target = sqrtPriceAtTick(stop.tick);
    const step = swapStep(remaining, pool.feeRate, liquidity, sqrtPrice, target, mode);
    if (step === null) return null;
    remaining -= exactIn ? step.amountIn + step.fee : step.amountOut;
    calculated += exactIn ? step.amountOut : step.amountIn + step.fee;
    fee += step.fee;
    if (calculated > U64_MAX || fee > U64_MAX) return null;
    sqrtPrice = step.nextSqrtPrice;
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

const U128_MAX = (1n << 128n) - 1n;

/** The stops of a swap in order: when they are used up, the swap has left the arrays. */
export function* stops(arrays: readonly SwapTickArray[], pool: WhirlpoolPool, aToB: boolean): Iterable<Stop> {
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
  if (last !== undefined) yield* endOf(last, pool.tickSpacing, aToB);
}

function stopAt(tick: number, liquidityNet: bigint): Stop {
  return { tick, liquidityNet };
}

/** The end of the last array. A swap that crosses its topmost initializable tick is beyond it already. */
function* endOf({ start, ticks }: SwapTickArray, tickSpacing: number, aToB: boolean): Iterable<Stop> {
  if (aToB) {
    yield stopAt(Math.max(start, MIN_TICK), 0n);
    return;
  }
  const top = start + (TICK_ARRAY_SIZE - 1) * tickSpacing;
  if (ticks.at(-1)?.index !== top) yield stopAt(Math.min(top + tickSpacing - 1, MAX_TICK), 0n);
}
