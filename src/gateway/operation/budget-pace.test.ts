import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { computeLastsSeconds } from './budget-pace.ts';

describe('computeLastsSeconds', () => {
  it('divides what a wallet has by what it spends in a second', () => {
    // 36 lamports in an hour are one in a hundred seconds.
    expect(computeLastsSeconds(50n, [{ window: 'hour', spent: 36n }], NOON)).toBe(5_000n);
    // 432 lamports in the 43,200 seconds until noon are as much.
    expect(computeLastsSeconds(50n, [{ window: 'day', spent: 432n }], NOON)).toBe(5_000n);
    const both = [
      { window: 'hour', spent: 36n },
      { window: 'day', spent: 432n },
    ] as const;
    expect(computeLastsSeconds(50n, both, NOON)).toBe(2_500n);
  });

  it('is not known when nothing was spent, nor right after midnight', () => {
    expect(computeLastsSeconds(50n, [], NOON)).toBeNull();
    expect(computeLastsSeconds(50n, [{ window: 'day', spent: 0n }], NOON)).toBeNull();
    expect(computeLastsSeconds(50n, [{ window: 'day', spent: 5n }], MIDNIGHT + 599_999)).toBeNull();
    expect(computeLastsSeconds(50n, [{ window: 'day', spent: 5n }], MIDNIGHT + 600_000)).toBe(6_000n);
  });

  it('says of a wallet that pays by the hour how long it lasts at any time of the day', () => {
    expect(computeLastsSeconds(50n, [{ window: 'hour', spent: 36n }], MIDNIGHT)).toBe(5_000n);
  });

  it('is 0 for an empty wallet, and never below', () => {
    const times = fc.integer({ min: 600, max: 86_399 });
    assertProperty(
      fc.property(fc.bigInt(0n, 10n ** 18n), fc.bigInt(1n, 10n ** 15n), times, (lamports, spent, elapsed) => {
        const now = MIDNIGHT + elapsed * 1_000;
        const budgets = [{ window: 'day', spent }] as const;
        expect(computeLastsSeconds(lamports, budgets, now)).toBe((lamports * BigInt(elapsed)) / spent);
        expect(computeLastsSeconds(0n, budgets, now)).toBe(0n);
      }),
      { cases: 300, seed: 4_601 },
    );
  });
});

const MIDNIGHT = Date.UTC(2026, 5, 1);
const NOON = MIDNIGHT + 43_200_000;
