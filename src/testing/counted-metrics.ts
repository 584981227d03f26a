import { type Counter, type Labels, type Metrics, NO_METRICS } from '../common/ports/metrics.ts';

/** Metrics that keep what was counted, and nothing else. */
export class CountedMetrics implements Metrics {
  readonly gauge = NO_METRICS.gauge;
  readonly histogram = NO_METRICS.histogram;
  readonly #counts = new Map<string, number>();

  counter(name: string): Counter {
    const add = (labels: Labels = {}, amount = 1) => {
      const key = [name, ...Object.values(labels)].join(' ');
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + amount);
    };
    return { add, bind: (labels) => () => add(labels) };
  }

  /** Returns the counts of a metric that are not 0, by the values of its labels. */
  countsOf(name: string): Readonly<Record<string, number>> {
    const counts = [...this.#counts].filter(([key, count]) => key.split(' ')[0] === name && count !== 0);
    return Object.fromEntries(counts.map(([key, count]) => [key.slice(name.length + 1), count]));
  }
}
