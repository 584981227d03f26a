import { describe, expect, it } from 'vitest';
import { type BudgetShares, computeShares, formatShare } from './budget-share.ts';

const HUGE = 10n ** 30n;

describe('computeShares', () => {
  it.each<[Parameters<typeof computeShares>[0], BudgetShares]>([
    [
      { spent: 25n, held: 10n, limit: 100n },
      { spent: 0.15, held: 0.1, left: 0.75 },
    ],
    [
      { spent: HUGE / 2n, held: null, limit: HUGE },
      { spent: 0.5, held: 0, left: 0.5 },
    ],
    [
      { spent: null, held: null, limit: 100n },
      { spent: 0, held: 0, left: 1 },
    ],
    [
      { spent: 300n, held: 500n, limit: 100n },
      { spent: 0, held: 1, left: 0 },
    ],
    [
      { spent: 0n, held: 0n, limit: 0n },
      { spent: 0, held: 1, left: 0 },
    ],
  ])('divides the bar of %o', (budget, shares) => {
    for (const [name, share] of Object.entries(computeShares(budget)))
      expect(share, name).toBeCloseTo(shares[name as keyof BudgetShares], 9);
  });
});

describe('formatShare', () => {
  it.each([
    [0n, 100n, '0.0 %'],
    [1n, HUGE, 'less than 0.1 %'],
    [HUGE - 1n, HUGE, '99.9 %'],
    [HUGE, HUGE, '100.0 %'],
    [1n, 0n, 'all'],
  ])('writes %d of %d as %s', (part, whole, text) => {
    expect(formatShare(part, whole)).toBe(text);
  });
});
