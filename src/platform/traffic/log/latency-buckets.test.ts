import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { toLatencyBucket, getBucketMiddle, computeQuantile } from './latency-buckets.ts';

describe('latency buckets', () => {
  it('represent a time to within 1/32, and keep the order of times', () => {
    assertProperty(
      fc.property(time, time, (one, other) => {
        expect(Math.abs(getBucketMiddle(toLatencyBucket(one)) - one)).toBeLessThanOrEqual(one / 32);
        if (one <= other) expect(toLatencyBucket(one)).toBeLessThanOrEqual(toLatencyBucket(other));
      }),
      { cases: 5_000, seed: SEED },
    );
  });

  it('are contiguous at every power of two', () => {
    for (let power = 0; power < 32; power++) {
      const value = 2 ** power;
      expect(toLatencyBucket(value) - toLatencyBucket(value - 1)).toBe(1);
    }
  });

  it('give quantiles to within 1/32 of the exact ones', () => {
    assertProperty(
      fc.property(
        fc.array(time, { minLength: 1, maxLength: 200 }),
        fc.constantFrom(0, 0.5, 0.9, 0.99, 1),
        (times, quantile) => {
          const sorted = [...times].sort((one, other) => one - other);
          const exact = sorted[Math.max(Math.ceil(times.length * quantile), 1) - 1] ?? Number.NaN;
          const told = computeQuantile(counted(times), quantile) ?? Number.NaN;
          expect(Math.abs(told - exact)).toBeLessThanOrEqual(exact / 32);
        },
      ),
      { cases: 500, seed: SEED },
    );
  });

  it('give no quantile without times, and map impossible times to the nearest possible one', () => {
    expect(computeQuantile(new Map(), 0.5)).toBeNull();
    expect(toLatencyBucket(-5)).toBe(0);
    expect(toLatencyBucket(2 ** 40)).toBe(toLatencyBucket(0xffff_ffff));
  });
});

const SEED = 20_261_121;
const time = fc.oneof(
  fc.nat({ max: 100 }),
  fc.nat({ max: 1_000_000 }),
  fc.integer({ min: 0, max: 0xffff_ffff }),
);

function counted(times: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const one of times) counts.set(toLatencyBucket(one), (counts.get(toLatencyBucket(one)) ?? 0) + 1);
  return counts;
}
