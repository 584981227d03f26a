import type { Address } from '../../solana/address.ts';
import type { SaberPool } from './pool.ts';

/** Newton's method converges from the sum of both balances to D in fewer steps than these. */
const STEPS = 64;

/**
 * The same curve in floating point, at the final amplification.
 *
 * With P = D³ / 4xy and w = P / 2A, the invariant before and after gives a quadratic equation for the output δ of an
 * input Δ: δ² − (Δ + y + w) δ + Δy (1 + w / (x + Δ)) = 0. Its smaller root loses no digits for small inputs.
 */
export function estimate(pool: SaberPool, inputMint: Address, amount: number): number {
  const input = inputMint === pool.mints[0] ? 0 : 1;
  const output = input === 0 ? 1 : 0;
  if (!pool.adminReceives[output]) return 0;
  const [x, y] = [Number(pool.balances[input]), Number(pool.balances[output])];
  const sum = amount + y + pool.weight;
  const product = amount * y * (1 + pool.weight / (x + amount));
  const out = (2 * product) / (sum + Math.sqrt(Math.max(0, sum * sum - 4 * product)));
  const { numerator, denominator } = pool.fees.trade;
  const paid = out * (1 - Number(numerator) / Number(denominator));
  // Not a number where the amplification or the denominator is 0, with which the program refuses.
  return Number.isNaN(paid) ? 0 : Math.max(0, paid);
}

/** D³ / 4xy / 2A, which is the same for both directions. Computed once per state. */
export function computeCurveWeight(a: number, x: number, y: number): number {
  const [sum, factor] = [x + y, 2 * a];
  let d = sum;
  for (let step = 0; step < STEPS; step++) {
    const product = (d / (2 * x)) * (d / (2 * y)) * d;
    const next = (d * (2 * product + sum * factor)) / (d * (factor - 1) + 3 * product);
    const settled = Math.abs(next - d) < 1e-12 * d;
    d = next;
    if (settled) break;
  }
  return ((d / (2 * x)) * (d / (2 * y)) * d) / factor;
}
