/** Each power of two has 16 buckets, so a bucket is at most 1/16 as wide as its smallest value. */
const SUB_BITS = 4;
const SUBS = 1 << SUB_BITS;
const LARGEST = 0xffff_ffff;

/** The bucket of a time in whole microseconds. Times below 32 µs have a bucket each; beyond 71 minutes all have one. */
export function bucketOf(microseconds: number): number {
  const value = Math.min(Math.max(Math.trunc(microseconds), 0), LARGEST);
  if (value < SUBS) return value;
  const shift = 31 - Math.clz32(value) - SUB_BITS;
  return (shift + 1) * SUBS + ((value >>> shift) & (SUBS - 1));
}

/** The middle of a bucket's times, in microseconds. No time of the bucket is further from it than 1/32 of itself. */
export function middleOf(bucket: number): number {
  if (bucket < SUBS) return bucket;
  const shift = Math.floor(bucket / SUBS) - 1;
  const first = (SUBS + (bucket % SUBS)) * 2 ** shift;
  return first + (2 ** shift - 1) / 2;
}

/**
 * The time below or at which the share `quantile` of all lies, to within 1/32 of itself; null when there are none.
 * @param counts by bucket; histograms are merged by adding them
 */
export function quantileOf(counts: ReadonlyMap<number, number>, quantile: number): number | null {
  const buckets = [...counts].sort(([one], [other]) => one - other);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  const rank = Math.max(Math.ceil(total * quantile), 1);
  let seen = 0;
  for (const [bucket, count] of buckets) {
    seen += count;
    if (seen >= rank) return middleOf(bucket);
  }
  return null;
}
