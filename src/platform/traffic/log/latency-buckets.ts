/** Each power of two has 16 buckets, so a bucket is at most 1/16 as wide as its smallest value. */
const SUB_BITS = 4;
const SUBS = 1 << SUB_BITS;
const LARGEST = 0xffff_ffff;

/**
 * Returns the bucket of a time in whole microseconds. Each time below 32 µs has its own bucket; all times beyond 71
 * minutes share the last one.
 */
export function toLatencyBucket(microseconds: number): number {
  const value = Math.min(Math.max(Math.trunc(microseconds), 0), LARGEST);
  if (value < SUBS) return value;
  const shift = 31 - Math.clz32(value) - SUB_BITS;
  return (shift + 1) * SUBS + ((value >>> shift) & (SUBS - 1));
}

/**
 * Returns the middle of a bucket in microseconds, which differs from each time of the bucket by at most 1/32 of that
 * time.
 */
export function getBucketMiddle(bucket: number): number {
  if (bucket < SUBS) return bucket;
  const shift = Math.floor(bucket / SUBS) - 1;
  const first = (SUBS + (bucket % SUBS)) * 2 ** shift;
  return first + (2 ** shift - 1) / 2;
}

/**
 * @param counts - The counts by bucket; histograms are merged by adding their counts.
 * @returns the time that at least the share `quantile` of all times does not exceed, to within 1/32; null without
 *   times
 */
export function computeQuantile(counts: ReadonlyMap<number, number>, quantile: number): number | null {
  const buckets = [...counts].sort(([one], [other]) => one - other);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  const rank = Math.max(Math.ceil(total * quantile), 1);
  let seen = 0;
  for (const [bucket, count] of buckets) {
    seen += count;
    if (seen >= rank) return getBucketMiddle(bucket);
  }
  return null;
}
