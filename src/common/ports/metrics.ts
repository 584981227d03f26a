/** One value per label; the values of a label are few and known: route patterns and outcomes, never keys or addresses. */
export type Labels = Readonly<Record<string, string>>;

export interface Counter {
  readonly add: (labels?: Labels, amount?: number) => void;
  /** Looks the labels up once: what it returns counts one under them. */
  readonly bind: (labels: Labels) => () => void;
}

export interface Histogram {
  readonly observe: (value: number, labels?: Labels) => void;
  /** Looks the labels up once: what it returns observes under them. */
  readonly bind: (labels: Labels) => (value: number) => void;
}

/** A gauge's value for one combination of labels. */
export interface Reading {
  readonly labels: Labels;
  readonly value: number;
}

/** One value, or one for each combination of labels. */
export type Readings = number | readonly Reading[];

/**
 * Where rooms say what they do, for whoever watches over the instance. Each name is given once per registry; names are
 * as Prometheus writes them, `sluice_<room>_<what>_<unit>`, and docs/operation.md lists them all.
 */
export interface Metrics {
  readonly counter: (name: string, help: string, labels?: readonly string[]) => Counter;
  /** `read` is called whenever somebody looks, and must be cheap. */
  readonly gauge: (
    name: string,
    help: string,
    read: () => Readings | Promise<Readings>,
    labels?: readonly string[],
  ) => void;
  /** @param buckets upper bounds, ascending */
  readonly histogram: (
    name: string,
    help: string,
    buckets: readonly number[],
    labels?: readonly string[],
  ) => Histogram;
}

/** For whoever does not watch. */
export const NO_METRICS: Metrics = {
  counter: () => ({ add: () => undefined, bind: () => () => undefined }),
  gauge: () => undefined,
  histogram: () => ({ observe: () => undefined, bind: () => () => undefined }),
};
