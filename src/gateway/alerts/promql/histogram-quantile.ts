/** A cumulative bucket of a histogram. */
export interface HistogramBucket {
  /** The upper bound; the last one is infinite. */
  readonly bound: number;
  /** Observations up to the bound. */
  readonly count: number;
}

/**
 * Estimates a quantile from the buckets of a histogram, with observations spread evenly inside each, as Prometheus does.
 *
 * Source: `bucketQuantile` in promql/quantile.go of Prometheus.
 *
 * @param quantile - From 0 to 1.
 * @param unsorted - The buckets in any order.
 * @returns the estimate; the highest finite bound if the quantile lies above it, and NaN if nothing can be said
 */
export function estimateQuantile(quantile: number, unsorted: readonly HistogramBucket[]): number {
  if (Number.isNaN(quantile)) return Number.NaN;
  if (quantile < 0) return Number.NEGATIVE_INFINITY;
  if (quantile > 1) return Number.POSITIVE_INFINITY;
  const buckets = raiseCounts(joinEqualBounds(unsorted.toSorted((a, b) => a.bound - b.bound)));
  const top = buckets.at(-1);
  if (top?.bound !== Number.POSITIVE_INFINITY || buckets.length < 2) return Number.NaN;
  if (top.count === 0 || Number.isNaN(top.count)) return Number.NaN;
  const rank = quantile * top.count;
  const place = buckets.slice(0, -1).findIndex(({ count }) => count >= rank);
  if (place === -1) return buckets.at(-2)?.bound ?? Number.NaN;
  const { bound, count } = buckets[place] ?? top;
  if (place === 0 && bound <= 0) return bound;
  const below = buckets[place - 1] ?? { bound: 0, count: 0 };
  return below.bound + (bound - below.bound) * ((rank - below.count) / (count - below.count));
}

function joinEqualBounds(sorted: readonly HistogramBucket[]): HistogramBucket[] {
  const joined: HistogramBucket[] = [];
  for (const bucket of sorted) {
    const last = joined.at(-1);
    if (last?.bound === bucket.bound)
      joined[joined.length - 1] = { bound: bucket.bound, count: last.count + bucket.count };
    else joined.push(bucket);
  }
  return joined;
}

/** A cumulative count is never below the one before, except by errors of rounding. */
function raiseCounts(buckets: readonly HistogramBucket[]): HistogramBucket[] {
  let most = 0;
  return buckets.map(({ bound, count }) => {
    most = Math.max(most, count);
    return { bound, count: Number.isNaN(count) ? count : most };
  });
}
