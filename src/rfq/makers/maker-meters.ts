import type { Counter, Histogram, Metrics } from '../../common/ports/metrics.ts';

/** What is counted of makers as it happens, of both kinds: those with streams and those with webhooks. */
export interface MakerMeters {
  /** Observes the seconds that a maker took for a swap, with the label `maker`. */
  readonly lastLook: Histogram;
  /** Counts what makers were asked or sent, with the labels `maker`, `call` and `outcome`. */
  readonly calls: Counter;
}

/** Bucket bounds in seconds, up to the deadline of a stream. */
const LAST_LOOK_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Registers what is counted of makers as it happens. */
export function createMakerMeters(metrics: Pick<Metrics, 'histogram' | 'counter'>): MakerMeters {
  return {
    lastLook: metrics.histogram(
      'sluice_rfq_last_look_seconds',
      'Seconds from the push of a swap until its maker had signed it, or until its webhook had answered.',
      LAST_LOOK_BUCKETS,
      ['maker'],
    ),
    calls: metrics.counter(
      'sluice_rfq_calls_total',
      'Quotes and swaps that makers were asked for, by how they answered.',
      ['maker', 'call', 'outcome'],
    ),
  };
}
