import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

const NANOSECONDS = 1e9;
const VALUES: Readonly<Record<string, (lag: IntervalHistogram) => number>> = {
  nodejs_eventloop_lag_min_seconds: (lag) => lag.min,
  nodejs_eventloop_lag_max_seconds: (lag) => lag.max,
  nodejs_eventloop_lag_mean_seconds: (lag) => lag.mean,
  nodejs_eventloop_lag_stddev_seconds: (lag) => lag.stddev,
  nodejs_eventloop_lag_p50_seconds: (lag) => lag.percentile(50),
  nodejs_eventloop_lag_p90_seconds: (lag) => lag.percentile(90),
  nodejs_eventloop_lag_p99_seconds: (lag) => lag.percentile(99),
};

/** Whether a metric is about the lag of the event loop since the metrics were last read. */
export function isLagMetric(metric: string): boolean {
  return Object.hasOwn(VALUES, metric);
}

/**
 * Measures the lag of the event loop for one reader. Reading begins the measurement again, so that two readers of one
 * measurement would each see a part of the time only.
 * Returns a function that reads metrics of the lag since it was last called, in seconds.
 */
export function watchEventLoopLag(): (metrics: readonly string[]) => readonly number[] {
  const lag = monitorEventLoopDelay();
  lag.enable();
  return (metrics) => {
    const values = metrics.map((metric) => (VALUES[metric]?.(lag) ?? Number.NaN) / NANOSECONDS);
    lag.reset();
    return values;
  };
}
