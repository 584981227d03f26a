import { describe, expect, it } from 'vitest';
import { describeStreamBreaker, nameDistance, nameLookBucket } from './conduct-text.ts';

const BUCKETS = [
  { upToMs: 10, answers: 5 },
  { upToMs: 1_000, answers: 4 },
  { upToMs: null, answers: 1 },
];

describe('nameLookBucket', () => {
  it('names the last one by the bound before it', () => {
    const names = BUCKETS.map((bucket, index) => nameLookBucket(bucket, BUCKETS[index - 1]));
    expect(names).toEqual(['≤ 10 ms', '≤ 1.0 s', '> 1.0 s']);
  });
});

describe('nameDistance', () => {
  it('names the distances between the bounds', () => {
    expect([nameDistance(0, null), nameDistance(1, 0), nameDistance(5, 1), nameDistance(null, 20)]).toEqual([
      'not behind',
      'up to 1 bps',
      '1 to 5 bps',
      'more than 20 bps',
    ]);
  });
});

describe('describeStreamBreaker', () => {
  const breaker = {
    state: 'closed',
    windowMs: 3_600_000,
    minimumSwaps: 10,
    thresholdPercent: 50,
    suspensionMs: 600_000,
    filled: 6,
    swaps: 8,
    missesLeft: 5,
    suspendedUntil: null,
  };

  it('says what counts and what would suspend a maker', () => {
    expect(describeStreamBreaker(breaker)).toBe(
      '6 of 8 swaps of the last 1 h were filled, which is 75%. A fill rate below 50% of at least 10 swaps suspends it.',
    );
  });

  it('says that it is off, that nothing ended, or that the maker is suspended', () => {
    expect(describeStreamBreaker({ ...breaker, state: 'off' })).toMatch(/^The breaker is off/);
    expect(describeStreamBreaker({ ...breaker, filled: 0, swaps: 0 })).toMatch(/^No swap ended/);
    expect(describeStreamBreaker({ ...breaker, state: 'suspended' })).toMatch(/^The maker is suspended,/);
  });
});
