import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Metrics, Reading, Readings } from '../../metrics.ts';
import { Sums } from './sums.ts';

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
  return {
    metrics: metricsIn(registry, onDefect),
    contentType: registry.contentType,
    page: () => registry.metrics(),
  };
}

function metricsIn(registry: Registry, onDefect: (error: unknown) => void): Metrics {
  const registers = [registry];
  return {
    counter: (name, help, labelNames = []) => {
      const sums = new Sums(labelNames);
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
      const histogram = new Histogram({
        name,
        help,
        buckets: [...buckets],
        labelNames: [...labelNames],
        registers,
      });
      return { observe: (value, labels = {}) => histogram.observe(labels, value) };
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
