import type { Labels } from '../../common/ports/metrics.ts';

/** The present value of a series. */
export interface MetricValue {
  /** The full name of the series: those of a histogram end with `_bucket`, `_sum` or `_count`. */
  readonly metric: string;
  /** With `le` for a bucket. */
  readonly labels: Labels;
  readonly value: number;
}
