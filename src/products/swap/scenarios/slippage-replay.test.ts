import { describe, expect, it } from 'vitest';
import { FIXED_SLIPPAGE, replaySlippage } from '../../../testing/slippage-replay.ts';

describe('the slippage estimator, replayed', () => {
  it.each([1, 2, 3])('fails less often than a fixed slippage, at a lower median (seed %i)', (seed) => {
    const { estimated, fixed } = replaySlippage(seed);
    expect(estimated.failureRate * 3).toBeLessThan(fixed.failureRate);
    expect(estimated.medianSlippage).toBeLessThan(FIXED_SLIPPAGE);
  });
});
