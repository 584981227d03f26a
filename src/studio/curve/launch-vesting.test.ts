import { describe, expect, it } from 'vitest';
import type { LaunchVestingPlan } from './launch-plan.ts';
import { toLockedTokens } from './launch-vesting.ts';

const NONE: LaunchVestingPlan = {
  total: 0,
  cliffUnlock: 0,
  numberOfPeriods: 0,
  totalDuration: 0,
  cliffDuration: 0,
};
const MONTHLY: LaunchVestingPlan = {
  ...NONE,
  total: 1_200,
  cliffUnlock: 200,
  numberOfPeriods: 12,
  totalDuration: 31_536_000,
};

describe('toLockedTokens', () => {
  it('returns null if none are locked', () => {
    expect(toLockedTokens(NONE)).toBeNull();
  });

  it('counts atoms', () => {
    expect(toLockedTokens(MONTHLY)).toEqual({
      total: 1_200_000_000n,
      cliffUnlock: 200_000_000n,
      numberOfPeriods: 12n,
      totalDuration: 31_536_000n,
      cliffDuration: 0n,
    });
  });

  it.each<[string, LaunchVestingPlan, string]>([
    ['more than four fifths of the supply', { ...MONTHLY, total: 800_000_001 }, 'totalLockedVestingAmount'],
    ['parts of tokens', { ...MONTHLY, total: 1_200.5 }, 'totalLockedVestingAmount'],
    ['less than nothing', { ...MONTHLY, total: -1 }, 'totalLockedVestingAmount'],
    ['more after the cliff than all', { ...MONTHLY, cliffUnlock: 1_201 }, 'cliffUnlockAmount'],
    ['no periods for the rest', { ...MONTHLY, numberOfPeriods: 0 }, 'numberOfVestingPeriod'],
    ['no time for the rest', { ...MONTHLY, totalDuration: 0 }, 'totalVestingDuration'],
    ['less than a token for a period', { ...MONTHLY, total: 211 }, 'totalLockedVestingAmount'],
    ['periods without tokens', { ...NONE, numberOfPeriods: 6 }, 'numberOfVestingPeriod'],
    ['a cliff without tokens', { ...NONE, cliffDuration: 15_552_000 }, 'cliffDurationFromMigrationTime'],
    [
      'a time in which nothing is left to unlock',
      { ...MONTHLY, cliffUnlock: 1_200, numberOfPeriods: 0 },
      'totalVestingDuration',
    ],
  ])('refuses %s', (_, plan, field) => {
    expect(() => toLockedTokens(plan)).toThrow(
      expect.objectContaining({ field: `buildCurveByMarketCapParam.lockedVestingParam.${field}` }),
    );
  });
});
