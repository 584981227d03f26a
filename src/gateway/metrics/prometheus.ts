import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Labels, Metrics, Reading, Readings } from '../../common/ports/metrics.ts';
import type {
  WatchedBudget,
  WatchedParts,
  WatchedQueue,
  WatchedReserve,
  WatchedStreams,
  WatchedWallet,
} from '../../common/ports/watched-parts.ts';
import { type BucketHistogram, createBucketHistogram } from './buckets.ts';
import { ByLabels } from './by-labels.ts';
import { createMetricReader, type MetricReader } from './read-metrics.ts';

/** Metrics of one instance, the page on which Prometheus reads them, and how the instance reads some of them itself. */
export interface Prometheus extends MetricReader {
  readonly metrics: Metrics;
  readonly contentType: string;
  /** Returns all metrics in Prometheus' text format. */
  readonly page: () => Promise<string>;
  /** What rooms have declared beside their metrics. Rooms that are opened later are added. */
  readonly watched: WatchedParts;
}

/**
 * Creates the metrics of an instance. Those of the process itself are included: memory, processor, garbage collection and
 * the lag of the event loop.
 * @param onDefect - Called when a gauge cannot be read; the page is written without it.
 *
 * @example
 * ```ts
 * import { createPrometheus } from './prometheus.ts';
 *
 * const { metrics, page } = createPrometheus(console.error);
 * metrics.counter('jobs_total', 'Finished jobs.').add();
 * console.log(await page());
 * ```
 */
export function createPrometheus(onDefect: (error: unknown) => void): Prometheus {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const histograms = new Map<string, BucketHistogram>();
  const watched = {
    queues: [] as WatchedQueue[],
    streams: [] as WatchedStreams[],
    wallets: [] as WatchedWallet[],
    budgets: [] as WatchedBudget[],
    reserves: [] as WatchedReserve[],
  };
  return {
    metrics: {
      ...createMetrics(registry, histograms, onDefect),
      queue: (queue) => addNamed(watched.queues, queue),
      streams: (streams) => addNamed(watched.streams, streams),
      wallet: (wallet) => addNamed(watched.wallets, wallet),
      budget: (budget) => addNamed(watched.budgets, budget),
      reserve: (reserve) => addNamed(watched.reserves, reserve),
    },
    watched,
    ...createMetricReader(registry, histograms),
    contentType: registry.contentType,
    page: async () =>
      [await registry.metrics(), ...[...histograms.values()].map(({ text }) => text())].join('\n'),
  };
}

/** The sum of one combination of labels. */
interface Sum {
  readonly labels: Labels;
  value: number;
}

/** @param histograms - By name. They replace prom-client's own, which hash the labels at every observation. */
function createMetrics(
  registry: Registry,
  histograms: Map<string, BucketHistogram>,
  onDefect: (error: unknown) => void,
): Pick<Metrics, 'counter' | 'gauge' | 'histogram'> {
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
          // The readings are awaited before the reset, so that concurrent readers of the page never see a gauge without values.
          const readings = await readGauge(read, onDefect);
          this.reset();
          for (const { labels, value } of readings) this.set(labels, value);
        },
      });
    },
    histogram: (name, help, buckets, labelNames = []) => {
      if (histograms.has(name)) throw new Error(`a metric with the name ${name} is registered already`);
      const histogram = createBucketHistogram({ name, help, buckets, labelNames });
      histograms.set(name, histogram);
      return histogram;
    },
  };
}

/** @throws Error when a part of this name is there already */
function addNamed<Part extends { readonly name: string }>(parts: Part[], part: Part): void {
  if (parts.some(({ name }) => name === part.name)) throw new Error(`${part.name} is declared already`);
  parts.push(part);
}

/** Reads a gauge. Returns no readings if that fails, so that one gauge does not keep the page from being written. */
async function readGauge(
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
