import { FIXED_SLIPPAGE, type Replayed, replaySlippage } from '../src/testing/slippage-replay.ts';
import type { Row } from './row.ts';

export const title = 'Slippage';

const SEED = 1;

/** Swaps over a market that is usually calm and sometimes volatile. They land two to twelve slots after the quote. */
export async function run(): Promise<readonly Row[]> {
  const { estimated, fixed } = replaySlippage(SEED);
  return [
    {
      what: 'swaps that fail, and the median slippage they are allowed: estimated against fixed',
      measured: shown(estimated),
      against: shown(fixed),
      atLeast: 'fewer, at a lower median',
      ok: estimated.failureRate < fixed.failureRate && estimated.medianSlippage < FIXED_SLIPPAGE,
    },
  ];
}

function shown({ failureRate, medianSlippage }: Replayed): string {
  return `${(failureRate * 100).toFixed(2)} % at ${medianSlippage} bps`;
}
