import { TICK_ARRAY_SIZE } from '../../protocols/whirlpool/program/program.ts';
import {
  encodeDynamicTickArray,
  encodeTickArray,
  type Tick,
} from '../../protocols/whirlpool/program/tick-array.ts';
import type { Address } from '../../solana/address.ts';
import type { PoolCase } from './cases.ts';

/** The data of a pool's array in the form that the case gives it; null for one that was never created. */
export function encodeArrayData(
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
