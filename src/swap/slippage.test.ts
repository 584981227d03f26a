import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { automaticSlippage } from './slippage.ts';

describe('automaticSlippage', () => {
  it.each([
    [0, 1, 20],
    [0, 3, 30],
    [0.001, 1, 30],
    [0.00101, 1, 31],
    [0.01, 2, 125],
    [0.5, 1, 300],
  ])('gives for an impact of %d over %d pools %d basis points', (priceImpact, pools, expected) => {
    expect(automaticSlippage({ priceImpact, pools })).toBe(expected);
  });

  it('rises with impact and pools and stays within its bounds', () => {
    const grounds = fc.tuple(
      fc.double({ min: -0.1, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      fc.integer({ min: 1, max: 15 }),
    );
    fc.assert(
      fc.property(grounds, ([priceImpact, more, pools]) => {
        const slippage = automaticSlippage({ priceImpact, pools });
        expect(slippage).toBeGreaterThanOrEqual(20);
        expect(slippage).toBeLessThanOrEqual(300);
        const larger = automaticSlippage({ priceImpact: priceImpact + more, pools: pools + 1 });
        expect(larger).toBeGreaterThanOrEqual(slippage);
      }),
      { seed: 30 },
    );
  });
});
