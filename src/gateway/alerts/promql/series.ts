import type { Labels } from '../../../common/ports/metrics.ts';

/** A series with one value. */
export interface SeriesValue {
  readonly labels: Labels;
  readonly value: number;
}

/** What an expression is at a time: a number, or a value for each series. */
export type ExpressionValue = number | readonly SeriesValue[];

/** The samples of a series over some time, the oldest first. */
export interface SeriesSamples {
  readonly labels: Labels;
  /** Unix milliseconds, ascending. */
  readonly times: readonly number[];
  /** One for each time. */
  readonly values: readonly number[];
}

/** Where an expression reads the series of metrics. */
export interface SeriesSource {
  /** Returns the value of each series of a metric that was there at a time; a series that ended is left out. */
  readonly listLatest: (metric: string, at: number) => readonly SeriesValue[];
  /** Returns the samples after `from` until `to`, of each series that has any. */
  readonly listSamples: (metric: string, from: number, to: number) => readonly SeriesSamples[];
}
