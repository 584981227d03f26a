import { computeQuantile } from './log/latency-buckets.ts';

/** Latency of the admitted requests in microseconds, to within 1/32; null when there were none. */
export interface Latency {
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

export interface Traffic {
  readonly requests: number;
  readonly clientErrors: number;
  readonly serverErrors: number;
  readonly credits: number;
}

/** The totals of a range. */
export interface TrafficTotal extends Traffic {
  /** Client and server errors divided by requests; null when there were no requests. */
  readonly errorShare: number | null;
  readonly latency: Latency;
}

/**
 * Returns the totals of a range.
 * @param rows - One row with the sums.
 */
export function toTrafficTotal(
  rows: readonly (readonly unknown[])[],
  histogram?: LatencyHistogram,
): TrafficTotal {
  const traffic = toTraffic(rows[0] ?? [], 0);
  const { requests, clientErrors, serverErrors } = traffic;
  return {
    ...traffic,
    errorShare: requests === 0 ? null : (clientErrors + serverErrors) / requests,
    latency: computeLatency(histogram),
  };
}

/**
 * Reads the sums of a row.
 * @param from - Index of the first sum in the row.
 */
export function toTraffic(row: readonly unknown[], from: number): Traffic {
  const [requests, clientErrors, serverErrors, credits] = row
    .slice(from, from + 4)
    .map((value) => Number(value ?? 0));
  return {
    requests: requests ?? 0,
    clientErrors: clientErrors ?? 0,
    serverErrors: serverErrors ?? 0,
    credits: credits ?? 0,
  };
}

/** Requests by latency bucket. */
type LatencyHistogram = ReadonlyMap<number, number>;

/**
 * Returns the counts of latency buckets for each subject.
 * @param rows - Each with its subject, a latency bucket, and a count.
 */
export function toHistograms(rows: readonly (readonly unknown[])[]): ReadonlyMap<string, LatencyHistogram> {
  const histograms = new Map<string, Map<number, number>>();
  for (const [of, bucket, requests] of rows) {
    const histogram = histograms.get(String(of)) ?? new Map<number, number>();
    histogram.set(Number(bucket), Number(requests));
    histograms.set(String(of), histogram);
  }
  return histograms;
}

/** Adds histograms up. */
export function mergeHistograms(histograms: Iterable<LatencyHistogram>): LatencyHistogram {
  const sums = new Map<number, number>();
  for (const histogram of histograms) {
    for (const [bucket, requests] of histogram) sums.set(bucket, (sums.get(bucket) ?? 0) + requests);
  }
  return sums;
}

/** Computes percentiles from a histogram. */
export function computeLatency(histogram: LatencyHistogram = new Map()): Latency {
  return {
    p50: computeQuantile(histogram, 0.5),
    p90: computeQuantile(histogram, 0.9),
    p95: computeQuantile(histogram, 0.95),
    p99: computeQuantile(histogram, 0.99),
  };
}
