import type { Address } from '../../src/solana/address.ts';
import { ByteWriter } from '../../src/solana/byte-writer.ts';
import { TICK_ARRAY_SIZE } from '../../src/market/venues/whirlpool/program.ts';
import { encodeTickArray, type Tick, type TickArray } from '../../src/market/venues/whirlpool/tick-array.ts';
import type { PoolCase } from './cases.ts';

const DYNAMIC_TAG = Uint8Array.of(17, 216, 246, 142, 225, 199, 218, 56);
const TICK_BYTES = 113;
const FIXED_TICKS = 12;

/** The dynamic form: a byte for a tick that is not used, 113 for one that is. */
export function encodeDynamicTickArray(array: TickArray, tickSpacing: number): Uint8Array {
  const fixed = encodeTickArray(array, tickSpacing);
  const slots = Array.from({ length: TICK_ARRAY_SIZE }, (_, slot) =>
    fixed.subarray(FIXED_TICKS + slot * TICK_BYTES, FIXED_TICKS + (slot + 1) * TICK_BYTES),
  );
  const bitmap = slots.reduce((bits, tick, slot) => bits | (BigInt(tick[0] ?? 0) << BigInt(slot)), 0n);
  const to = new ByteWriter(60 + TICK_ARRAY_SIZE * TICK_BYTES).bytes(DYNAMIC_TAG).i32(array.start);
  to.address(array.whirlpool).u128(bitmap);
  for (const tick of slots) to.bytes(tick[0] === 1 ? tick : Uint8Array.of(0));
  return to.finish();
}

/** The data of a pool's array in the form that the case gives it; null for one that was never created. */
export function arrayData(
  { forms = 0, tickSpacing }: Pick<PoolCase, 'forms' | 'tickSpacing'>,
  whirlpool: Address,
  start: number,
  ticks: readonly Tick[] | undefined,
): Uint8Array | null {
  const number = Math.abs(start / (TICK_ARRAY_SIZE * tickSpacing));
  const dynamic = ((forms >> (number % 8)) & 1) === 1;
  if (dynamic) return encodeDynamicTickArray({ whirlpool, start, ticks: ticks ?? [] }, tickSpacing);
  return ticks === undefined ? null : encodeTickArray({ whirlpool, start, ticks }, tickSpacing);
}
