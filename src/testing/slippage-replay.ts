import { computeAutomaticSlippage } from '../swaps/build/slippage.ts';
import { SimulatedPrice } from './price-process.ts';

const SWAPS = 20_000;
/** What the estimator is measured against, in basis points. */
export const FIXED_SLIPPAGE = 50;
/** The market is calm most of the time; deviations are of the log price, per slot. */
const CALM = 0.0001;
const WILD = 0.0015;

export interface Replayed {
  /** Share of the swaps that would have failed. */
  readonly failureRate: number;
  /** In basis points. */
  readonly medianSlippage: number;
}

interface ReplayOutcome {
  failures: number;
  readonly slippages: number[];
}

/** Swaps at the price of one slot and landed two to twelve slots later, over a market of calm and wild stretches. */
export function replaySlippage(seed: number): { readonly estimated: Replayed; readonly fixed: Replayed } {
  const process = new SimulatedPrice(seed);
  const estimated: ReplayOutcome = { failures: 0, slippages: [] };
  const fixed: ReplayOutcome = { failures: 0, slippages: [] };
  let deviation = CALM;
  for (let slot = 0; slot < 1_000; slot++) process.step(deviation);
  for (let swap = 0; swap < SWAPS; swap++) {
    if (process.uniform() < 0.01) deviation = process.uniform() < 0.7 ? CALM : WILD;
    const quoted = process.logPrice;
    const slippage = computeAutomaticSlippage({
      priceImpact: 0,
      pools: 1,
      variancePerSlot: process.variance,
    });
    const landing = 2 + Math.floor(process.uniform() * 11);
    for (let slot = 0; slot < landing; slot++) process.step(deviation);
    const lostBps = (1 - Math.exp(process.logPrice - quoted)) * 10_000;
    for (const [outcome, allowed] of [
      [estimated, slippage],
      [fixed, FIXED_SLIPPAGE],
    ] as const) {
      outcome.slippages.push(allowed);
      if (lostBps > allowed) outcome.failures++;
    }
  }
  process.close();
  return { estimated: summarizeReplay(estimated), fixed: summarizeReplay(fixed) };
}

function summarizeReplay({ failures, slippages }: ReplayOutcome): Replayed {
  const sorted = slippages.sort((one, other) => one - other);
  return { failureRate: failures / SWAPS, medianSlippage: sorted[sorted.length >> 1] ?? Number.NaN };
}
