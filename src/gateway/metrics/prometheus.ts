import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Labels, Metrics, Reading, Readings } from '../../common/ports/metrics.ts';
import { type BucketHistogram, bucketHistogram } from './buckets.ts';
import { ByLabels } from './by-labels.ts';

/** Metrics of one instance, and the page on which Prometheus reads them. */
export interface Prometheus {
  readonly metrics: Metrics;
  readonly contentType: string;
  readonly page: () => Promise<string>;
}

/** Also measures the process itself: memory, processor, garbage collection, lag of the event loop. */
export function prometheus(onDefect: (error: unknown) => void): Prometheus {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const histograms = new Map<string, BucketHistogram>();
  return {
    metrics: metricsIn(registry, histograms, onDefect),
    contentType: registry.contentType,
    page: async () =>
      [await registry.metrics(), ...[...histograms.values()].map(({ text }) => text())].join('\n'),
  };
}

/** What was added up for one combination of labels. */
interface Sum {
  readonly labels: Labels;
  value: number;
}

/** @param histograms by name; prom-client's own are not used, because each observation costs them a hash of the labels */
function metricsIn(
  registry: Registry,
  histograms: Map<string, BucketHistogram>,
  onDefect: (error: unknown) => void,
): Metrics {
  const registers = [registry];
  return {
    counter: (name, help, labelNames = []) => {
      const sums = new ByLabels<Sum>(labelNames, (labels) => ({ labels, value: 0 }));
      new Counter({
        name,
        help,
        labelNames: [...labelNames],
        registers,
        collect() {
          this.reset();
          for (const { labels, value } of sums.values()) this.inc(labels, value);
        },
      });
      return {
        add: (labels = {}, amount = 1) => {
          sums.of(labels).value += amount;
        },
        bind: (labels) => {
          const sum = sums.of(labels);
          return () => {
            sum.value++;
          };
        },
      };
    },
    gauge: (name, help, read, labelNames = []) => {
      new Gauge({
        name,
        help,
        labelNames: [...labelNames],
        registers,
        async collect() {
          // Outside the reset: two who look at once must not see it half done.
          const readings = await readingsOf(read, onDefect);
          this.reset();
          for (const { labels, value } of readings) this.set(labels, value);
        },
      });
    },
    histogram: (name, help, buckets, labelNames = []) => {
      if (histograms.has(name)) throw new Error(`a metric with the name ${name} is registered already`);
      const histogram = bucketHistogram({ name, help, buckets, labelNames });
      histograms.set(name, histogram);
      return histogram;
    },
  };
}

/** Without readings where they cannot be told, so that one gauge does not take the others' values away. */
async function readingsOf(
  read: () => Readings | Promise<Readings>,
  onDefect: (error: unknown) => void,
): Promise<readonly Reading[]> {
  try {
    const readings = await read();
    return typeof readings === 'number' ? [{ labels: {}, value: readings }] : readings;
  } catch (error) {
    onDefect(error);
    return [];
  }
}
