import type { Histogram, Labels } from '../../common/ports/metrics.ts';
import { ByLabels } from './by-labels.ts';

export interface HistogramOptions {
  readonly name: string;
  readonly help: string;
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
  readonly labelNames: readonly string[];
}

/** What was observed under one combination of labels. */
interface Observed {
  readonly labels: Labels;
  /** By the first bucket that a value is within; the last is of those beyond all. */
  readonly counts: Float64Array;
  sum: number;
}

/** A histogram, and what Prometheus reads of it. */
export interface BucketHistogram extends Histogram {
  /** In its text format 0.0.4. */
  readonly text: () => string;
}

/** Counts in buckets without a look-up for labels that are bound, which every answered request is counted by. */
export function bucketHistogram({ name, help, buckets, labelNames }: HistogramOptions): BucketHistogram {
  const observed = new ByLabels<Observed>(labelNames, (labels) => ({
    labels,
    counts: new Float64Array(buckets.length + 1),
    sum: 0,
  }));
  if (labelNames.length === 0) observed.of({});
  const add = (to: Observed, value: number) => {
    if (!Number.isFinite(value)) throw new TypeError(`${name} is given ${value}, which is no finite number`);
    let place = 0;
    for (const bound of buckets) {
      if (value <= bound) break;
      place++;
    }
    to.counts[place] = (to.counts[place] ?? 0) + 1;
    to.sum += value;
  };
  return {
    observe: (value, labels = {}) => add(observed.of(labels), value),
    bind: (labels) => {
      const to = observed.of(labels);
      return (value) => add(to, value);
    },
    text: () => {
      const lines = [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} histogram`];
      for (const one of observed.values()) lines.push(...linesOf(name, buckets, one));
      return `${lines.join('\n')}\n`;
    },
  };
}

/** Each bucket counts those of the smaller ones too. */
function linesOf(name: string, buckets: readonly number[], { labels, counts, sum }: Observed): string[] {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapedLabel(value)}"`);
  const own = pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
  let total = 0;
  const within = [...counts].map((count, place) => {
    total += count;
    return `${name}_bucket{${[`le="${buckets[place] ?? '+Inf'}"`, ...pairs].join(',')}} ${total}`;
  });
  return [...within, `${name}_sum${own} ${sum}`, `${name}_count${own} ${total}`];
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapedLabel(text: string): string {
  return escaped(text).replaceAll('"', '\\"');
}
