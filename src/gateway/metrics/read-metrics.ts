import type { Metric, MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client';
import type { BucketHistogram } from './buckets.ts';
import { isLagMetric, watchEventLoopLag } from './event-loop-lag.ts';
import type { MetricValue } from './metric-value.ts';

/** Reads some metrics, by the full names of their series. */
export interface MetricReader {
  /** Whether a metric is registered, with or without series. */
  readonly hasMetric: (metric: string) => boolean;
  /** Reads the present values of some metrics. Nothing else is collected. */
  readonly read: (metrics: ReadonlySet<string>) => Promise<readonly MetricValue[]>;
}

const HISTOGRAM_PART = /_(?:bucket|sum|count)$/;

/**
 * @param registry - What holds all metrics but the histograms.
 * @param histograms - By name.
 */
export function createMetricReader(
  registry: Registry,
  histograms: ReadonlyMap<string, BucketHistogram>,
): MetricReader {
  const find = (metric: string) => {
    const base = metric.replace(HISTOGRAM_PART, '');
    return registry.getSingleMetric(metric) ?? histograms.get(base) ?? registry.getSingleMetric(base);
  };
  // Measured from the first reading on, so that nothing is measured where nobody reads it.
  let readLag: ReturnType<typeof watchEventLoopLag> | null = null;
  return {
    hasMetric: (metric) => find(metric) !== undefined,
    read: async (metrics) => {
      const ofLag = [...metrics].filter(isLagMetric);
      const sources = new Set(
        [...metrics].filter((metric) => !isLagMetric(metric)).flatMap((metric) => find(metric) ?? []),
      );
      const values = await Promise.all([...sources].map(readSource));
      if (ofLag.length > 0) readLag ??= watchEventLoopLag();
      const lags = readLag?.(ofLag) ?? [];
      return [
        ...values.flat().filter(({ metric }) => metrics.has(metric)),
        ...ofLag.map((metric, place) => ({ metric, labels: {}, value: lags[place] ?? Number.NaN })),
      ];
    },
  };
}

async function readSource(source: BucketHistogram | Metric): Promise<readonly MetricValue[]> {
  if (!('get' in source)) return source.values();
  const { name, values }: MetricObjectWithValues<MetricValueWithName<string>> = await source.get();
  return values.map(({ metricName, labels, value }) => ({
    metric: metricName ?? name,
    labels: Object.fromEntries(Object.entries(labels).map(([label, text]) => [label, String(text)])),
    value,
  }));
}
