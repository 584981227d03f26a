import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import type { Address } from '../../../solana/address.ts';
import type { WhirlpoolPosition, WhirlpoolSides } from '../program/layout.ts';
import { decodePosition } from '../program/layout.ts';
import { TICK_ARRAY_SIZE } from '../program/program.ts';
import { computeTickArrayStart, DYNAMIC_TAG, TICK_BYTES } from '../program/tick-array.ts';

/** What a position earned of one of the pool's rewards. */
export interface OwedReward {
  readonly growthCheckpoint: bigint;
  readonly owed: bigint;
}

export interface PositionWithRewards extends WhirlpoolPosition {
  readonly rewards: readonly [OwedReward, OwedReward, OwedReward];
}

/** What grew on the other side of a tick than the price is on. All Q64.64 per unit of liquidity, wrapping. */
export interface TickGrowth {
  readonly feeGrowthOutside: WhirlpoolSides<bigint>;
  readonly rewardGrowthsOutside: readonly [bigint, bigint, bigint];
}

/** Positions that are owned by one token. */
export interface PositionBundle {
  readonly mint: Address;
  /** The indexes of the positions that are open, ascending. */
  readonly open: readonly number[];
}

const BUNDLE_TAG = Uint8Array.of(0x81, 0xa9, 0xaf, 0x41, 0xb9, 0x5f, 0x20, 0x64);
const BUNDLE_SIZE = 136;
/** A bit for each of the positions that a bundle may have. */
const BITMAP_BYTES = 32;

const REWARDS_AT = 144;
const FIXED_TICKS_AT = 12;
const DYNAMIC_TICKS_AT = 60;

/** @throws LayoutInvalid when the bytes are not a position */
export function decodePositionWithRewards(data: Uint8Array): PositionWithRewards {
  const position = decodePosition(data);
  const from = new ByteReader(data, 'whirlpool position', REWARDS_AT);
  const reward = (): OwedReward => ({ growthCheckpoint: from.u128(), owed: from.u64() });
  return { ...position, rewards: [reward(), reward(), reward()] };
}

/** @throws LayoutInvalid when the bytes are not a bundle of positions */
export function decodePositionBundle(data: Uint8Array): PositionBundle {
  const from = new ByteReader(data, 'whirlpool position bundle');
  from.expect(BUNDLE_TAG, 'discriminator');
  const mint = from.address();
  const bitmap = from.bytes(BITMAP_BYTES);
  const indexes = Array.from({ length: 8 * BITMAP_BYTES }, (_, index) => index);
  return { mint, open: indexes.filter((index) => (((bitmap[index >> 3] ?? 0) >> (index & 7)) & 1) === 1) };
}

export function encodePositionBundle({ mint, open }: PositionBundle): Uint8Array {
  const bitmap = new Uint8Array(BITMAP_BYTES);
  for (const index of open) bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (1 << (index & 7));
  const to = new ByteWriter(BUNDLE_SIZE).bytes(BUNDLE_TAG).address(mint).bytes(bitmap);
  return to.zeros(BUNDLE_SIZE - to.length).finish();
}

/**
 * Reads one tick of an array of either form.
 *
 * Returns null if the tick is not in use.
 * @throws LayoutInvalid when the array ends before the tick
 */
export function readTickGrowth(data: Uint8Array, index: number, tickSpacing: number): TickGrowth | null {
  const slot = (index - computeTickArrayStart(index, tickSpacing)) / tickSpacing;
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
