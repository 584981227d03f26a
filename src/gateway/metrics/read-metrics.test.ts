import { describe, expect, it } from 'vitest';
import { createPrometheus } from './prometheus.ts';

describe('the reader of metrics', () => {
  it('reads the metrics that are named, and collects no others', async () => {
    const { metrics, read } = open();
    const asked: string[] = [];
    metrics.gauge(
      'depth',
      'Depth.',
      () => {
        asked.push('depth');
        return [{ labels: { queue: 'a' }, value: 3 }];
      },
      ['queue'],
    );
    metrics.gauge('other', 'Other.', () => {
      asked.push('other');
      return 1;
    });
    metrics.counter('jobs_total', 'Jobs.', ['state']).add({ state: 'done' }, 2);
    expect(await read(new Set(['depth', 'jobs_total', 'missing']))).toEqual([
      { metric: 'depth', labels: { queue: 'a' }, value: 3 },
      { metric: 'jobs_total', labels: { state: 'done' }, value: 2 },
    ]);
    expect(asked).toEqual(['depth']);
  });

  it('reads the series of histograms as the page for Prometheus has them', async () => {
    const { metrics, read, page } = open();
    const seconds = metrics.histogram('job_seconds', 'Duration.', [0.5, 2], ['job']);
    for (const value of [0.1, 1, 9]) seconds.observe(value, { job: 'a' });
    const values = await read(new Set(['job_seconds_bucket', 'job_seconds_sum']));
    expect(values).toEqual([
      { metric: 'job_seconds_bucket', labels: { job: 'a', le: '0.5' }, value: 1 },
      { metric: 'job_seconds_bucket', labels: { job: 'a', le: '2' }, value: 2 },
      { metric: 'job_seconds_bucket', labels: { job: 'a', le: '+Inf' }, value: 3 },
      { metric: 'job_seconds_sum', labels: { job: 'a' }, value: 10.1 },
    ]);
    const text = await page();
    for (const { value, labels } of values.filter(({ labels }) => labels.le !== undefined))
      expect(text).toContain(`job_seconds_bucket{le="${labels.le}",job="a"} ${value}`);
  });

  it('knows which metrics there are, also those without series', () => {
    const { metrics, hasMetric } = open();
    metrics.counter('jobs_total', 'Jobs.', ['state']);
    metrics.histogram('job_seconds', 'Duration.', [1]);
    expect(['jobs_total', 'job_seconds_bucket', 'nodejs_eventloop_lag_p99_seconds'].map(hasMetric)).toEqual([
      true,
      true,
      true,
    ]);
    expect(hasMetric('jobs')).toBe(false);
  });

  it('leaves the lag of the event loop that Prometheus reads as it is', async () => {
    const { read } = open();
    const [first] = await read(new Set(['nodejs_eventloop_lag_p99_seconds']));
    expect(first).toMatchObject({ metric: 'nodejs_eventloop_lag_p99_seconds', labels: {} });
    expect(first?.value).toBeGreaterThanOrEqual(0);
    expect(await read(new Set(['nodejs_eventloop_lag_max_seconds']))).toHaveLength(1);
  });

  it('reads the metrics of the process', async () => {
    const [memory] = await open().read(new Set(['process_resident_memory_bytes']));
    expect(memory?.value).toBeGreaterThan(0);
  });

  it('leaves out a gauge that fails', async () => {
    const defects: unknown[] = [];
    const { metrics, read } = createPrometheus((error) => defects.push(error));
    metrics.gauge(
      'broken',
      'Broken.',
      () => {
        throw new Error('no');
      },
      ['a'],
    );
    expect(await read(new Set(['broken']))).toEqual([]);
    expect(defects).toHaveLength(1);
  });
});

const open = () =>
  createPrometheus((error) => {
    throw error;
  });
