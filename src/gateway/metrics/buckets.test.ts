import { describe, expect, it } from 'vitest';
import { createBucketHistogram } from './buckets.ts';

describe('createBucketHistogram', () => {
  it('includes in each bucket the counts of the smaller ones, for each combination of labels', () => {
    const histogram = createBucketHistogram(options);
    const observe = histogram.bind({ route: '/a' });
    for (const value of [0.05, 0.1, 0.5, 2]) observe(value);
    histogram.observe(3, { route: 'say "b"\\' });
    expect(histogram.text().split('\n')).toEqual([
      '# HELP sluice_test_seconds A time.\\nOf tests.',
      '# TYPE sluice_test_seconds histogram',
      'sluice_test_seconds_bucket{le="0.1",route="/a"} 2',
      'sluice_test_seconds_bucket{le="1",route="/a"} 3',
      'sluice_test_seconds_bucket{le="+Inf",route="/a"} 4',
      'sluice_test_seconds_sum{route="/a"} 2.65',
      'sluice_test_seconds_count{route="/a"} 4',
      'sluice_test_seconds_bucket{le="0.1",route="say \\"b\\"\\\\"} 0',
      'sluice_test_seconds_bucket{le="1",route="say \\"b\\"\\\\"} 0',
      'sluice_test_seconds_bucket{le="+Inf",route="say \\"b\\"\\\\"} 1',
      'sluice_test_seconds_sum{route="say \\"b\\"\\\\"} 3',
      'sluice_test_seconds_count{route="say \\"b\\"\\\\"} 1',
      '',
    ]);
  });

  it('is written before anything is observed if it has no labels, and accepts finite numbers only', () => {
    const histogram = createBucketHistogram({ ...options, labelNames: [] });
    expect(histogram.text()).toContain('sluice_test_seconds_count 0\n');
    expect(() => histogram.observe(Number.NaN)).toThrow('NaN');
    expect(histogram.text()).toContain('sluice_test_seconds_sum 0\n');
  });
});

const options = {
  name: 'sluice_test_seconds',
  help: 'A time.\nOf tests.',
  buckets: [0.1, 1],
  labelNames: ['route'],
};
