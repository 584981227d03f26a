import { U64_MAX } from '../../solana/units.ts';
import type { Amplification } from './layout.ts';

/**
 * Computes the invariant of two tokens, 2A(x + y) + D = 2AD + D³ / 4xy, by Newton's method in whole numbers, with every
 * rounding of the public program. Functions return null where the program's 64 or 192 bits overflow, or where it would
 * divide by 0.
 */

/** The program takes the last value after this many steps, even if it has not converged. */
const STEPS = 256;
const U192_END = 1n << 192n;
const U128_END = 1n << 128n;

/** The coefficient A at a Unix second. While it changes, it moves linearly with time. */
export function computeAmplificationAt(
  { initial, target, start, stop }: Amplification,
  now: bigint,
): bigint | null {
  if (now >= stop) return target;
  const [passed, duration] = [now - start, stop - start];
  if (passed < 0n || duration <= 0n) return null;
  const moved = ((target >= initial ? target - initial : initial - target) * passed) / duration;
  const value = target >= initial ? initial + moved : initial - moved;
  return value < 0n || value > U64_MAX ? null : value;
}

/** Computes D of two balances. */
export function computeInvariant(a: bigint, x: bigint, y: bigint): bigint | null {
  const sum = x + y;
  if (sum === 0n) return 0n;
  const factor = 2n * a;
  if (sum > U64_MAX || 2n * x > U64_MAX || 2n * y > U64_MAX || factor > U64_MAX) return null;
  if (x === 0n || y === 0n || factor === 0n) return null;
  let d = sum;
  for (let step = 0; step < STEPS; step++) {
    const previous = d;
    const product = (((d * d) / (2n * x)) * d) / (2n * y);
    const numerator = d * (2n * product + sum * factor);
    const denominator = d * (factor - 1n) + 3n * product;
    if (numerator >= U192_END || denominator >= U128_END || denominator === 0n) return null;
    d = numerator / denominator;
    if (isNear(d, previous)) break;
  }
  return d;
}

/** Computes the balance of one token for which, with `x` of the other, the invariant is `d`. */
export function computeBalance(a: bigint, x: bigint, d: bigint): bigint | null {
  const factor = 2n * a;
  if (x <= 0n || 2n * x > U64_MAX || factor === 0n || 2n * factor > U64_MAX) return null;
  const product = ((d * d) / (2n * x)) * d;
  if (product >= U192_END) return null;
  const c = product / (2n * factor);
  const b = d / factor + x;
  let y = d;
  for (let step = 0; step < STEPS; step++) {
    const previous = y;
    const numerator = y * y + c;
    const denominator = 2n * y + b - d;
    if (numerator >= U192_END || denominator <= 0n) return null;
    y = numerator / denominator;
    if (y >= U128_END) return null;
    if (isNear(y, previous)) break;
  }
  return y > U64_MAX ? null : y;
}

function isNear(one: bigint, other: bigint): boolean {
  const difference = one - other;
  return difference <= 1n && difference >= -1n;
}
