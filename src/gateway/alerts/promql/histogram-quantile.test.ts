import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { estimateQuantile } from './histogram-quantile.ts';

describe('estimateQuantile', () => {
  it('spreads the observations of a bucket evenly', () => {
    expect(estimateQuantile(0.5, toBuckets([0.1, 10], [1, 30], [Infinity, 40]))).toBeCloseTo(
      0.1 + 0.9 * 0.5,
      10,
    );
    expect(estimateQuantile(0.1, toBuckets([0.1, 10], [Infinity, 40]))).toBeCloseTo(0.04, 10);
  });

  it('says the highest bound that it knows of what lies above all', () => {
    expect(estimateQuantile(0.99, toBuckets([1, 5], [2, 6], [Infinity, 10]))).toBe(2);
  });

  it.each([
    ['there is no observation', 0.5, toBuckets([1, 0], [Infinity, 0])],
    ['the infinite bucket is missing', 0.5, toBuckets([1, 4], [2, 5])],
    ['it is the only one', 0.5, toBuckets([Infinity, 5])],
    ['there is none', 0.5, []],
    ['the quantile is no number', Number.NaN, toBuckets([1, 4], [Infinity, 5])],
  ])('says nothing when %s', (_, quantile, buckets) => {
    expect(estimateQuantile(quantile, buckets)).toBeNaN();
  });

  it('does not depend on the order of the buckets, and lies between their bounds', () => {
    const buckets = fc
      .array(fc.record({ bound: fc.integer({ min: 1, max: 50 }), count: fc.nat(1_000) }), {
        minLength: 1,
        maxLength: 8,
      })
      .map((some) => [...some, { bound: Number.POSITIVE_INFINITY, count: 1_000_000 }]);
    assertProperty(
      fc.property(buckets, fc.double({ min: 0, max: 1, noNaN: true }), (some, quantile) => {
        const value = estimateQuantile(quantile, some);
        expect(estimateQuantile(quantile, some.toReversed())).toBe(value);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(50);
      }),
      { cases: 1_000, seed: 4_604 },
    );
  });
});

const toBuckets = (...pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([bound, count]) => ({ bound, count }));
