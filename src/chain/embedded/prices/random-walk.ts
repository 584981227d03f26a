import { createHash } from 'node:crypto';
import { computeIntegerSquareRoot } from '../../../common/integer-square-root.ts';
import type { PriceWalk } from '../../../solana/programs/price-feed/walk.ts';

// All arithmetic is on integers, so that a walk takes the same steps on every machine.

const MILLION = 1_000_000n;
const SECONDS_PER_HOUR = 3_600n;
/** The number of uniform numbers whose sum is nearly normal. */
const UNIFORMS = 16;
const UNIFORM_RANGE = 65_536n;
/** Millionths of the standard deviation of the sum of 16 uniform numbers, which is the square root of 16/12. */
const SUM_DEVIATION = 1_154_701n;
/** The maximum change in one step, which is half of the price, so that the price never reaches zero. */
const MAX_CHANGE = 500_000n * MILLION;

/**
 * Computes the price after some steps of a walk.
 *
 * @param price - The price before, in the feed's unit.
 * @param walk - The walk, whose `steps` is the number of steps already taken.
 * @param count - The number of steps to take.
 * @returns The price after the steps, at least 1.
 */
export function computeWalkedPrice(price: bigint, walk: PriceWalk, count: number): bigint {
  const seconds = BigInt(walk.seconds);
  const drift = (BigInt(walk.drift) * MILLION * seconds) / SECONDS_PER_HOUR;
  // The deviation grows with the square root of time: in millionths of millionths for a step.
  const deviation =
    BigInt(walk.deviation) * computeIntegerSquareRoot((MILLION * MILLION * seconds) / SECONDS_PER_HOUR);
  let current = price;
  for (let taken = 0n; taken < count; taken++) {
    const shock = (deviation * normal(walk.seed, walk.steps + taken)) / MILLION;
    const change = clamp(drift + shock);
    current += (current * change) / (MILLION * MILLION);
    if (current < 1n) current = 1n;
  }
  return current;
}

/** Returns a normal random number with mean 0 and deviation 1, in millionths. It depends only on the seed and the step. */
function normal(seed: bigint, step: bigint): bigint {
  const bytes = createHash('sha256').update(`sluice price walk\0${seed}\0${step}`).digest();
  let sum = 0n;
  for (let at = 0; at < UNIFORMS; at++) sum += BigInt(bytes.readUInt16LE(2 * at));
  const centred = 2n * sum - BigInt(UNIFORMS) * (UNIFORM_RANGE - 1n);
  return (centred * MILLION * MILLION) / (2n * UNIFORM_RANGE * SUM_DEVIATION);
}

function clamp(change: bigint): bigint {
  if (change > MAX_CHANGE) return MAX_CHANGE;
  return change < -MAX_CHANGE ? -MAX_CHANGE : change;
}
