/** How many days a range of what a maker did has if its beginning is not given. */
export const DEFAULT_RANGE_DAYS = 7;

/** How many days of a maker's statistics can be asked for: one question reads all rows of its range. */
export const MAX_STATISTICS_DAYS = 31;

interface MillisecondRange {
  /** Unix milliseconds; `until` is not part of the range. */
  readonly since: number;
  readonly until: number;
}

/**
 * Leaves out what was before a maker was registered, because another one may have had the same id. A range that ends before is empty.
 *
 * @param createdAt - When the maker was registered, in Unix milliseconds.
 */
export function capRangeByRegistration(
  { since, until }: MillisecondRange,
  createdAt: number,
): MillisecondRange {
  return { since: Math.min(Math.max(since, createdAt), until), until };
}
