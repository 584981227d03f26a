import { ByteReader } from '../../../../solana/codec/byte-reader.ts';
import type { Position, Sides } from '../layout.ts';
import { decodePosition } from '../layout.ts';
import { TICK_ARRAY_SIZE } from '../program.ts';
import { tickArrayStart } from '../tick-array.ts';

/** What a position earned of one of the pool's rewards. */
export interface OwedReward {
  readonly growthCheckpoint: bigint;
  readonly owed: bigint;
}

export interface PositionWithRewards extends Position {
  readonly rewards: readonly [OwedReward, OwedReward, OwedReward];
}

/** What grew on the other side of a tick than the price is on. All Q64.64 per unit of liquidity, wrapping. */
export interface TickGrowth {
  readonly feeGrowthOutside: Sides<bigint>;
  readonly rewardGrowthsOutside: readonly [bigint, bigint, bigint];
}

const REWARDS_AT = 144;
const TICK_BYTES = 113;
const FIXED_TICKS_AT = 12;
const DYNAMIC_TICKS_AT = 60;
const DYNAMIC_TAG = Uint8Array.of(0x11, 0xd8, 0xf6, 0x8e, 0xe1, 0xc7, 0xda, 0x38);

/** @throws LayoutInvalid when the bytes are not a position */
export function decodePositionWithRewards(data: Uint8Array): PositionWithRewards {
  const position = decodePosition(data);
  const from = new ByteReader(data, 'whirlpool position', REWARDS_AT);
  const reward = (): OwedReward => ({ growthCheckpoint: from.u128(), owed: from.u64() });
  return { ...position, rewards: [reward(), reward(), reward()] };
}

/**
 * Reads one tick of an array of either form.
 *
 * @returns null if the tick is not in use
 * @throws LayoutInvalid when the array ends before the tick
 */
export function readTickGrowth(data: Uint8Array, index: number, tickSpacing: number): TickGrowth | null {
  const slot = (index - tickArrayStart(index, tickSpacing)) / tickSpacing;
  const from = new ByteReader(data, 'whirlpool tick array');
  if (DYNAMIC_TAG.every((byte, at) => data[at] === byte)) {
    from.skip(DYNAMIC_TICKS_AT);
    // A tick that is not in use takes one byte.
    for (let at = 0; at < Math.min(slot, TICK_ARRAY_SIZE); at++) if (from.bool()) from.skip(TICK_BYTES - 1);
  } else {
    from.skip(FIXED_TICKS_AT + slot * TICK_BYTES);
  }
  if (!from.bool()) return null;
  from.skip(32);
  return {
    feeGrowthOutside: [from.u128(), from.u128()],
    rewardGrowthsOutside: [from.u128(), from.u128(), from.u128()],
  };
}
