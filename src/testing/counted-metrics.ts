import {
  type Counter,
  type Labels,
  type Metrics,
  NO_METRICS,
  type Readings,
} from '../common/ports/metrics.ts';

/** Metrics that keep what was counted, and read gauges. */
export class CountedMetrics implements Metrics {
  readonly #gauges = new Map<string, () => Readings | Promise<Readings>>();
  readonly histogram = NO_METRICS.histogram;
  readonly queue = NO_METRICS.queue;
  readonly streams = NO_METRICS.streams;
  readonly wallet = NO_METRICS.wallet;
  readonly budget = NO_METRICS.budget;
  readonly reserve = NO_METRICS.reserve;
  readonly #counts = new Map<string, number>();

  gauge(name: string, _help: string, read: () => Readings | Promise<Readings>): void {
    this.#gauges.set(name, read);
  }

  counter(name: string): Counter {
    const add = (labels: Labels = {}, amount = 1) => {
      const key = [name, ...Object.values(labels)].join(' ');
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + amount);
    };
    return { add, bind: (labels) => () => add(labels) };
  }

  /** Returns the values of a gauge, by those of its labels. One without labels has the key ''. */
  read(name: string): Readonly<Record<string, number>> {
    const readings = this.#gauges.get(name)?.();
    if (readings instanceof Promise) throw new Error(`${name} is read asynchronously`);
    if (readings === undefined) return {};
    if (typeof readings === 'number') return { '': readings };
    return Object.fromEntries(readings.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
  }

  /** Returns the counts of a metric that are not 0, by the values of its labels. */
  countsOf(name: string): Readonly<Record<string, number>> {
    const counts = [...this.#counts].filter(([key, count]) => key.split(' ')[0] === name && count !== 0);
    return Object.fromEntries(counts.map(([key, count]) => [key.slice(name.length + 1), count]));
  }
}
