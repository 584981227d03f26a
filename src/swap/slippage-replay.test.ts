import { describe, expect, it } from 'vitest';
import { PriceProcess } from '../../test/price-process.ts';
import { automaticSlippage } from './slippage.ts';

const SWAPS = 20_000;
const FIXED = 50;
/** The market is calm most of the time; deviations are of the log price, per slot. */
const CALM = 0.0001;
const WILD = 0.0015;

interface Outcome {
  failures: number;
  readonly slippages: number[];
}

/** Swaps at the price of one slot and landed two to twelve slots later, over a market of calm and wild stretches. */
function replay(seed: number): { readonly estimated: Outcome; readonly fixed: Outcome } {
  const process = new PriceProcess(seed);
  const estimated: Outcome = { failures: 0, slippages: [] };
  const fixed: Outcome = { failures: 0, slippages: [] };
  let deviation = CALM;
  for (let slot = 0; slot < 1_000; slot++) process.step(deviation);
  for (let swap = 0; swap < SWAPS; swap++) {
    if (process.uniform() < 0.01) deviation = process.uniform() < 0.7 ? CALM : WILD;
    const quoted = process.logPrice;
    const slippage = automaticSlippage({ priceImpact: 0, pools: 1, variancePerSlot: process.variance });
    const landing = 2 + Math.floor(process.uniform() * 11);
    for (let slot = 0; slot < landing; slot++) process.step(deviation);
    const lostBps = (1 - Math.exp(process.logPrice - quoted)) * 10_000;
    for (const [outcome, allowed] of [
      [estimated, slippage],
      [fixed, FIXED],
    ] as const) {
      outcome.slippages.push(allowed);
      if (lostBps > allowed) outcome.failures++;
    }
  }
  return { estimated, fixed };
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;
}

describe('the slippage estimator, replayed', () => {
  it.each([1, 2, 3])('fails less often than a fixed 50 basis points, at a lower median (seed %i)', (seed) => {
    const { estimated, fixed } = replay(seed);
    const rate = ({ failures }: Outcome) => `${((failures / SWAPS) * 100).toFixed(2)} %`;
    const summary = `estimated ${rate(estimated)} at ${median(estimated.slippages)}, fixed ${rate(fixed)} at ${FIXED}`;
    expect(estimated.failures * 3, summary).toBeLessThan(fixed.failures);
    expect(median(estimated.slippages), summary).toBeLessThan(FIXED);
  });
});
