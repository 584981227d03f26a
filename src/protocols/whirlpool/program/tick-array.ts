import type { Address } from '../../../solana/address.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import type { WhirlpoolSides } from './layout.ts';
import { TICK_ARRAY_SIZE } from './program.ts';
import { MAX_TICK, MIN_TICK } from './tick-math.ts';

/** A tick at which liquidity changes. */
export interface Tick {
  readonly index: number;
  /** The change of liquidity when the price rises through the tick. */
  readonly liquidityNet: bigint;
  /** The liquidity of all positions that end here. */
  readonly liquidityGross: bigint;
  readonly feeGrowthOutside: WhirlpoolSides<bigint>;
}

/** 88 consecutive initializable ticks of a pool. Only those that are initialized are listed, lowest first. */
export interface TickArray {
  readonly whirlpool: Address;
  readonly start: number;
  readonly ticks: readonly Tick[];
}

const TICK_ARRAY_BYTES = 9988;
export const TICK_BYTES = 113;
const REWARD_GROWTH_BYTES = 48;

const FIXED_TAG = Uint8Array.of(0x45, 0x61, 0xbd, 0xbe, 0x6e, 0x07, 0x42, 0xbb);
export const DYNAMIC_TAG = Uint8Array.of(0x11, 0xd8, 0xf6, 0x8e, 0xe1, 0xc7, 0xda, 0x38);

/** Returns the start tick of the array that contains the tick: the multiple of 88 spacings at or below it. */
export function computeTickArrayStart(tick: number, tickSpacing: number): number {
  const span = TICK_ARRAY_SIZE * tickSpacing;
  return Math.floor(tick / span) * span;
}

/** Whether an array may start there: it must contain a tick within the bounds. */
export function isTickArrayStart(start: number, tickSpacing: number): boolean {
  const span = TICK_ARRAY_SIZE * tickSpacing;
  return start % span === 0 && start > MIN_TICK - span && start <= MAX_TICK;
}

/**
 * Decodes both forms: the fixed one, and the dynamic one, in which an unused tick takes one byte.
 *
 * @throws LayoutInvalid when the bytes are not a tick array
 */
export function decodeTickArray(data: Uint8Array, tickSpacing: number): TickArray {
  const dynamic = DYNAMIC_TAG.every((byte, at) => data[at] === byte);
  const from = new ByteReader(data, 'whirlpool tick array');
  from.expect(dynamic ? DYNAMIC_TAG : FIXED_TAG, 'discriminator');
  return dynamic ? readDynamic(from, tickSpacing) : readFixed(from, tickSpacing);
}

function readFixed(from: ByteReader, tickSpacing: number): TickArray {
  const start = from.i32();
  const ticks: Tick[] = [];
  for (let slot = 0; slot < TICK_ARRAY_SIZE; slot++) {
    if (from.bool()) ticks.push(readTick(from, start + slot * tickSpacing));
    else from.skip(TICK_BYTES - 1);
  }
  const whirlpool = from.address();
  from.end();
  return { whirlpool, start, ticks };
}

/** The bitmap also says which ticks are used, lowest first. The account ends with the last tick. */
function readDynamic(from: ByteReader, tickSpacing: number): TickArray {
  const start = from.i32();
  const whirlpool = from.address();
  const bitmap = [from.u32(), from.u32(), from.u32(), from.u32()] as const;
  const beyond = bitmap[2] >>> (TICK_ARRAY_SIZE % 32);
  if (beyond !== 0 || bitmap[3] !== 0)
    from.fail(`its bitmap names a tick beyond the ${TICK_ARRAY_SIZE} there are`);
  const ticks: Tick[] = [];
  for (let slot = 0; slot < TICK_ARRAY_SIZE; slot++) {
    const used = from.bool();
    const marked = (((bitmap[slot >> 5] ?? 0) >>> (slot & 31)) & 1) === 1;
    if (used !== marked)
      from.fail(`tick ${slot} is ${used ? '' : 'not '}in use, but its bitmap says otherwise`);
    if (used) ticks.push(readTick(from, start + slot * tickSpacing));
  }
  from.end();
  return { whirlpool, start, ticks };
}

function readTick(from: ByteReader, index: number): Tick {
  const tick = {
    index,
    liquidityNet: from.i128(),
    liquidityGross: from.u128(),
    feeGrowthOutside: [from.u128(), from.u128()] as const,
  };
  from.skip(REWARD_GROWTH_BYTES);
  return tick;
}

/**
 * Encodes the fixed form.
 *
 * @throws RangeError for a tick that does not belong to the array
 */
export function encodeTickArray(array: TickArray, tickSpacing: number): Uint8Array {
  const to = new ByteWriter(TICK_ARRAY_BYTES).bytes(FIXED_TAG).i32(array.start);
  for (const tick of listTickSlots(array, tickSpacing)) {
    if (tick === undefined) to.zeros(TICK_BYTES);
    else writeTick(to, tick);
  }
  return to.address(array.whirlpool).finish();
}

/**
 * Encodes the dynamic form.
 *
 * @throws RangeError for a tick that does not belong to the array
 */
export function encodeDynamicTickArray(array: TickArray, tickSpacing: number): Uint8Array {
  const slots = listTickSlots(array, tickSpacing);
  const bitmap = slots.reduce(
    (bits, tick, slot) => (tick === undefined ? bits : bits | (1n << BigInt(slot))),
    0n,
  );
  const to = new ByteWriter(TICK_ARRAY_BYTES)
    .bytes(DYNAMIC_TAG)
    .i32(array.start)
    .address(array.whirlpool)
    .u128(bitmap);
  for (const tick of slots) {
    if (tick === undefined) to.bool(false);
    else writeTick(to, tick);
  }
  return to.finish();
}

/** Lists the array's ticks by their position in it. */
function listTickSlots({ start, ticks }: TickArray, tickSpacing: number): (Tick | undefined)[] {
  const bySlot = new Map(ticks.map((tick) => [(tick.index - start) / tickSpacing, tick]));
  const slots = Array.from({ length: TICK_ARRAY_SIZE }, (_, slot) => bySlot.get(slot));
  for (const slot of slots.keys()) bySlot.delete(slot);
  const [stray] = bySlot.values();
  if (stray !== undefined) throw new RangeError(`tick ${stray.index} is not in the array from ${start}`);
  return slots;
}

function writeTick(to: ByteWriter, tick: Tick): void {
  to.bool(true).i128(tick.liquidityNet).u128(tick.liquidityGross);
  to.u128(tick.feeGrowthOutside[0]).u128(tick.feeGrowthOutside[1]).zeros(REWARD_GROWTH_BYTES);
}
